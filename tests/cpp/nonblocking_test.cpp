// SPDX-License-Identifier: BSD-3-Clause
#include "probe/nonblocking.hpp"

#include <gtest/gtest.h>

#include <stretto/collective_form.hpp>

namespace stretto::probe {
namespace {

TEST(NeighbourGrid, EveryNeighbourHasTheRankAsItsOwnInTheOppositeDirection) {
  for (int ranks = 1; ranks <= 24; ++ranks) {
    const NeighbourGrid grid = NeighbourGrid::of(ranks);
    EXPECT_EQ(grid.rows * grid.columns, ranks);
    EXPECT_GE(grid.rows, grid.columns);
    for (int rank = 0; rank < ranks; ++rank) {
      const auto mine = grid.neighbours(rank);
      for (std::size_t direction = 0; direction < mine.size(); ++direction) {
        if (mine[direction] < 0) continue;
        EXPECT_EQ(grid.neighbours(mine[direction])[NeighbourGrid::opposite(direction)], rank);
      }
    }
  }
}

TEST(NeighbourGrid, IsAsSquareAsTheRanksAllow) {
  EXPECT_EQ(to_string(NeighbourGrid::of(12)), "4x3");
  EXPECT_EQ(to_string(NeighbourGrid::of(7)), "7x1");
  EXPECT_EQ(to_string(NeighbourGrid::of(9)), "3x3");
  EXPECT_EQ(NeighbourGrid::of(9).neighbours(4), (std::array<int, 4>{1, 7, 3, 5}));
  EXPECT_EQ(NeighbourGrid::of(9).neighbours(0), (std::array<int, 4>{-1, 3, -1, 1}));
}

TEST(NonblockingOperation, HasTheNamesOfTheCollectiveOperations) {
  for (const collective::Operation operation : collective::all_operations) {
    EXPECT_EQ(to_string(static_cast<NonblockingOperation>(operation)), to_string(operation));
  }
  EXPECT_EQ(to_string(NonblockingOperation::neighbor_alltoall), "neighbor-alltoall");
}

}  // namespace
}  // namespace stretto::probe
