// SPDX-License-Identifier: BSD-3-Clause
#include "measure/statistics.hpp"

#include <gtest/gtest.h>

#include <random>
#include <stdexcept>
#include <vector>

namespace stretto::measure {
namespace {

TEST(Statistics, MediansOfOddAndEvenCounts) {
  EXPECT_EQ(median(std::vector{3.0, 1.0, 2.0}), 2.0);
  EXPECT_EQ(median(std::vector{4.0, 1.0, 3.0, 2.0}), 2.5);
  EXPECT_EQ(median(std::vector{7.0}), 7.0);
}

TEST(Statistics, QuantilesInterpolate) {
  const std::vector values{0.0, 10.0, 20.0, 30.0, 40.0};
  EXPECT_EQ(quantile(values, 0), 0.0);
  EXPECT_EQ(quantile(values, 1), 40.0);
  EXPECT_EQ(quantile(values, 0.125), 5.0);
  EXPECT_EQ(interquartile_range(values), 20.0);
}

TEST(Statistics, NoValuesIsAnError) {
  EXPECT_THROW((void)median({}), std::invalid_argument);
  EXPECT_THROW((void)quantile({}, 0.5), std::invalid_argument);
  EXPECT_THROW((void)bootstrap_median({}, 1), std::invalid_argument);
}

TEST(Statistics, ABootstrapOfEqualValuesHasNoWidth) {
  const Interval interval = bootstrap_median(std::vector(20, 3.0), 1);
  EXPECT_EQ(interval.low, 3.0);
  EXPECT_EQ(interval.high, 3.0);
}

TEST(Statistics, ABootstrapRepeatsItselfWithItsSeed) {
  const std::vector values{1.0, 2.0, 4.0, 8.0, 16.0, 32.0};
  EXPECT_EQ(bootstrap_median(values, 7).high, bootstrap_median(values, 7).high);
}

// The nominal coverage is 95 %. A binomial with p = 0.95 and n = 400 is outside these bounds once in 10^6.
TEST(Statistics, IntervalsCoverTheTrueMedian) {
  std::mt19937_64 generator(1);
  std::lognormal_distribution<double> skewed(0, 0.5);  // median 1
  int covered = 0;
  for (std::uint64_t trial = 0; trial < 400; ++trial) {
    std::vector<double> values(40);
    for (double& value : values) value = skewed(generator);
    const Interval interval = bootstrap_median(values, trial);
    covered += interval.low <= 1 && 1 <= interval.high ? 1 : 0;
  }
  EXPECT_GE(covered, 355);
  EXPECT_LE(covered, 397);
}

}  // namespace
}  // namespace stretto::measure
