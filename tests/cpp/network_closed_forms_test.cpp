// SPDX-License-Identifier: BSD-3-Clause
// The FT equations by hand, in each of the paper's three regimes (its figures 20 to 22: N = P = 4), and the
// SPMV equations on both sides of eq. 13. Times are microseconds.
#include <gtest/gtest.h>

#include "network/closed_forms.hpp"

namespace stretto::network::closed_forms_test {
namespace {

constexpr double tolerance = 1e-9;
constexpr std::uint64_t size_bytes = 1000;

FtPieces pieces(double work_s, std::int64_t rows = 4) {
  return {.pieces = rows, .ranks = 4, .size_bytes = size_bytes, .work_s = work_s};
}

LogGp loggp(double overhead_s, double queue_s, double wire_s) {
  return {.overhead_send_s = overhead_s, .gap_queue_s = queue_s, .gap_s_per_byte = wire_s / size_bytes};
}

TEST(FtEquations, WithMoreComputationTransfersAreHidden) {
  // (10 + 1) * 3 + 10 = 43 of which 40 compute; the wire is done after 10 + 3 + 3 * 5 = 28
  const FtTimes found = ft_times(pieces(10), loggp(1, 3, 5));
  EXPECT_NEAR(found.total_s, 43, tolerance);
  EXPECT_NEAR(found.work_s, 40, tolerance);
  EXPECT_NEAR(found.init_s, 3, tolerance);
  EXPECT_NEAR(found.wait_s, 0, tolerance);
}

TEST(FtEquations, WithMoreTransferTimeTheRestIsExposed) {
  // the first message leaves after 10 + 3, then 3 * 20 on the wire; compute and start were done at 43
  const FtTimes found = ft_times(pieces(10), loggp(1, 3, 20));
  EXPECT_NEAR(found.total_s, 73, tolerance);
  EXPECT_NEAR(found.work_s, 40, tolerance);
  EXPECT_NEAR(found.init_s, 3, tolerance);
  EXPECT_NEAR(found.wait_s, 30, tolerance);
}

TEST(FtEquations, InitiationAboveComputationWaitsForTheQueue) {
  // T + o = 2 < g = 5: 1 + 1, then two more starts 5 apart, then the last row: 13; wire 1 + 5 + 3 * 10 = 36
  const FtTimes found = ft_times(pieces(1), loggp(1, 5, 10));
  EXPECT_NEAR(found.init_s, 13 - 4, tolerance);
  EXPECT_NEAR(found.total_s, 36, tolerance);
  EXPECT_NEAR(found.wait_s, 23, tolerance);
}

TEST(FtEquations, RunsBoundByInitiationHaveNoNegativeWait) {
  // eq. 8 with eq. 7 as printed would wait 0 + 5 + 3 * 2 - 15 < 0
  const FtTimes found = ft_times(pieces(0), loggp(1, 7, 2));
  EXPECT_NEAR(found.total_s, 1 + 7 + 7, tolerance);
  EXPECT_EQ(found.wait_s, 0);
}

TEST(FtEquations, RoundsWaitForTheQueueWhereEquation6DoesNot) {
  // two rounds of three messages without computation: 5 gaps of 7 and one overhead; eq. 6: 2 (1 + 7 + 7)
  const LogGp network = loggp(1, 7, 2);
  EXPECT_NEAR(ft_initiation_s(pieces(0, 8), network), 5 * 7 + 1, tolerance);
  EXPECT_NEAR(ft_initiation_eq6_s(pieces(0, 8), network), 30, tolerance);
  const FtPieces computing = pieces(4, 8);  // 2 T + o >= g: the same
  EXPECT_NEAR(ft_initiation_s(computing, network), ft_initiation_eq6_s(computing, network), tolerance);
}

double gathered_s(double work_s, double overhead_s) {
  const LogGp network{
      .latency_s = 2, .overhead_send_s = overhead_s, .gap_queue_s = 3, .gap_s_per_byte = 0.01};
  return spmv_total_s({.ranks = 4, .size_bytes = size_bytes, .work_s = work_s}, network);
}

TEST(SpmvEquations, WithMoreComputationOnlyOverheadsAreExposed) {
  // eq. 10: (1 + 20) * 3 + 20 = 83; eq. 11-12: (1 + 4 + 10) + (3 + 4 + 10) * 2 + 20 = 69
  EXPECT_NEAR(gathered_s(20, 1), 83, tolerance);
}

TEST(SpmvEquations, WithMoreCommunicationGetsAreSerialised) {
  // eq. 10: (1 + 2) * 3 + 2 = 11; eq. 11-12: (1 + 4 + 10) + (3 + 4 + 10) * 2 + 2 = 51
  EXPECT_NEAR(gathered_s(2, 1), 51, tolerance);
}

TEST(SpmvEquations, AnOverheadAboveTheQueuesGapReplacesIt) {
  // (5 + 4 + 10) + (5 + 4 + 10) * 2 + 2
  EXPECT_NEAR(gathered_s(2, 5), 59, tolerance);
}

}  // namespace
}  // namespace stretto::network::closed_forms_test
