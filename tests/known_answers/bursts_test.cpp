// SPDX-License-Identifier: BSD-3-Clause
// Bursts take turns with a rank, as long and as often as asked, whatever is asked of them and in which order.
#include "known_answers/bursts.hpp"

#include <gtest/gtest.h>

namespace stretto::known_answers {
namespace {

constexpr BurstShape shape{.every_s = 0.5, .shortest_s = 1e-3, .longest_s = 0.3};

TEST(Bursts, WithoutThemTimeIsWhatIsNeeded) {
  Bursts none({}, 1, 0);
  EXPECT_EQ(none.end_of(2, 3), 5);
  EXPECT_EQ(none.lost_until(100), 0);
  EXPECT_EQ(none.switches_until(100), 0);
}

TEST(Bursts, WhatARankLosesIsWhatItEndsLater) {
  Bursts bursts(shape, 1, 0);
  double time_s = 0;
  for (int step = 0; step < 2000; ++step) {
    const double begin_s = time_s;
    time_s = bursts.end_of(begin_s, 5e-3);
    const double lost_s = bursts.lost_until(time_s) - bursts.lost_until(begin_s);
    EXPECT_NEAR(time_s - begin_s, 5e-3 + lost_s, 1e-12);
  }
  EXPECT_GT(bursts.lost_until(time_s), 0);
}

TEST(Bursts, HalfOfTheTimeInABurstIsLost) {
  Bursts bursts({.every_s = 1e-9, .shortest_s = 0.1, .longest_s = 0.1}, 1, 0);  // one after the other
  EXPECT_NEAR(bursts.lost_until(100) / 100, 0.5, 0.02);
  EXPECT_NEAR(static_cast<double>(bursts.switches_until(100)), 1000 * 17, 20) << "17 in each burst";
}

TEST(Bursts, TheyBeginAsOftenAsAsked) {
  Bursts bursts({.every_s = 0.5, .shortest_s = 1e-3, .longest_s = 1e-3}, 7, 0);
  EXPECT_NEAR(static_cast<double>(bursts.switches_until(1000)), 1000 / 0.501, 200);
}

TEST(Bursts, ARankWithoutItsProcessorComesBackWhenTheOtherProgramLeaves) {
  Bursts bursts(shape, 1, 0);
  double begin_s = 0;
  while (bursts.switches_until(begin_s) == 0) begin_s += 1e-4;
  const double back_s = bursts.end_of(begin_s, 0);
  EXPECT_GT(back_s, begin_s);
  EXPECT_LE(back_s, begin_s + burst_slice_s);
  EXPECT_EQ(bursts.end_of(back_s, 0), back_s);
}

TEST(Bursts, DependOnSeedAndRankAndNotOnWhatIsAsked) {
  Bursts one(shape, 1, 0);
  Bursts same(shape, 1, 0);
  (void)same.end_of(50, 1);
  EXPECT_EQ(one.lost_until(20), same.lost_until(20));
  EXPECT_NE(one.lost_until(20), Bursts(shape, 2, 0).lost_until(20));
  EXPECT_NE(one.lost_until(20), Bursts(shape, 1, 1).lost_until(20));
}

}  // namespace
}  // namespace stretto::known_answers
