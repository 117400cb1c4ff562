// SPDX-License-Identifier: BSD-3-Clause
// Blocks of consecutive ranks on nodes, which runtime functions distinguish.
#include "network/node_blocks.hpp"

#include <gtest/gtest.h>

#include <vector>

namespace stretto::network {
namespace {

int blocks(const std::vector<int>& nodes) { return ranks_of_blocks(nodes); }

TEST(NodeBlocks, HaveAsManyRanksOnEachNodeAndFewerOnTheLast) {
  EXPECT_EQ(blocks({7, 7, 3, 3, 5, 5}), 2);
  EXPECT_EQ(blocks({7, 7, 7, 3, 3, 3, 5}), 3);
  EXPECT_EQ(blocks({4, 5, 6}), 1);
  EXPECT_EQ(blocks({9, 9, 9}), 3);
  EXPECT_EQ(blocks({}), 0);
}

TEST(NodeBlocks, AreNoneWhereRanksLieOtherwise) {
  EXPECT_EQ(blocks({1, 2, 1, 2}), 0);     // one after the other
  EXPECT_EQ(blocks({1, 2, 2}), 0);        // more on the last
  EXPECT_EQ(blocks({1, 1, 2, 3, 3}), 0);  // fewer in between
  EXPECT_EQ(blocks({1, 1, 2, 2, 1}), 0);  // a node twice
}

}  // namespace
}  // namespace stretto::network
