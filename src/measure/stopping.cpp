// SPDX-License-Identifier: BSD-3-Clause
#include "measure/stopping.hpp"

#include <algorithm>
#include <limits>
#include <stdexcept>
#include <utility>

#include "measure/statistics.hpp"

namespace stretto::measure {

Stopper::Stopper(const StoppingRule& rule, std::size_t quantities, Figure figure)
    : rule_(rule), figure_(std::move(figure)), values_(quantities), next_check_(rule.min_rounds) {
  if (!figure_.signs.empty() && figure_.signs.size() != quantities) {
    throw std::invalid_argument("a figure has one sign a quantity");
  }
}

void Stopper::add_round(const std::vector<double>& values) {
  if (values.size() != values_.size()) throw std::invalid_argument("a round has one value a quantity");
  for (std::size_t i = 0; i < values.size(); ++i) values_[i].push_back(values[i]);
  ++rounds_;
}

std::optional<StopReason> Stopper::decide(double elapsed_s, bool may_stop_early) {
  const auto found = reason(elapsed_s, may_stop_early);
  if (!found) return std::nullopt;
  if (!repeats_ && !plausible()) {
    repeats_ = true;
    repeated_until_ = 2 * rounds_;
  }
  return rounds_ < repeated_until_ ? std::nullopt : found;
}

std::optional<StopReason> Stopper::reason(double elapsed_s, bool may_stop_early) {
  if (rounds_ < rule_.min_rounds) {
    // Three rounds give a median even of a case that far exceeds its budget.
    const bool over_budget = rounds_ >= 3 && elapsed_s > 4 * rule_.budget_s;
    return over_budget ? std::optional{StopReason::budget} : std::nullopt;
  }
  // Testing after every round would stop too early by chance (repeated tests of one interval), and costs
  // time.
  if (rounds_ >= next_check_) {
    if (may_stop_early && precise_enough()) return StopReason::noise;
    next_check_ = rounds_ + std::max(1, rounds_ / 4);
  }
  if (rounds_ >= rule_.max_rounds) return StopReason::rounds;
  if (elapsed_s >= rule_.budget_s) return StopReason::budget;
  return std::nullopt;
}

Stopper::Estimate Stopper::figure() const {
  std::vector<double> sums(static_cast<std::size_t>(rounds_));
  double scale = std::numeric_limits<double>::infinity();
  for (std::size_t i = 0; i < values_.size(); ++i) {
    const int sign = figure_.signs[i];
    for (std::size_t round = 0; round < sums.size(); ++round) sums[round] += sign * values_[i][round];
    if (sign > 0) scale = std::min(scale, median(values_[i]));
  }
  const Interval interval = bootstrap_median(sums, static_cast<std::uint64_t>(rounds_));
  return {.value = median(sums) / scale, .error = (interval.high - interval.low) / 2 / scale};
}

bool Stopper::plausible() const {
  if (figure_.signs.empty() || rounds_ == 0) return true;
  const double value = figure().value;
  return value >= figure_.least && value <= figure_.most;
}

bool Stopper::precise_enough() const {
  if (rule_.max_error > 0 && !figure_.signs.empty()) return figure().error <= rule_.max_error;
  return std::all_of(values_.begin(), values_.end(), [&](const std::vector<double>& values) {
    const Interval interval = bootstrap_median(values, static_cast<std::uint64_t>(rounds_));
    return interval.high - interval.low <= 2 * rule_.max_noise * median(values);
  });
}

}  // namespace stretto::measure
