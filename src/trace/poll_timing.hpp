// SPDX-License-Identifier: BSD-3-Clause
// Which polls (MPI_Test and the like that find nothing) of a loop are timed. A loop may poll several million
// times in a second, and reading the clock would take as long as a poll. So some polls in a row are timed,
// then some are only counted, each with the mean duration of the timed ones. Knows no MPI.
#pragma once

#include <algorithm>
#include <cstdint>

#include "memory/irregular.hpp"

namespace stretto::trace {

/// For the calls of one thread, in their order. Two timed polls in a row show how long one takes, with the
/// work up to the next; then some go untimed. Times in ns.
class PollTiming {
 public:
  /// Whether the next poll may go untimed.
  [[nodiscard]] bool may_skip() const { return left_ > 0; }
  /// A poll went untimed, and found nothing.
  void skipped() {
    --left_;
    ++untimed_;
  }
  /// Number of polls that went untimed since the last timed call.
  [[nodiscard]] std::uint32_t untimed() const { return untimed_; }

  /// A timed poll found nothing.
  void polled(std::uint64_t begin_ns, std::uint64_t end_ns);
  /// A timed call begins. Returns the total duration of the untimed polls before it. It is the time since the
  /// last timed poll, times the fraction of the time that polls take while they are timed. Where more time
  /// has passed than can be theirs, each poll counts with the mean duration of timed ones.
  std::uint64_t take_untimed(std::uint64_t begin_ns);
  /// An untimed call has found something, and ended at `end_ns`. Returns when it began, if the untimed polls
  /// before it took the expected time. The call gets all time after that, because it may have moved data.
  std::uint64_t late_begin_ns(std::uint64_t end_ns);
  /// A call that is no poll was made, or one found something: the polls around it are not in a row.
  void interrupted() { end_ns_ = left_ = 0; }

 private:
  static constexpr std::uint64_t stretch_ns = 4000;  // of polls in a row that go untimed, on average
  static constexpr std::uint64_t long_ns = 2 * stretch_ns;
  static constexpr std::uint64_t max_skipped = 16;    // on average
  static constexpr std::uint64_t min_skipped = 4;     // fewer save little
  static constexpr std::uint64_t doubtful_part = 50;  // of all time, at most one in so many ns is doubtful

  /// The mean of the last values. A value counts as `long_ns` at most: longer ones are doubtful.
  class Mean {
   public:
    void add(std::uint64_t ns) {
      ns = std::min(ns, long_ns);
      sum_ns_ = sum_ns_ == 0 ? many * ns : sum_ns_ - sum_ns_ / many + ns;
    }
    [[nodiscard]] std::uint64_t ns() const { return sum_ns_ / many; }

   private:
    static constexpr std::uint64_t many = 256;
    std::uint64_t sum_ns_ = 0;
  };

  /// How long the untimed polls take, with the work around them, where none differs from the timed ones.
  [[nodiscard]] std::uint64_t expected_ns() const {
    return untimed_ * duration_.ns() + (untimed_ + 1) * gap_.ns();
  }
  /// Counts the time beyond the expected one as doubtful, if they took far longer: it may be a poll's time or
  /// the program's. Returns whether they did.
  bool count_doubtful(std::uint64_t passed_ns) {
    const bool doubtful = passed_ns > 2 * expected_ns() + long_ns;
    if (doubtful) doubtful_ns_ += passed_ns - expected_ns();
    return doubtful;
  }

  Mean duration_;                  // of timed polls
  Mean gap_;                       // between two in a row
  std::uint64_t end_ns_ = 0;       // of the last timed poll; 0: another call follows it
  std::uint64_t begin_ns_ = 0;     // of the first poll
  std::uint64_t doubtful_ns_ = 0;  // of all time since then
  memory::IrregularDistances distances_;
  std::uint32_t left_ = 0;  // polls that may still go untimed
  std::uint32_t untimed_ = 0;
};

inline void PollTiming::polled(std::uint64_t begin_ns, std::uint64_t end_ns) {
  duration_.add(end_ns - begin_ns);
  if (begin_ns_ == 0) begin_ns_ = begin_ns;
  if (end_ns_ != 0) {
    gap_.add(begin_ns - end_ns_);
    const std::uint64_t one_ns = std::max<std::uint64_t>(gap_.ns() + duration_.ns(), 1);
    const auto many = static_cast<std::uint32_t>(std::min(max_skipped, stretch_ns / one_ns));
    const bool may = many >= min_skipped && doubtful_ns_ * doubtful_part <= end_ns - begin_ns_;
    left_ = may ? distances_.next(many / 2, many + 1) : 0;
  }
  end_ns_ = end_ns;
}

inline std::uint64_t PollTiming::take_untimed(std::uint64_t begin_ns) {
  if (untimed_ == 0) return 0;
  const std::uint64_t passed_ns = begin_ns > end_ns_ ? begin_ns - end_ns_ : 0;
  const std::uint64_t polls_ns = untimed_ * duration_.ns();
  const std::uint64_t all_ns = std::max<std::uint64_t>(expected_ns(), 1);
  const bool doubtful = count_doubtful(passed_ns);
  end_ns_ = untimed_ = left_ = 0;
  return doubtful ? polls_ns : passed_ns * polls_ns / all_ns;
}

inline std::uint64_t PollTiming::late_begin_ns(std::uint64_t end_ns) {
  (void)count_doubtful(end_ns - end_ns_);
  return std::min(end_ns, end_ns_ + expected_ns());
}

}  // namespace stretto::trace
