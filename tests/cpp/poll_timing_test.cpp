// SPDX-License-Identifier: BSD-3-Clause
// Loops of polls of known durations: few of them are timed, and the time of all is right.
#include "trace/poll_timing.hpp"

#include <gtest/gtest.h>

#include <cstdint>

namespace stretto::trace {
namespace {

/// A thread that calls, and a clock that knows what each call takes.
class PollTimingLoop : public ::testing::Test {
 protected:
  void work(std::uint64_t ns) { now_ns_ += ns; }

  /// A poll of this duration that finds nothing.
  void poll(std::uint64_t ns) {
    ++polls_;
    true_ns_ += ns;
    if (timing_.may_skip()) {
      now_ns_ += ns;
      timing_.skipped();
      return;
    }
    begin();
    const std::uint64_t begin_ns = now_ns_;
    now_ns_ += ns;
    timed_ns_ += ns;
    timing_.polled(begin_ns, now_ns_);
  }

  /// Polls with little work between them.
  void burst(int polls) {
    for (int i = 0; i < polls; ++i) {
      poll(60);
      work(10);
    }
  }

  /// Any other call.
  void call(std::uint64_t ns) {
    begin();
    timing_.interrupted();
    now_ns_ += ns;
  }

  void begin() {
    ++timed_;
    timed_ns_ += timing_.take_untimed(now_ns_);
  }

  PollTiming timing_;
  std::uint64_t now_ns_ = 1000;
  std::uint64_t polls_ = 0;
  std::uint64_t timed_ = 0;
  std::uint64_t true_ns_ = 0;   // of all polls
  std::uint64_t timed_ns_ = 0;  // of all polls, as they are counted
};

TEST_F(PollTimingLoop, FewPollsOfAFastLoopAreTimedAndTheirTimeIsThatOfAll) {
  for (int i = 0; i < 100'000; ++i) {
    poll(60);
    work(40);
  }
  call(10);
  EXPECT_LT(timed_, polls_ / 6);
  EXPECT_NEAR(static_cast<double>(timed_ns_), static_cast<double>(true_ns_),
              0.001 * static_cast<double>(true_ns_));
}

TEST_F(PollTimingLoop, ASlowLoopIsTimed) {
  for (int i = 0; i < 1000; ++i) {
    poll(60);
    work(5000);
  }
  EXPECT_EQ(timed_, polls_);
  EXPECT_EQ(timed_ns_, true_ns_);
}

TEST_F(PollTimingLoop, PollsOfVariousDurationsCountWithTheirMean) {
  for (int i = 0; i < 100'000; ++i) {
    poll(i % 7 == 0 ? 400 : 30);
    work(i % 5 == 0 ? 100 : 20);
  }
  call(10);
  EXPECT_LT(timed_, polls_ / 3);
  EXPECT_NEAR(static_cast<double>(timed_ns_), static_cast<double>(true_ns_),
              0.03 * static_cast<double>(true_ns_));
}

class PollTimingPeriod : public PollTimingLoop, public ::testing::WithParamInterface<std::uint64_t> {};

TEST_P(PollTimingPeriod, NoPeriodOfTheLoopHidesItsWork) {
  for (std::uint64_t i = 0; i < 100'000; ++i) {
    poll(60);
    work(i % GetParam() == 0 ? 500 * GetParam() : 10);
  }
  call(10);
  EXPECT_LT(timed_, polls_);
  EXPECT_NEAR(static_cast<double>(timed_ns_), static_cast<double>(true_ns_),
              0.1 * static_cast<double>(true_ns_));
}

INSTANTIATE_TEST_SUITE_P(Periods, PollTimingPeriod, ::testing::Values(2, 3, 6, 9, 18));

TEST_F(PollTimingLoop, OneLongWorkAfterABurstIsWork) {
  burst(42);
  work(10'000'000'000);
  call(10);
  EXPECT_NEAR(static_cast<double>(timed_ns_), static_cast<double>(true_ns_), 100);
}

TEST_F(PollTimingLoop, WorkBetweenBurstsOfPollsIsSoonTimed) {
  for (int turn = 0; turn < 10'000; ++turn) {
    burst(40);
    work(100'000);
  }
  call(10);
  const auto work_ns = static_cast<double>(now_ns_ - true_ns_);
  EXPECT_NEAR(static_cast<double>(now_ns_ - timed_ns_), work_ns, 0.03 * work_ns);
}

TEST_F(PollTimingLoop, APollThatMovesDataIsSoonTimed) {
  for (int message = 0; message < 10'000; ++message) {
    burst(40);
    poll(100'000);
  }
  call(10);
  EXPECT_NEAR(static_cast<double>(timed_ns_), static_cast<double>(true_ns_),
              0.03 * static_cast<double>(true_ns_));
}

TEST_F(PollTimingLoop, OtherCallsEndTheUntimedPolls) {
  for (int i = 0; i < 20; ++i) poll(50);
  call(10);
  EXPECT_FALSE(timing_.may_skip());
  EXPECT_EQ(timing_.untimed(), 0U);
  poll(50);
  EXPECT_FALSE(timing_.may_skip()) << "one poll alone does not say how long the next ones take";
  poll(50);
  EXPECT_TRUE(timing_.may_skip());
}

TEST_F(PollTimingLoop, ACallThatFindsSomethingTakesWhatThePollsDoNot) {
  for (int i = 0; i < 5; ++i) poll(50);
  ASSERT_GT(timing_.untimed(), 0U);
  const std::uint64_t end_ns = now_ns_ + 700;
  EXPECT_EQ(timing_.late_begin_ns(end_ns), now_ns_);
  EXPECT_EQ(timing_.late_begin_ns(now_ns_ - 20), now_ns_ - 20) << "it cannot begin after its end";
}

}  // namespace
}  // namespace stretto::trace
