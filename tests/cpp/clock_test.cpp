// SPDX-License-Identifier: BSD-3-Clause
#include "measure/clock.hpp"

#include <gtest/gtest.h>

namespace stretto::measure {
namespace {

TEST(Clock, NeverRunsBackwards) {
  double before_s = monotonic_s();
  for (int i = 0; i < 10000; ++i) {
    const double now_s = monotonic_s();
    ASSERT_GE(now_s, before_s);
    before_s = now_s;
  }
}

TEST(Clock, CalibrationFindsStepAndCostOfAClock) {
  // Each reading costs 3 units; the display moves in steps of 10.
  int readings = 0;
  const ClockQuality quality = calibrate([&readings] { return 10.0 * (3 * readings++ / 10); });
  EXPECT_DOUBLE_EQ(quality.resolution_s, 10.0);
  EXPECT_NEAR(quality.overhead_s, 3.0, 0.2);
}

TEST(Clock, AStoppedClockHasNeitherResolutionNorCost) {
  const ClockQuality quality = calibrate([] { return 5.0; });
  EXPECT_EQ(quality.resolution_s, 0.0);
  EXPECT_EQ(quality.overhead_s, 0.0);
}

TEST(Clock, ThisMachinesClockIsFinerThanAMillisecond) {
  const ClockQuality quality = calibrate(monotonic_s);
  EXPECT_GT(quality.resolution_s, 0.0);
  EXPECT_LT(quality.resolution_s, 1e-3);
}

}  // namespace
}  // namespace stretto::measure
