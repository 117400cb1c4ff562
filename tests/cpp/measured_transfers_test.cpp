// SPDX-License-Identifier: BSD-3-Clause
// A measured time curve as costs of messages: what was measured comes out again.
#include "network/measured_transfers.hpp"

#include <gtest/gtest.h>

namespace stretto::network::measured_test {
namespace {

/// One message alone.
double alone_s(const NetworkRange& range, double latencies = 1) {
  const LogGp& loggp = range.loggp;
  return loggp.overhead_send_s + latencies * loggp.latency_s + loggp.wire_s(range.from_bytes) +
         loggp.overhead_receive_s;
}

/// The time per message of a stream that neither processor holds up.
double streamed_s(const NetworkRange& range) {
  return range.loggp.wire_s(range.from_bytes) + range.loggp.gap_s;
}

const std::vector<MeasuredTransfer> convex{{.size_bytes = 8, .time_s = 10},
                                           {.size_bytes = 1000, .time_s = 11},
                                           {.size_bytes = 1000000, .time_s = 3000}};

TEST(MeasuredTransfers, TimesComeBackAtTheirSizes) {
  const auto ranges = measured_ranges(convex, {});
  ASSERT_EQ(ranges.size(), 3U);
  for (std::size_t i = 0; i < ranges.size(); ++i) {
    EXPECT_TRUE(ranges[i].measured);
    EXPECT_EQ(ranges[i].from_bytes, convex[i].size_bytes);
    EXPECT_NEAR(alone_s(ranges[i]), *convex[i].time_s, 1e-9);
    EXPECT_NEAR(ranges[i].loggp.latency_s, 10, 0.01) << "that of small messages, never negative";
  }
}

TEST(MeasuredTransfers, APutHasTwoLatenciesInItsTime) {
  for (const NetworkRange& range : measured_ranges(convex, {.one_sided = true})) {
    EXPECT_NEAR(range.loggp.latency_s, 5, 0.01);
  }
}

TEST(MeasuredTransfers, AStreamTakesWhatItTook) {
  auto transfers = convex;
  transfers[0].stream_s = 2;
  transfers[2].stream_s = 2500;
  const auto ranges = measured_ranges(transfers, {});
  EXPECT_NEAR(streamed_s(ranges[0]), 2, 1e-9);
  EXPECT_NEAR(streamed_s(ranges[2]), 2500, 1e-9);
  EXPECT_NEAR(streamed_s(ranges[1]), 2 + 2498 * 992.0 / 999992, 1e-9) << "linear between measured sizes";
  EXPECT_NEAR(alone_s(ranges[2]), 3000, 1e-9);
}

TEST(MeasuredTransfers, CopiesOfTheProcessorsAreTheirOverheads) {
  auto transfers = convex;
  transfers[0].overhead_send_s = transfers[0].receive_s = 1;
  transfers[2].overhead_send_s = 1400;
  transfers[2].receive_s = 1590;
  const auto by_size = measured_ranges(transfers, {});
  EXPECT_EQ(by_size[0].loggp.overhead_send_s, 1);
  EXPECT_EQ(by_size[2].loggp.overhead_send_s, 1400);
  EXPECT_EQ(by_size[2].loggp.overhead_receive_s, 1590);
  EXPECT_NEAR(alone_s(by_size[2]), 3000, 1e-9);
  const auto constant = measured_ranges(transfers, {.overlap_known = true});
  EXPECT_EQ(constant[2].loggp.overhead_send_s, 1) << "eta says what of the bytes' time needs a processor";
  EXPECT_EQ(constant[2].loggp.overhead_receive_s, 1);
  EXPECT_NEAR(alone_s(constant[2]), 3000, 1e-9);
}

TEST(MeasuredTransfers, OverheadsNeverExceedTheTime) {
  auto transfers = convex;
  for (MeasuredTransfer& one : transfers) one.overhead_send_s = one.receive_s = 8;
  for (const NetworkRange& range : measured_ranges(transfers, {})) {
    EXPECT_GE(range.loggp.overhead_receive_s, 0);
    EXPECT_GE(range.loggp.latency_s, 0);
  }
  EXPECT_NEAR(alone_s(measured_ranges(transfers, {})[0]), 10, 1e-9);
}

TEST(MeasuredTransfers, AHandshakeThatTheReplayDoesIsNotCountedTwice) {
  const auto ranges = measured_ranges(convex, {.eager_bytes = 1000});
  EXPECT_NEAR(alone_s(ranges[1]), 11, 1e-9);
  EXPECT_NEAR(ranges[2].loggp.latency_s, 10, 0.01);
  EXPECT_NEAR(alone_s(ranges[2], 3), 3000, 1e-9) << "the request and its answer take two more";
}

TEST(MeasuredTransfers, OneSizeAloneIsAllLatencyOrAllBytes) {
  EXPECT_EQ(measured_ranges({{.size_bytes = 8, .time_s = 10}}, {})[0].loggp.latency_s, 10);
  const auto large = measured_ranges({{.size_bytes = 1 << 20, .time_s = 10}}, {});
  EXPECT_EQ(large[0].loggp.latency_s, 0);
  EXPECT_NEAR(alone_s(large[0]), 10, 1e-12);
}

TEST(MeasuredTransfers, AStreamStandsInWhereNothingElseWasTimed) {
  const auto ranges =
      measured_ranges({{.size_bytes = 8, .stream_s = 1}, {.size_bytes = 1001, .stream_s = 5}}, {});
  ASSERT_EQ(ranges.size(), 2U);
  EXPECT_NEAR(streamed_s(ranges[1]), 5, 1e-9);
  EXPECT_NEAR(alone_s(ranges[1]), 5, 1e-9);
  EXPECT_TRUE(measured_ranges({{.size_bytes = 8, .overhead_send_s = 1}}, {}).empty())
      << "an overhead is no time";
}

}  // namespace
}  // namespace stretto::network::measured_test
