// SPDX-License-Identifier: BSD-3-Clause
// The FT equations by hand, in each of the paper's three regimes (its figures 20 to 22: N = P = 4), and the
// SPMV equations on both sides of eq. 13. Times are microseconds.
#include <gtest/gtest.h>

#include <array>
#include <vector>

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

struct Row {
  double work_s;
  LogGp network;
  FtTimes expected;
};

TEST(FtEquations, GiveTheTimesOfEachRegime) {
  const std::vector<Row> rows{
      // (10 + 1) * 3 + 10 = 43 of which 40 compute; the wire is done after 10 + 3 + 3 * 5 = 28
      {10, loggp(1, 3, 5), {.total_s = 43, .work_s = 40, .init_s = 3, .wait_s = 0}},
      // the first message leaves after 10 + 3, then 3 * 20 on the wire; compute and start were done at 43
      {10, loggp(1, 3, 20), {.total_s = 73, .work_s = 40, .init_s = 3, .wait_s = 30}},
      // T + o = 2 < g = 5: 1 + 1, then two more starts 5 apart, then the last row: 13; wire 1 + 5 + 3 * 10
      {1, loggp(1, 5, 10), {.total_s = 36, .work_s = 4, .init_s = 13 - 4, .wait_s = 23}},
      // bound by initiation: eq. 8 with eq. 7 as printed would wait 0 + 5 + 3 * 2 - 15 < 0
      {0, loggp(1, 7, 2), {.total_s = 1 + 7 + 7, .work_s = 0, .init_s = 15, .wait_s = 0}}};
  for (const auto& [work_s, network, expected] : rows) {
    const FtTimes found = ft_times(pieces(work_s), network);
    EXPECT_NEAR(found.total_s, expected.total_s, tolerance);
    EXPECT_NEAR(found.work_s, expected.work_s, tolerance) << expected.total_s;
    EXPECT_NEAR(found.init_s, expected.init_s, tolerance) << expected.total_s;
    EXPECT_NEAR(found.wait_s, expected.wait_s, tolerance) << expected.total_s;
    if (expected.wait_s == 0) EXPECT_EQ(found.wait_s, 0) << expected.total_s;
  }
}

TEST(FtEquations, RoundsWaitForTheQueueWhereEquation6DoesNot) {
  // two rounds of three messages without computation: 5 gaps of 7 and one overhead; eq. 6: 2 (1 + 7 + 7)
  const LogGp network = loggp(1, 7, 2);
  EXPECT_NEAR(ft_initiation_s(pieces(0, 8), network), 5 * 7 + 1, tolerance);
  EXPECT_NEAR(ft_initiation_eq6_s(pieces(0, 8), network), 30, tolerance);
  const FtPieces computing = pieces(4, 8);  // 2 T + o >= g: the same
  EXPECT_NEAR(ft_initiation_s(computing, network), ft_initiation_eq6_s(computing, network), tolerance);
}

TEST(SpmvEquations, GiveTheTimesOnBothSidesOfEquation13) {
  const std::vector<std::array<double, 3>> rows{
      {20, 1, 83},  // eq. 10: (1 + 20) * 3 + 20; eq. 11-12: (1 + 4 + 10) + (3 + 4 + 10) * 2 + 20 = 69
      {2, 1, 51},   // eq. 10: (1 + 2) * 3 + 2 = 11; eq. 11-12: (1 + 4 + 10) + (3 + 4 + 10) * 2 + 2
      {2, 5, 59}};  // an overhead above the queue's gap: (5 + 4 + 10) + (5 + 4 + 10) * 2 + 2
  for (const auto& [work_s, overhead_s, total_s] : rows) {
    const LogGp network{
        .latency_s = 2, .overhead_send_s = overhead_s, .gap_queue_s = 3, .gap_s_per_byte = 0.01};
    EXPECT_NEAR(spmv_total_s({.ranks = 4, .size_bytes = size_bytes, .work_s = work_s}, network), total_s,
                tolerance);
  }
}

}  // namespace
}  // namespace stretto::network::closed_forms_test
