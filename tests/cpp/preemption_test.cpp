// SPDX-License-Identifier: BSD-3-Clause
#include "measure/preemption.hpp"

#include <gtest/gtest.h>

#include <array>

namespace stretto::measure {
namespace {

TEST(Preemption, IsWhatARankWaitedForOthers) {
  const Preemption lost = between({.waited_s = 1, .switches = 3}, {.waited_s = 1.5, .switches = 5});
  EXPECT_EQ(lost.lost_s, 0.5);
  EXPECT_EQ(lost.switches, 2);
}

TEST(Preemption, OwnThreadsAreNoOthers) {
  EXPECT_EQ(between({}, {.waited_s = 0.5, .other_threads_s = 0.5}).lost_s, 0);
  EXPECT_EQ(between({}, {.waited_s = 0.5, .other_threads_s = 2}).lost_s, 0) << "they had cores of their own";
  EXPECT_EQ(between({}, {.waited_s = 0.5, .other_threads_s = 0.25}).lost_s, 0.25);
}

TEST(Preemption, RanksWithCoresOfTheirOwnWaitForOthersOnly) {
  const std::array<Preemption, 2> ranks{{{.lost_s = 0.5, .used_s = 1}, {.lost_s = 0.25, .used_s = 1}}};
  EXPECT_EQ(largest(ranks, 2, 0).lost_s, 0.5);
}

TEST(Preemption, RanksThatShareHalfIdleCoresWaitForEachOther) {
  const std::array<Preemption, 3> ranks{
      {{.lost_s = 0.25, .used_s = 0.125}, {.lost_s = 0.5, .used_s = 0.25}, {.lost_s = 0, .used_s = 0.125}}};
  EXPECT_EQ(largest(ranks, 1, 1).lost_s, 0.25) << "the others took half of the second rank's wait";
}

TEST(Preemption, RanksThatShareFullCoresAreDisturbed) {
  const std::array<Preemption, 3> ranks{
      {{.lost_s = 0.25, .used_s = 0.5}, {.lost_s = 0.5, .used_s = 0.5}, {.lost_s = 0, .used_s = 0.5}}};
  EXPECT_EQ(largest(ranks, 1, 1).lost_s, 0.5);
}

TEST(Preemption, AFewPercentDisturbAndKernelThreadsDoNot) {
  EXPECT_FALSE(is_disturbed(1, 0.019));
  EXPECT_TRUE(is_disturbed(1, 0.021));
  EXPECT_FALSE(is_disturbed(1e-6, 9e-6));
  EXPECT_TRUE(is_disturbed(1e-6, 11e-6));
}

}  // namespace
}  // namespace stretto::measure
