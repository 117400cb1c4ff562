// SPDX-License-Identifier: BSD-3-Clause
// Parameters by size: of ranges, and between measured sizes.
#include "network/network_ranges.hpp"

#include <gtest/gtest.h>

#include <vector>

#include "network/network.hpp"

namespace stretto::network::ranges_test {
namespace {

const std::vector<NetworkRange> mixed{
    {.from_bytes = 0, .loggp = {.latency_s = 1, .gap_s_per_byte = 0.5}},
    {.from_bytes = 100, .loggp = {.latency_s = 3}},
    {.from_bytes = 201, .loggp = {.latency_s = 5, .gap_s_per_byte = 0.1}, .measured = true},
    {.from_bytes = 401, .loggp = {.latency_s = 9, .gap_s = 4, .gap_s_per_byte = 0.2}, .measured = true}};

TEST(NetworkRanges, ASizeHasTheParametersOfItsRange) {
  EXPECT_EQ(parameters_at(mixed, 0).latency_s, 1);
  EXPECT_EQ(parameters_at(mixed, 99).latency_s, 1);
  EXPECT_EQ(parameters_at(mixed, 100).latency_s, 3);
  EXPECT_EQ(parameters_at(mixed, 200).latency_s, 3) << "not interpolated towards a measured size";
  EXPECT_EQ(parameters_at(std::vector{mixed[3]}, 8).latency_s, 9) << "the first covers smaller sizes";
}

TEST(NetworkRanges, BetweenMeasuredSizesAllTimesAreLinear) {
  EXPECT_EQ(parameters_at(mixed, 201).latency_s, 5);
  const LogGp middle = parameters_at(mixed, 301);
  EXPECT_DOUBLE_EQ(middle.latency_s, 7);
  EXPECT_DOUBLE_EQ(middle.gap_s, 2);
  EXPECT_DOUBLE_EQ(middle.wire_s(301), (200 * 0.1 + 400 * 0.2) / 2);
  EXPECT_EQ(parameters_at(mixed, 401).latency_s, 9);
  EXPECT_DOUBLE_EQ(parameters_at(mixed, 1001).wire_s(1001), 200) << "as many seconds a byte as at the last";
}

TEST(NetworkRanges, TheTextOfANetworkGivesItBack) {
  Network network{.ranges = mixed, .eager_bytes = 4096, .buffer_bytes = 65536};
  const Network again = network_from(network_text(network));
  ASSERT_EQ(again.ranges.size(), mixed.size());
  EXPECT_EQ(again.eager_bytes, 4096U);
  EXPECT_EQ(again.buffer_bytes, 65536U);
  for (std::size_t i = 0; i < mixed.size(); ++i) {
    EXPECT_EQ(again.ranges[i].from_bytes, mixed[i].from_bytes);
    EXPECT_EQ(again.ranges[i].measured, mixed[i].measured);
    EXPECT_EQ(again.ranges[i].loggp.latency_s, mixed[i].loggp.latency_s);
    EXPECT_EQ(again.ranges[i].loggp.gap_s, mixed[i].loggp.gap_s);
    EXPECT_EQ(again.ranges[i].loggp.gap_s_per_byte, mixed[i].loggp.gap_s_per_byte);
  }
  EXPECT_GT(network_from(network_text(Network{})).eager_bytes, 1ULL << 60U) << "unlimited stays so";
}

}  // namespace
}  // namespace stretto::network::ranges_test
