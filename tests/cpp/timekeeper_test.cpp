// SPDX-License-Identifier: BSD-3-Clause
// Start deadlines and segments, on a team of one rank whose clock the test advances.
#include "measure/timekeeper.hpp"

#include <gtest/gtest.h>

#include <algorithm>

namespace stretto::measure {
namespace {

/// Reading the clock costs `reading_s` and agreeing `agreeing_s`; some runs take longer.
class Alone final : public Team {
 public:
  [[nodiscard]] int rank() const override { return 0; }
  [[nodiscard]] int size() const override { return 1; }
  [[nodiscard]] double now_s() override { return time_s += reading_s; }
  void wait_until(double deadline_s) override { time_s = std::max(time_s, deadline_s); }
  void broadcast(std::span<std::byte> /*data*/) override {
    time_s += agreeing_s + hiccup_s;
    hiccup_s = 0;
  }
  void gather(std::span<const std::byte> mine, std::span<std::byte> all) override {
    std::ranges::copy(mine, all.begin());
    time_s += agreeing_s;
    gathered_s = time_s;
  }
  void barrier() override { time_s = std::max(time_s, others_done_s); }

  double time_s = 0;
  double reading_s = 0;
  double agreeing_s = 1e-6;
  double hiccup_s = 0;
  double others_done_s = 0;
  double gathered_s = 0;  ///< when the last gather was over
};

TEST(Timekeeper, TimesTheStepOnly) {
  Alone team;
  Timekeeper timekeeper(team, 0);
  const auto measured = timekeeper.time([&team](StepTimer&) { team.time_s += 5e-6; });
  ASSERT_TRUE(measured);
  EXPECT_NEAR(measured->time_s, 5e-6, 1e-15);
}

TEST(Timekeeper, ReportsComeAfterAllRanksHaveEnded) {
  Alone team;
  Timekeeper timekeeper(team, 0);
  team.others_done_s = team.time_s + 1;
  const auto measured = timekeeper.time([&team](StepTimer&) { team.time_s += 5e-6; });
  ASSERT_TRUE(measured);
  EXPECT_NEAR(measured->time_s, 5e-6, 1e-15);  // without the wait for the other ranks
  EXPECT_GT(team.gathered_s, team.others_done_s);
}

TEST(Timekeeper, ALateRankInvalidatesTheSample) {
  Alone team;
  Timekeeper timekeeper(team, 0);
  team.hiccup_s = 1e-3;
  EXPECT_FALSE(timekeeper.time([](StepTimer&) {}));
}

TEST(Timekeeper, TheMarginGrowsUntilAllRanksAreOnTime) {
  Alone team;
  Timekeeper timekeeper(team, 0);
  team.agreeing_s = 2e-3;  // much slower than when the margin was chosen
  int late = 0;
  while (!timekeeper.time([](StepTimer&) {})) ++late;
  EXPECT_GT(late, 0);
  EXPECT_LT(late, 12);
  EXPECT_TRUE(timekeeper.time([](StepTimer&) {}));
}

TEST(Timekeeper, AMedianIsFoundEvenIfEveryRunStartsLate) {
  Alone team;
  Timekeeper timekeeper(team, 0);
  team.agreeing_s = 10;
  EXPECT_GT(timekeeper.median_time_s([](StepTimer&) {}), 0);
}

TEST(Timekeeper, LapsAddUpByKindWithoutWhatReadingTheClockCosts) {
  Alone team;
  team.reading_s = 1e-7;
  Timekeeper timekeeper(team, 1e-7);
  const auto measured = timekeeper.time([&team](StepTimer& timer) {
    for (int i = 0; i < 3; ++i) timer.init([&team] { team.time_s += 1e-6; });
    timer.sync([&team] { team.time_s += 4e-6; });
    timer.barrier([] {});
  });
  ASSERT_TRUE(measured);
  EXPECT_NEAR(measured->largest.init_s, 3e-6, 1e-15);
  EXPECT_NEAR(measured->mean.sync_s, 4e-6, 1e-15);
  EXPECT_NEAR(measured->largest.barrier_s, 0, 1e-15);
}

}  // namespace
}  // namespace stretto::measure
