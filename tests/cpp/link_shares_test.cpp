// SPDX-License-Identifier: BSD-3-Clause
// Routes on a torus and through a switch, and the shares of messages on one link.
#include "network/link_shares.hpp"

#include <gtest/gtest.h>

#include <map>

namespace stretto::network {
namespace {

const Torus cube = {8, 8, 8};

std::size_t hops(const Torus& torus, int sender, int receiver) {
  return LinkShares(torus).add(0, sender, receiver).size();
}

/// Whether the links of a message are those between consecutive nodes of this list, from `sender` on.
bool goes_by(const Torus& torus, int sender, const std::vector<int>& nodes) {
  LinkShares links(torus);
  const std::vector<int> whole = links.add(0, sender, nodes.back());
  std::vector<int> stepwise;
  for (int number = 1; const int node : nodes) {
    const std::vector<int> step = links.add(number++, sender, node);
    stepwise.insert(stepwise.end(), step.begin(), step.end());
    sender = node;
  }
  return whole == stepwise;
}

TEST(LinkShares, RoutesGoTheShorterWayRoundOneDimensionAfterTheOther) {
  EXPECT_TRUE(goes_by(cube, 0, {1, 2}));
  EXPECT_TRUE(goes_by(cube, 1, {0, 8}));
  EXPECT_TRUE(goes_by(cube, 64 + 1, {64, 0}));
  EXPECT_TRUE(goes_by(cube, 0, {7, 63, 511}));
  EXPECT_TRUE(goes_by(cube, 0, {1, 2, 3, 4}));  // at half of the ring the route goes up
  EXPECT_TRUE(goes_by(cube, 5, {6, 7, 0, 1}));
  EXPECT_TRUE(goes_by(cube, 4, {3, 2, 1, 0}));  // from the middle it goes down
  EXPECT_EQ(hops(cube, 0, 7), 1U);
  EXPECT_EQ(hops(cube, 0, 511), 3U);
  EXPECT_EQ(hops({5}, 0, 3), 2U);
  EXPECT_EQ(hops(cube, 5, 5), 1U);  // a message to the same node has a separate link
  EXPECT_EQ(hops({}, 3, 5), 2U);
}

TEST(LinkShares, DirectionsAreSeparateLinks) {
  LinkShares ring({8});
  EXPECT_NE(ring.add(0, 0, 1), ring.add(1, 1, 0));
  LinkShares by_switch({});
  const std::vector<int> there = by_switch.add(0, 3, 5);
  const std::vector<int> also = by_switch.add(1, 3, 6);
  const std::vector<int> back = by_switch.add(2, 5, 3);
  EXPECT_EQ(there[0], also[0]);
  EXPECT_NE(there[1], also[1]);
  EXPECT_NE(there[1], back[0]);
}

TEST(LinkShares, AMessageOverMoreLinksCountsLess) {
  LinkShares ring({8});
  const std::vector<int> near = ring.add(0, 0, 1);
  ring.add(1, 0, 2);
  std::map<int, double> shares;
  for (const auto& [message, share] : ring.shares(near)) shares[message] = share;
  EXPECT_NEAR(shares[0], 2.0 / 3, 1e-12);
  EXPECT_NEAR(shares[1], 1.0 / 3, 1e-12);
  const auto left = ring.shares(ring.remove(0));
  ASSERT_EQ(left.size(), 1U);
  EXPECT_NEAR(left[0].second, 1, 1e-12);  // a single message has the whole rate of both links
}

TEST(LinkShares, UnusedCapacityGoesToOtherMessages) {
  LinkShares by_switch({});
  const std::vector<int> first = by_switch.add(0, 0, 9);
  by_switch.add(1, 1, 9);
  by_switch.add(2, 2, 9);
  by_switch.add(3, 2, 8);
  std::map<int, double> shares;
  for (const auto& [message, share] : by_switch.shares(first)) shares[message] = share;
  EXPECT_NEAR(shares[0], 1.0 / 3, 1e-12);
  EXPECT_NEAR(shares[2], 1.0 / 3, 1e-12);
  EXPECT_NEAR(shares[3], 2.0 / 3, 1e-12);
}

TEST(LinkShares, ReportsOnlyMessagesThatDependOnTheLinks) {
  LinkShares ring({8});
  const std::vector<int> one = ring.add(0, 0, 1);
  ring.add(1, 4, 5);
  EXPECT_EQ(ring.shares(one).size(), 1U);
}

}  // namespace
}  // namespace stretto::network
