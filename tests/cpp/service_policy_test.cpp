// SPDX-License-Identifier: BSD-3-Clause
#include "progress/thread/service_policy.hpp"

#include <gtest/gtest.h>

namespace stretto::progress::service_policy_test {
namespace {

using namespace std::chrono_literals;

constexpr std::chrono::nanoseconds interval = 1ms;

TEST(ServicePolicy, WithoutTrafficItOnlyListens) {
  ServicePolicy policy(interval);
  const Sleep sleep = policy.next(WakeUp::timeout, {});
  EXPECT_EQ(sleep.rest, 0ns);
  EXPECT_EQ(sleep.listen, interval);
}

TEST(ServicePolicy, AfterTrafficItRestsLongerEachTime) {
  ServicePolicy policy(interval);
  const PollResult moved{.progressed = true};
  EXPECT_EQ(policy.next(WakeUp::traffic, moved).rest, interval / 4);
  EXPECT_EQ(policy.next(WakeUp::traffic, moved).rest, interval / 2);
  EXPECT_EQ(policy.next(WakeUp::traffic, moved).rest, interval);
  EXPECT_EQ(policy.next(WakeUp::traffic, moved).rest, interval);
  EXPECT_EQ(policy.next(WakeUp::timeout, {}).rest, 0ns);
  EXPECT_EQ(policy.next(WakeUp::traffic, moved).rest, interval / 4) << "silence ends the backoff";
}

TEST(ServicePolicy, BulkRestsUpToFourIntervals) {
  ServicePolicy policy(interval);
  std::chrono::nanoseconds rest{0};
  for (int round = 0; round < 10; ++round) {
    rest = policy.next(WakeUp::traffic, {.progressed = true, .bulk = true}).rest;
  }
  EXPECT_EQ(rest, 4 * interval);
}

TEST(ServicePolicy, UnservedRequestsArePolledOnceMoreSoon) {
  ServicePolicy policy(interval);
  const PollResult left{.progressed = true, .unserved = true};
  const Sleep again = policy.next(WakeUp::traffic, left);
  EXPECT_EQ(again.rest, interval / 16);
  EXPECT_EQ(again.listen, 0ns) << "it polls again whatever comes";
  EXPECT_EQ(policy.next(WakeUp::timeout, left).rest, interval / 4) << "what woke it was traffic";
  EXPECT_EQ(policy.next(WakeUp::timeout, {}).rest, 0ns);
}

TEST(ServicePolicy, ACallEndsALongBackoff) {
  ServicePolicy policy(interval);
  for (int round = 0; round < 10; ++round)
    (void)policy.next(WakeUp::traffic, {.progressed = true, .bulk = true});
  EXPECT_EQ(policy.next(WakeUp::call, {}).rest, interval / 4);
}

TEST(ServicePolicy, SilenceLengthensTheWaitWhereTrafficIsNotified) {
  ServicePolicy policy(interval);
  (void)policy.next(WakeUp::traffic, {.progressed = true});
  Sleep sleep;
  for (int round = 0; round < 4; ++round) sleep = policy.next(WakeUp::timeout, {});
  EXPECT_EQ(sleep.listen, 4 * interval);
}

}  // namespace
}  // namespace stretto::progress::service_policy_test
