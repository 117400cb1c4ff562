// SPDX-License-Identifier: BSD-3-Clause
// Does the progress thread gain anything in this program? A trial lets it pause in some of a series of equal
// windows of time, the same on all ranks, and compares how many requests the program starts with it and
// without. Knows no MPI and no clock.
#pragma once

#include <array>
#include <chrono>
#include <cstdint>
#include <span>

namespace stretto::progress {

/// The windows of a trial in time. Ranks agree on its begin, and need no message to pause together.
struct TrialTimes {
  std::chrono::nanoseconds begin{0};
  std::chrono::nanoseconds window{0};
};

/// A part of the time that is saved, negative where time is lost, with its 95 % interval.
struct Saved {
  double value = 0;
  double low = 0;
  double high = 0;
};

enum class Verdict : std::uint8_t { undecided, gains, gains_nothing };

class Trial {
 public:
  static constexpr std::size_t windows = 24;
  /// Per window the requests that were started, relative to this rank's mean; then the numbers of ranks with
  /// enough iterations in their windows (at `counted`), and of those that gave up (at `gave_up`). Sums over
  /// all ranks are of this type, too.
  using Rates = std::array<double, windows + 2>;
  static constexpr std::size_t counted = windows;
  static constexpr std::size_t gave_up = windows + 1;

  explicit Trial(const TrialTimes& times) : times_(times) {}

  /// The thread pauses in a third of the windows. Their distances differ, so that no period of the program
  /// coincides with them.
  [[nodiscard]] static constexpr bool pauses_in(std::size_t window) {
    return (pauses_bits >> window & 1U) != 0;
  }

  /// To be called on every wake-up of the thread. `starts` and `cycles` are the program's counts until now.
  void observe(std::chrono::nanoseconds now, std::int64_t starts, std::int64_t cycles);

  /// Whether the thread pauses at this time. No more once the first windows show that the program has too few
  /// iterations in a window to tell: then pauses would only cost.
  [[nodiscard]] bool pauses(std::chrono::nanoseconds now) const;
  /// The time until the next window begins, or the trial; 0 after its end.
  [[nodiscard]] std::chrono::nanoseconds until_next(std::chrono::nanoseconds now) const;
  [[nodiscard]] bool has_ended(std::chrono::nanoseconds now) const { return now >= end(); }

  /// Of this rank, after the end. Without rates where too little happened in a window to tell.
  [[nodiscard]] Rates rates() const;

 private:
  static constexpr std::uint32_t pauses_bits = 0b0100'1001'0001'1000'1010'0010;

  [[nodiscard]] std::chrono::nanoseconds end() const {
    return times_.begin + static_cast<std::int64_t>(windows) * times_.window;
  }

  TrialTimes times_;
  // At the first wake-up in each window, and at the first one after the last window.
  std::array<std::chrono::nanoseconds, windows + 1> seen_at_{};
  std::array<std::int64_t, windows + 1> starts_{};
  std::array<std::int64_t, windows + 1> cycles_{};
  std::size_t seen_ = 0;
  bool gave_up_ = false;
};

/// What the sums of all ranks' rates say; nothing saved and an unbounded interval where no rank had rates, or
/// one gave up: it did not pause, and the others may have waited for it.
[[nodiscard]] Saved saved_of(const Trial::Rates& sums);

/// The thread gains where it certainly saves time, and gains nothing where it certainly saves too little.
[[nodiscard]] Verdict verdict_of(const Saved& saved);

}  // namespace stretto::progress
