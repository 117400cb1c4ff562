// SPDX-License-Identifier: BSD-3-Clause
// The sleep times of a progress thread after traffic, and its waits for traffic.
#include "progress/thread/adaptive_backoff.hpp"

#include <gtest/gtest.h>

namespace stretto::progress {
namespace {

using namespace std::chrono_literals;

TEST(AdaptiveBackoff, GrowsFromAQuarterToOnePollInterval) {
  AdaptiveBackoff backoff(1ms);
  for (const auto expected : {250us, 500us, 1000us, 1000us})
    EXPECT_EQ(backoff.next(0.05, Traffic::small), expected);
  backoff.reset();
  EXPECT_EQ(backoff.next(0.05, Traffic::small), 250us);
}

TEST(AdaptiveBackoff, GrowsToFourPollIntervalsForBulkAndFallsToOneAfterIt) {
  AdaptiveBackoff backoff(1ms);
  for (const auto expected : {250us, 500us, 1000us, 1250us})
    EXPECT_EQ(backoff.next(0.2, Traffic::bulk), expected);
  for (int i = 0; i < 6; ++i) (void)backoff.next(0.2, Traffic::bulk);
  EXPECT_EQ(backoff.next(0.2, Traffic::bulk), 4000us);
  EXPECT_EQ(backoff.next(0.05, Traffic::small), 1000us);
}

TEST(AdaptiveBackoff, DoublesForMessagesToEightPollIntervals) {
  AdaptiveBackoff backoff(1ms);
  EXPECT_EQ(backoff.next(0.05, Traffic::small), 250us) << "the handshake";
  for (const auto expected : {1ms, 2ms, 4ms, 8ms, 8ms})
    EXPECT_EQ(backoff.next(0.2, Traffic::bulk_messages), expected);
  EXPECT_EQ(backoff.next(0.2, Traffic::bulk), 4ms);
  EXPECT_EQ(backoff.next(0.05, Traffic::small), 1ms);
}

TEST(AdaptiveBackoff, IsShorterThanAPollIntervalWhereMessagesFillTheBuffersSooner) {
  AdaptiveBackoff backoff(1ms);
  (void)backoff.next(0.05, Traffic::bulk_messages);
  for (const auto expected : {1000us, 500us, 250us, 250us})
    EXPECT_EQ(backoff.next(0.9, Traffic::bulk_messages), expected);
  EXPECT_EQ(backoff.next(0.4, Traffic::bulk_messages), 250us);
}

TEST(AdaptiveBackoff, IsHalvedWhereTheBuffersAreNearlyUsedUp) {
  AdaptiveBackoff backoff(1ms);
  for (int i = 0; i < 12; ++i) (void)backoff.next(0.2, Traffic::bulk);
  EXPECT_EQ(backoff.next(0.4, Traffic::bulk), 4000us) << "the same length again";
  for (const auto expected : {2000us, 1000us, 500us, 250us, 250us})
    EXPECT_EQ(backoff.next(0.9, Traffic::bulk), expected);
  EXPECT_EQ(backoff.next(0.4, Traffic::bulk), 250us);
}

TEST(AdaptiveBackoff, DoesNotGrowForAFewEmptyPolls) {
  AdaptiveBackoff backoff(1ms);
  (void)backoff.next(0.05, Traffic::small);
  for (int i = 0; i < 8; ++i) EXPECT_EQ(backoff.next_after_empty_poll(), 250us);
  for (const auto expected : {500us, 1000us, 1000us})
    EXPECT_EQ(backoff.next_after_empty_poll(), expected) << "traffic of other libraries";
  backoff.reset();
  EXPECT_EQ(backoff.next_after_empty_poll(), 250us);
  EXPECT_EQ(backoff.next(0.05, Traffic::small), 500us);
  EXPECT_EQ(backoff.next_after_empty_poll(), 250us) << "empty polls before this traffic do not count";
}

void poll_in_silence(IdlePolling& polling, int intervals) {
  for (int i = 0; i < intervals; ++i) polling.timed_out(false);
}

TEST(IdlePolling, IsLongAfterFourIntervalsWithoutTrafficWhereTheWatchReportsIt) {
  IdlePolling polling(1ms);
  polling.traffic_seen();
  poll_in_silence(polling, 3);
  EXPECT_EQ(polling.next(), 1ms);
  poll_in_silence(polling, 1);
  EXPECT_EQ(polling.next(), 4ms);
  polling.traffic_seen();
  EXPECT_EQ(polling.next(), 1ms);
}

TEST(IdlePolling, IsOneIntervalWhereTheWatchDoesNotReportTraffic) {
  IdlePolling polling(1ms);
  poll_in_silence(polling, 100);
  EXPECT_EQ(polling.next(), 1ms) << "the watch has reported nothing yet";
  polling.traffic_seen();
  polling.timed_out(true);
  poll_in_silence(polling, 100);
  EXPECT_EQ(polling.next(), 1ms) << "polls found as much as the watch reported";
  polling.traffic_seen();
  poll_in_silence(polling, 100);
  EXPECT_EQ(polling.next(), 4ms);
}

}  // namespace
}  // namespace stretto::progress
