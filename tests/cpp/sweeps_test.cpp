// SPDX-License-Identifier: BSD-3-Clause
#include "probe/sweeps.hpp"

#include <gtest/gtest.h>

#include <stdexcept>

#include "probe/row_transform.hpp"

namespace stretto::probe {
namespace {

TEST(Sweeps, ConstantFlopsAreConstant) {
  const auto points = ft_points({.sweep = "constant-flops"}, 32);
  ASSERT_EQ(points.size(), 8U);
  const double requested = 8192 * fft_flops(512);
  for (const FtPoint& point : points) {
    EXPECT_EQ(point.problem.rows * point.problem.row_length, 8192U * 512U);
    const double flops = transform_plan(point.problem.row_length, *point.scale).flops();
    EXPECT_NEAR(flops * static_cast<double>(point.problem.rows), requested, 0.02 * requested);
  }
}

TEST(Sweeps, RowsOfASweepAreRoundedUpAndRequestedOnesRefused) {
  for (const FtPoint& point : ft_points({.sweep = "few-large"}, 3)) EXPECT_EQ(point.problem.rows, 33U);
  EXPECT_THROW((void)ft_points({.rows = {32}}, 3), std::invalid_argument);
}

TEST(Sweeps, ListsArePairedAndASingleValueCombinesWithAll) {
  const auto pairs = ft_points({.rows = {8, 4}, .row_lengths = {16, 32}, .scales = {1}}, 2);
  ASSERT_EQ(pairs.size(), 2U);
  EXPECT_EQ(pairs[1].problem.rows, 4U);
  EXPECT_EQ(pairs[1].problem.row_length, 32U);
  const auto lengths =
      ft_points({.rows = {8}, .row_lengths = {16, 32}, .scales = {0, 1}, .balance = true}, 2);
  EXPECT_EQ(lengths.size(), 6U);
  EXPECT_FALSE(lengths[2].scale.has_value());
  EXPECT_THROW(check_sweeps({.rows = {8, 4}, .row_lengths = {1, 2, 3}}, {"ft"}), std::invalid_argument);
}

TEST(Sweeps, PrefetchIsAtMostTheOtherRanks) {
  const auto schedules = spmv_schedules({.sweep = "prefetch"}, 8);
  ASSERT_EQ(schedules.size(), 9U);  // bulk; gather and scatter at 1, 2, 4, 7
  EXPECT_EQ(name_of(schedules[0]), "bulk");
  EXPECT_EQ(name_of(schedules[4]), "gather,prefetch=7");
  EXPECT_EQ(name_of(schedules[5]), "scatter,prefetch=1");
  EXPECT_THROW((void)spmv_schedules({.prefetch = {8}}, 8), std::invalid_argument);
  EXPECT_EQ(spmv_schedules({.schedules = {"gather"}, .prefetch = {0, 7}}, 8).size(), 2U);
}

TEST(Sweeps, Prefetch0And1AreTheSame) {
  const auto before = [](std::size_t prefetch) {
    return SpmvSchedule{.kind = SpmvKind::gather, .prefetch = prefetch}.before(8);
  };
  EXPECT_EQ(before(0), 0U);
  EXPECT_EQ(before(1), 0U);
  EXPECT_EQ(before(7), 6U);  // the first iteration starts the last
  EXPECT_EQ(SpmvSchedule{}.before(8), 7U);
}

TEST(Sweeps, BlocksDifferByAtMostOneRow) {
  const SpmvProblem problem{.rows = 11, .ranks = 4};
  std::size_t begin = 0;
  for (std::size_t rank = 0; rank < 4; ++rank) {
    EXPECT_EQ(problem.block_begin(rank), begin);
    EXPECT_EQ(problem.block_rows(rank), rank < 3 ? 3U : 2U);
    begin += problem.block_rows(rank);
  }
  EXPECT_EQ(begin, 11U);
}

TEST(Sweeps, InvalidSettingsAreRefused) {
  const auto refused = [](const ScheduleSettings& settings, const std::vector<std::string>& probes) {
    EXPECT_THROW(check_sweeps(settings, probes), std::invalid_argument);
  };
  refused({.sweep = "sideways"}, {"ft"});
  refused({.sweep = "many-small"}, {"spmv"});
  refused({.schedules = {"exchanges"}}, {"ft"});
  EXPECT_THROW((void)spmv_points({.matrix_rows = {3}}, 4), std::invalid_argument);
}

}  // namespace
}  // namespace stretto::probe
