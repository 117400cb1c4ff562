// SPDX-License-Identifier: BSD-3-Clause
#include "exchange/mpi_team.hpp"

#include <gtest/gtest.h>

#include "exchange/platform.hpp"

namespace stretto::exchange {
namespace {

TEST(MpiTeam, RankZerosValueReachesAll) {
  MpiTeam team(MPI_COMM_WORLD);
  double value = team.rank() == 0 ? 2.5 : -1;
  team.share(value);
  EXPECT_EQ(value, 2.5);
}

TEST(MpiTeam, ValuesAreCollectedInRankOrderAtRankZeroOnly) {
  MpiTeam team(MPI_COMM_WORLD);
  const std::vector<int> all = team.collect(10 * team.rank());
  ASSERT_EQ(all.size(), team.rank() == 0 ? static_cast<std::size_t>(team.size()) : 0U);
  for (std::size_t i = 0; i < all.size(); ++i) EXPECT_EQ(all[i], 10 * static_cast<int>(i));
}

TEST(MpiTeam, RanksOfOneKernelShareItsClock) {
  MpiTeam team(MPI_COMM_WORLD);
  if (team.rank() == 0) {
    EXPECT_EQ(team.offsets_s(), std::vector<double>(static_cast<std::size_t>(team.size()), 0.0));
    EXPECT_EQ(team.offset_error_s(), 0.0);
  }
}

TEST(MpiTeam, NoRankLeavesADeadlineEarly) {
  MpiTeam team(MPI_COMM_WORLD);
  double deadline_s = team.now_s() + 2e-3;
  team.share(deadline_s);
  team.wait_until(deadline_s);
  EXPECT_GE(team.now_s(), deadline_s);
}

TEST(MpiTeam, ControlTrafficIsNotMistakenForTheApplications) {
  MpiTeam team(MPI_COMM_WORLD);
  const int next = (team.rank() + 1) % team.size();
  const int previous = (team.rank() + team.size() - 1) % team.size();
  int sent = team.rank();
  int received = -1;
  MPI_Request request = MPI_REQUEST_NULL;
  MPI_Irecv(&received, 1, MPI_INT, previous, MPI_ANY_TAG, MPI_COMM_WORLD, &request);
  double value = team.rank() == 0 ? 1.0 : 0.0;
  team.share(value);
  MPI_Send(&sent, 1, MPI_INT, next, 0, MPI_COMM_WORLD);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  EXPECT_EQ(received, previous);
  EXPECT_EQ(value, 1.0);
}

}  // namespace
}  // namespace stretto::exchange
