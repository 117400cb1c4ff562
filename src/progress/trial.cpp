// SPDX-License-Identifier: BSD-3-Clause
#include "progress/trial.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace stretto::progress {
namespace {

/// Iterations of the program in a window: with fewer, an iteration would be partly with and partly without
/// the thread.
constexpr double min_cycles = 4;
/// After so many windows a trial with so few iterations is given up.
constexpr std::size_t watched = 4;
constexpr double min_watched = 0.75 * watched * min_cycles;
constexpr double little_saved = 0.005;
constexpr double student_t = 2.1;  // 95 % of about 20 degrees of freedom

struct Sample {
  double count = 0;
  double sum = 0;
  double squares = 0;

  void add(double value) {
    count += 1;
    sum += value;
    squares += value * value;
  }
  [[nodiscard]] double mean() const { return sum / count; }
  /// The variance of the mean, relative to its square.
  [[nodiscard]] double relative_variance() const {
    const double variance = std::max(squares / count - mean() * mean(), 0.0) / (count - 1);
    return variance / (mean() * mean());
  }
};

}  // namespace

void Trial::observe(std::chrono::nanoseconds now, std::int64_t starts, std::int64_t cycles) {
  if (now < times_.begin) return;
  const auto window =
      std::min<std::size_t>(static_cast<std::size_t>((now - times_.begin) / times_.window), windows);
  for (; seen_ <= window; ++seen_) {  // a window that the thread slept through counts from its end
    seen_at_[seen_] = now;
    starts_[seen_] = starts;
    cycles_[seen_] = cycles;
    const bool is_used = starts > 0;  // a rank that starts nothing loses nothing by pauses
    if (seen_ == watched && is_used) gave_up_ = static_cast<double>(cycles - cycles_[0]) < min_watched;
  }
}

bool Trial::pauses(std::chrono::nanoseconds now) const {
  if (gave_up_ || now < times_.begin || has_ended(now)) return false;
  return pauses_in(static_cast<std::size_t>((now - times_.begin) / times_.window));
}

std::chrono::nanoseconds Trial::until_next(std::chrono::nanoseconds now) const {
  if (now < times_.begin) return times_.begin - now;
  if (has_ended(now)) return std::chrono::nanoseconds{0};
  return times_.window - (now - times_.begin) % times_.window;
}

Trial::Rates Trial::rates() const {
  Rates rates{};
  rates[gave_up] = gave_up_ ? 1 : 0;
  if (gave_up_ || seen_ <= windows) return rates;
  const double mean_cycles = static_cast<double>(cycles_[windows] - cycles_[0]) / windows;
  if (mean_cycles < min_cycles) return rates;
  const auto whole = static_cast<double>((seen_at_[windows] - seen_at_[0]).count());
  const double mean_rate = static_cast<double>(starts_[windows] - starts_[0]) / whole;
  for (std::size_t i = 0; i < windows; ++i) {
    const auto time = static_cast<double>((seen_at_[i + 1] - seen_at_[i]).count());
    if (time <= 0) return Rates{};  // the thread slept through a window
    rates[i] = static_cast<double>(starts_[i + 1] - starts_[i]) / time / mean_rate;
  }
  rates[counted] = 1;
  return rates;
}

Saved saved_of(const Trial::Rates& sums) {
  constexpr double unbounded = std::numeric_limits<double>::infinity();
  Sample with;
  Sample without;
  for (std::size_t i = 0; i < Trial::windows; ++i) (Trial::pauses_in(i) ? without : with).add(sums[i]);
  if (sums[Trial::counted] <= 0 || sums[Trial::gave_up] > 0 || with.sum <= 0 || without.sum <= 0) {
    return {.value = 0, .low = -unbounded, .high = unbounded};
  }
  const double ratio = without.mean() / with.mean();
  const double error = student_t * ratio * std::sqrt(with.relative_variance() + without.relative_variance());
  return {.value = 1 - ratio, .low = 1 - ratio - error, .high = 1 - ratio + error};
}

Verdict verdict_of(const Saved& saved) {
  if (saved.low > 0 && saved.value >= little_saved) return Verdict::gains;
  if (saved.high < 4 * little_saved && saved.value < little_saved) return Verdict::gains_nothing;
  return Verdict::undecided;
}

}  // namespace stretto::progress
