// SPDX-License-Identifier: BSD-3-Clause
// Where a moment of a computation lies when work is done in the order of the arrivals that it depends on.
#include "memory/computation.hpp"

#include <gtest/gtest.h>

namespace stretto::memory {
namespace {

/// From 1000 on: 100 of work on arrival 5, 700 independent work, 200 on arrival 5.
Computation boundary_first_and_last() {
  Computation computation(1000);
  computation.add(5, 1000, 1100, 100);
  computation.add(0, 1100, 1800, 700);
  computation.add(5, 1800, 2000, 200);
  computation.end(2000, 0, {{0, 700.0}, {5, 300.0}});
  return computation;
}

TEST(Computation, IndependentWorkComesFirst) {
  const Computation computation = boundary_first_and_last();
  EXPECT_TRUE(computation.is_divided());
  EXPECT_EQ(computation.reordered(1100, 0), 1000U);
  EXPECT_EQ(computation.reordered(1450, 0), 1350U);
  EXPECT_EQ(computation.reordered(1800, 0), 1700U);
}

TEST(Computation, DependentWorkKeepsItsOrderBehindIt) {
  const Computation computation = boundary_first_and_last();
  EXPECT_EQ(computation.reordered(1000, 5), 1700U);
  EXPECT_EQ(computation.reordered(1100, 5), 1800U);
  EXPECT_EQ(computation.reordered(1900, 5), 1900U);
  EXPECT_EQ(computation.reordered(2000, 5), 2000U);
}

TEST(Computation, OlderArrivalsComeBeforeNewerOnes) {
  Computation computation(0);
  computation.add(4, 0, 100, 100);
  computation.add(3, 100, 150, 50);
  computation.add(4, 150, 200, 50);
  computation.end(200, 0, {{3, 50.0}, {4, 150.0}});
  EXPECT_EQ(computation.reordered(100, 3), 0U);
  EXPECT_EQ(computation.reordered(125, 3), 25U);
  EXPECT_EQ(computation.reordered(0, 4), 50U);
  EXPECT_EQ(computation.reordered(100, 4), 150U);
  EXPECT_EQ(computation.reordered(150, 4), 150U);
  EXPECT_EQ(computation.reordered(200, 4), 200U);
}

TEST(Computation, ManyAlternationsKeepTheirOrder) {
  Computation computation(0);
  for (std::uint64_t turn = 0; turn < 1000; ++turn) {
    computation.add(0, 10 * turn, 10 * turn + 4, 4);
    computation.add(7, 10 * turn + 4, 10 * turn + 10, 6);
  }
  computation.end(10000, 0, {{0, 4000.0}, {7, 6000.0}});
  EXPECT_NEAR(static_cast<double>(computation.reordered(5000, 0)), 2000, 100);
  EXPECT_NEAR(static_cast<double>(computation.reordered(5000, 7)), 7000, 150);
}

TEST(Computation, LongWorkIsKnownAsWellAtItsBeginAsAtItsEnd) {
  Computation computation(0);
  for (std::uint64_t turn = 0; turn < 100'000; ++turn) computation.add(7, 10 * turn + 1, 10 * turn + 10, 10);
  computation.add(0, 1'000'000, 1'000'100, 100);
  computation.end(1'000'100, 0, {{0, 100.0}, {7, 1'000'000.0}});
  for (const std::uint64_t at : {100'000U, 500'000U, 900'000U}) {
    EXPECT_NEAR(static_cast<double>(computation.reordered(at, 7)), static_cast<double>(at), 15'000);
  }
}

TEST(Computation, WorkOnAnEpochThatTheBaseIncludesIsTheBases) {
  Computation computation(0);
  computation.add(3, 0, 100, 100);
  computation.add(6, 100, 200, 100);
  computation.end(200, 3, {{3, 100.0}, {6, 100.0}});
  EXPECT_EQ(computation.reordered(50, 1), 50U);
  EXPECT_EQ(computation.reordered(150, 6), 150U);
}

TEST(Computation, WorkMayBeCorrectedAfterItWasMeasured) {
  Computation computation(0);
  computation.add(2, 0, 400, 400);
  computation.add(0, 400, 1000, 600);
  computation.end(1000, 0, {{0, 900.0}, {2, 100.0}});
  EXPECT_EQ(computation.reordered(1000, 0), 900U);
  EXPECT_EQ(computation.reordered(400, 2), 1000U);
}

TEST(ComputationHistory, OtherMomentsStayWhereTheyAre) {
  ComputationHistory history;
  history.add(boundary_first_and_last());
  EXPECT_EQ(history.reordered(500, 5), 500U);
  EXPECT_EQ(history.reordered(2500, 5), 2500U);
  EXPECT_EQ(history.reordered(1100, 5), 1800U);
}

}  // namespace
}  // namespace stretto::memory
