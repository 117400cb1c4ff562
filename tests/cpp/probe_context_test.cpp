// SPDX-License-Identifier: BSD-3-Clause
#include "probe/probe_context.hpp"

#include <gtest/gtest.h>

namespace stretto::probe {
namespace {

TEST(ProbeContext, PairingIsSymmetric) {
  for (int size = 2; size <= 9; ++size) {
    for (int rank = 0; rank < size; ++rank) {
      const Pairing own = pairing_of(rank, size);
      EXPECT_EQ(own.pairs, size / 2);
      if (size % 2 == 1 && rank == size - 1) {
        EXPECT_EQ(own.peer, -1);
        EXPECT_FALSE(own.origin || own.target);
        continue;
      }
      const Pairing other = pairing_of(own.peer, size);
      EXPECT_EQ(other.peer, rank);
      EXPECT_NE(own.origin, own.target);
      EXPECT_EQ(own.origin, other.target);
    }
  }
}

TEST(ProbeContext, OnlyTheFirstPairsTakePartWhereFewerAreAskedFor) {
  for (int rank = 0; rank < 8; ++rank) {
    const Pairing found = pairing_of(rank, 8, 2);
    EXPECT_EQ(found.pairs, 2);
    EXPECT_EQ(found.origin, rank < 2);
    EXPECT_EQ(found.target, rank == 4 || rank == 5);
    EXPECT_EQ(found.peer, rank < 2 ? rank + 4 : (rank == 4 || rank == 5) ? rank - 4 : -1);
  }
  EXPECT_EQ(pairing_of(0, 4, 9).pairs, 2);
}

TEST(ProbeContext, ACountLastsAtLeastItsDurationAndIsNeverZero) {
  WorkRates rates;
  rates.seconds_per_count = {2e-9, 1e-8, 3e-8};
  EXPECT_EQ(rates.count_for(measure::WorkKind::registers, 1e-6), 500U);
  EXPECT_EQ(rates.count_for(measure::WorkKind::stream, 1e-7), 4U);
  EXPECT_EQ(rates.count_for(measure::WorkKind::cache, 0), 1U);
}

}  // namespace
}  // namespace stretto::probe
