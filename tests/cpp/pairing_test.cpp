// SPDX-License-Identifier: BSD-3-Clause
// All pairs of ranks meet once, in rounds in which each rank has one partner.
#include "tools/pairing.hpp"

#include <gtest/gtest.h>

#include <set>
#include <utility>

namespace stretto::tools {
namespace {

TEST(Pairing, MeetsEveryPairOnceInRoundsOfDisjointPairs) {
  for (int ranks = 1; ranks <= 33; ++ranks) {
    std::set<std::pair<int, int>> met;
    for (int round = 0; round < pairing_rounds(ranks); ++round) {
      for (int rank = 0; rank < ranks; ++rank) {
        const int partner = partner_of(rank, round, ranks);
        if (partner == -1) {
          EXPECT_EQ(ranks % 2, 1);
          continue;
        }
        ASSERT_TRUE(partner >= 0 && partner < ranks && partner != rank)
            << ranks << " " << round << " " << rank;
        EXPECT_EQ(partner_of(partner, round, ranks), rank);
        if (rank < partner) {
          EXPECT_TRUE(met.emplace(rank, partner).second);
        }
      }
    }
    EXPECT_EQ(met.size(), static_cast<std::size_t>(ranks * (ranks - 1) / 2));
  }
}

TEST(Pairing, NeedsAsManyRoundsAsThereAreRanks) {
  EXPECT_EQ(pairing_rounds(1), 0);
  EXPECT_EQ(pairing_rounds(2), 1);
  EXPECT_EQ(pairing_rounds(7), 7);
  EXPECT_EQ(pairing_rounds(1024), 1023);
}

}  // namespace
}  // namespace stretto::tools
