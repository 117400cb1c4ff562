// SPDX-License-Identifier: BSD-3-Clause
// The ranks of a test run are one world. (tests/system/test_setup.py sees that failures are shown.)
#include <gtest/gtest.h>
#include <mpi.h>

#include "world_ranks.hpp"

namespace {

TEST(Runner, RanksReachEachOther) {
  const int size = stretto::world_size();
  const int one_more = stretto::world_rank() + 1;
  int sum = 0;
  MPI_Allreduce(&one_more, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  EXPECT_EQ(sum, size * (size + 1) / 2);
}

}  // namespace
