// SPDX-License-Identifier: BSD-3-Clause
// Where a moment of a computation lies when work is done in the order of the arrivals that it depends on.
#include "memory/computation.hpp"

#include <gtest/gtest.h>

#include <utility>

namespace stretto::memory {
namespace {

/// From 1000 on: 100 of work on arrival 5, 700 independent work, 200 on arrival 5.
Computation boundary_first_and_last() {
  Computation computation(1000);
  computation.add(1100, 0, 100);
  computation.add(1800, 700, 0);
  computation.add(2000, 0, 200);
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
  computation.add(100, 0, 100);
  computation.add(200, 0, 100);
  computation.end(200, 0, {{3, 50.0}, {4, 150.0}});
  EXPECT_EQ(computation.reordered(0, 3), 0U);
  EXPECT_EQ(computation.reordered(0, 4), 50U);
  EXPECT_EQ(computation.reordered(200, 4), 200U);
}

TEST(Computation, WorkMayBeCorrectedAfterItWasMeasured) {
  Computation computation(0);
  computation.add(400, 0, 400);
  computation.add(1000, 600, 0);
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
