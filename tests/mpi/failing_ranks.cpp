// SPDX-License-Identifier: BSD-3-Clause
// Tests that fail on purpose, on one rank each. Only tests/system/test_rank_runner.py runs them, and checks
// the runner's report.
#include <gtest/gtest.h>
#include <mpi.h>

#include <stdexcept>

#include "world_ranks.hpp"

namespace {

using stretto::world_rank;

TEST(DISABLED_FailingRanks, OneExpects) { EXPECT_NE(world_rank(), 1) << "seen on one rank"; }

TEST(DISABLED_FailingRanks, OneThrows) {
  if (world_rank() == 1) {
    throw std::runtime_error("thrown on one rank");
  }
}

TEST(DISABLED_FailingRanks, OneLeavesTheOthersWaiting) {
  ASSERT_NE(world_rank(), 1) << "left on one rank";
  MPI_Barrier(MPI_COMM_WORLD);
}

TEST(DISABLED_FailingRanks, NoRankFails) { EXPECT_GE(world_rank(), 0); }

}  // namespace
