// SPDX-License-Identifier: BSD-3-Clause
#include "progress/poll_policy.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "progress/activity.hpp"

namespace stretto::progress {
namespace {

using std::chrono::milliseconds;
using std::chrono::nanoseconds;

constexpr nanoseconds interval = milliseconds{1};
constexpr auto message = Activity::Kind::message;
constexpr auto steps = Activity::Kind::steps;

TEST(PollPolicy, PollsOncePerIntervalWhileRequestsAreOutstanding) {
  PollPolicy policy(interval);
  for (int round = 0; round < 20; ++round) {
    const Step step = policy.next({.outstanding = true, .starts = 1});
    EXPECT_TRUE(step.poll);
    EXPECT_EQ(step.sleep.rest + step.sleep.listen, interval);
    EXPECT_FALSE(step.until_start);
  }
}

TEST(PollPolicy, DoesNotPollWhileTheApplicationIsInsideMpi) {
  PollPolicy policy(interval);
  for (int round = 0; round < 20; ++round) {
    const Step step = policy.next({.traffic = true, .inside = true, .outstanding = true, .starts = round});
    EXPECT_FALSE(step.poll);
    EXPECT_GE(step.sleep.rest, interval) << "traffic must not wake it: the call sees that traffic itself";
    EXPECT_LE(step.sleep.rest + step.sleep.listen, 2 * interval) << "computation may begin at any time";
  }
}

TEST(PollPolicy, TheFirstSleepsAfterTrafficAreShortForHandshakes) {
  PollPolicy policy(interval);
  const Observation traffic{.traffic = true, .outstanding = true, .starts = 1};
  EXPECT_EQ(policy.next(traffic).sleep.rest, interval / 4);
  EXPECT_EQ(policy.next(traffic).sleep.rest, interval / 2);
  EXPECT_EQ(policy.next(traffic).sleep.rest, interval);
  EXPECT_EQ(policy.next(traffic).sleep.rest, interval) << "a message of any size may be next";
  ASSERT_TRUE(policy.next({.outstanding = true, .starts = 1}).poll);
  EXPECT_EQ(policy.next(traffic).sleep.rest, interval / 4) << "silence ends the backoff";
}

constexpr std::int64_t mebibyte = 1 << 20;

/// The rest after so many wakes that were all like this one.
nanoseconds rest_after(PollPolicy& policy, int wakes, const Observation& seen) {
  Step step;
  for (int i = 0; i < wakes; ++i) step = policy.next(seen);
  return step.sleep.rest;
}

TEST(PollPolicy, BulkOfMessagesIsPolledEveryEightIntervals) {
  PollPolicy policy(interval);
  const Observation bulk{.traffic = true, .outstanding = true, .buffered = {.unread = {mebibyte, 0.1}}};
  EXPECT_EQ(rest_after(policy, 12, bulk), 8 * interval);
  const Observation small{.traffic = true, .outstanding = true, .buffered = {.unread = {1000, 0.1}}};
  EXPECT_EQ(policy.next(small).sleep.rest, interval) << "an answer may be among small messages";
}

TEST(PollPolicy, BulkOfStepsOrForAWindowIsPolledEveryFourIntervals) {
  Observation bulk{.traffic = true, .outstanding = true, .buffered = {.unread = {mebibyte, 0.1}}};
  bulk.steps = true;
  PollPolicy of_steps(interval);
  EXPECT_EQ(rest_after(of_steps, 12, bulk), 4 * interval) << "the next step waits";
  bulk.steps = false;
  bulk.windows = true;
  PollPolicy of_windows(interval);
  EXPECT_EQ(rest_after(of_windows, 12, bulk), 4 * interval) << "another rank waits";
}

TEST(PollPolicy, ASenderOfDataThatIsUnderWayIsPolledEveryFourIntervals) {
  PollPolicy policy(interval);
  const Observation sending{.outstanding = true, .sending = true, .starts = 1};
  const Observation sent{.outstanding = true, .starts = 1};
  EXPECT_EQ(policy.next(sending).sleep.listen, 4 * interval) << "traffic ends the wait";
  EXPECT_EQ(policy.next(sent).sleep.listen, interval);
  for (int round = 0; round < 4; ++round) (void)policy.next(sent);
  EXPECT_EQ(policy.next(sent).sleep.listen, 4 * interval) << "its requests move over connections";
}

TEST(PollPolicy, OnePacketIsBulk) {
  constexpr std::int64_t max_of_a_packet = 65'160;  // 45 segments of Ethernet, as the kernel joins them
  PollPolicy policy(interval);
  const Observation packet{
      .traffic = true, .outstanding = true, .buffered = {.unread = {max_of_a_packet, 0.02}}};
  EXPECT_GT(rest_after(policy, 12, packet), interval);
}

TEST(PollPolicy, BulkThatFillsTheReceiveBufferIsPolledMoreOften) {
  PollPolicy policy(interval);
  const Observation fast{.traffic = true, .outstanding = true, .buffered = {.unread = {mebibyte, 0.9}}};
  EXPECT_EQ(rest_after(policy, 5, fast), interval / 4);
}

TEST(PollPolicy, BulkThatEmptiesAFullSendBufferIsPolledMoreOften) {
  PollPolicy policy(interval);
  Observation sending{.traffic = true, .outstanding = true, .buffered = {.unsent = {mebibyte, 0.2}}};
  sending.left_unsent = 0.9;
  EXPECT_EQ(rest_after(policy, 5, sending), interval / 4);
  sending.left_unsent = 0.4;
  EXPECT_EQ(rest_after(policy, 12, sending), 8 * interval) << "the rank had no more to send";
}

TEST(PollPolicy, SilenceAfterTrafficIsPolledLessOften) {
  PollPolicy policy(interval);
  const Observation silent{.outstanding = true, .starts = 1};
  for (int round = 0; round < 20; ++round) {
    EXPECT_EQ(policy.next(silent).sleep.listen, interval) << "this network may have no traffic that is seen";
  }
  (void)policy.next({.traffic = true, .outstanding = true, .starts = 1});
  for (int round = 0; round < 3; ++round) EXPECT_EQ(policy.next(silent).sleep.listen, interval);
  EXPECT_EQ(policy.next(silent).sleep.listen, 4 * interval);
  EXPECT_EQ(policy.next({.outstanding = true, .starts = 2}).sleep.listen, interval) << "of a new request";
}

TEST(PollPolicy, SleepsUntilSomethingStartsAfterAWhileWithoutRequests) {
  PollPolicy policy(interval);
  nanoseconds before{0};
  int rounds = 0;
  Step step;
  for (; rounds < 20 && !step.until_start; ++rounds) {
    step = policy.next({.starts = 5});
    EXPECT_FALSE(step.poll);
    EXPECT_GE(step.sleep.listen, before);
    before = step.sleep.listen;
  }
  EXPECT_LE(rounds, 10);
  EXPECT_GE(step.sleep.listen, 50 * interval);
  EXPECT_TRUE(policy.next({.starts = 5}).until_start) << "it goes on sleeping";
  EXPECT_FALSE(policy.next({.starts = 6}).until_start) << "a request has started and completed";
}

TEST(PollPolicy, TrafficWithoutRequestsIsPolledButNotFollowed) {
  PollPolicy policy(interval);
  const Step step = policy.next({.traffic = true, .buffered = {.unread = {mebibyte, 0.1}}});
  EXPECT_TRUE(step.poll) << "eager messages fill the other side's buffers";
  EXPECT_EQ(step.sleep.rest, interval);
}

TEST(PollPolicy, ShortMessagesArePolledRarely) {
  PollPolicy policy(interval);
  const Observation short_only{.short_only = true};
  nanoseconds before{0};
  for (int round = 0; round < 10; ++round) {
    const Step step = policy.next(short_only);
    EXPECT_TRUE(step.poll) << "a buffer may be full";
    EXPECT_EQ(step.sleep.rest, std::clamp(2 * before, interval, 16 * interval));
    EXPECT_EQ(step.sleep.listen.count(), 0) << "each message would wake the thread";
    EXPECT_TRUE(step.until_start) << "a request that needs progress may be next";
    before = step.sleep.rest;
  }
  EXPECT_FALSE(policy.next({.inside = true, .short_only = true}).poll);
  ASSERT_EQ(policy.next({.outstanding = true, .starts = 1}).sleep.listen, interval);
  EXPECT_EQ(policy.next(short_only).sleep.rest, interval) << "the program sends other messages, too";
}

TEST(PollPolicy, ShortMessagesThatComeWithoutRequestsAreLeftToTheProgram) {
  PollPolicy policy(interval);
  const Observation seen{.traffic = true, .buffered = {.unread = {1000, 0.1}}};
  for (int round = 0; round < 5; ++round) {
    const Step step = policy.next(seen);
    EXPECT_FALSE(step.poll);
    EXPECT_TRUE(step.until_start);
  }
  EXPECT_EQ(policy.next(seen).sleep.rest, 16 * interval);
  const Observation more{.traffic = true, .buffered = {.unread = {mebibyte, 0.1}}};
  EXPECT_TRUE(policy.next(more).poll);
}

TEST(PollPolicy, CallsWithoutRequestsAreAsIdleAsNoCalls) {
  PollPolicy policy(interval);
  Step step;
  for (int round = 0; round < 20; ++round) {
    step = policy.next({.traffic = true, .inside = true});
    EXPECT_FALSE(step.poll) << "a blocking call reads its own traffic";
  }
  EXPECT_GE(step.sleep.rest, 50 * interval) << "each of its messages would wake the thread";
  EXPECT_TRUE(step.until_start) << "a request may be the next call";
}

TEST(PollPolicy, AnApplicationThatTestsItsRequestsNeedsNoPolls) {
  PollPolicy policy(interval);
  (void)policy.next({.outstanding = true});
  for (int round = 1; round < 20; ++round) {
    EXPECT_FALSE(policy.next({.outstanding = true, .tests = round}).poll);
  }
  EXPECT_TRUE(policy.next({.outstanding = true, .tests = 19}).poll) << "it has stopped testing";
}

TEST(PollPolicy, OpenWindowsArePolledAndSlowerInSilence) {
  PollPolicy policy(interval);
  const Observation open{.windows = true};
  EXPECT_EQ(policy.next(open).sleep.listen, interval);
  for (int round = 0; round < 4; ++round) EXPECT_TRUE(policy.next(open).poll);
  EXPECT_EQ(policy.next(open).sleep.listen, 4 * interval);
  const Step busy = policy.next({.traffic = true, .windows = true});
  EXPECT_TRUE(busy.poll);
  EXPECT_EQ(busy.sleep.listen, interval);
}

TEST(Activity, CountsOutstandingRequests) {
  Activity activity;
  activity.started(message, 3, Activity::any_size);
  activity.completed(2);
  EXPECT_TRUE(activity.outstanding());
  activity.completed(1);
  EXPECT_FALSE(activity.outstanding());
  EXPECT_EQ(activity.starts(), 3);
}

constexpr std::int64_t kibibyte = 1 << 10;

TEST(Activity, ShortMessagesNeedNoProgress) {
  Activity activity;
  activity.started(message, 4, 16 * kibibyte);
  EXPECT_TRUE(activity.outstanding());
  EXPECT_FALSE(activity.needs_progress());
  activity.started(message, 1, 64 * kibibyte);
  EXPECT_TRUE(activity.needs_progress());
  activity.completed(4);
  EXPECT_TRUE(activity.needs_progress()) << "which of them are complete is not known";
  activity.completed(1);
  EXPECT_FALSE(activity.needs_progress());
  activity.started(message, 1, 8);
  EXPECT_FALSE(activity.needs_progress());
  EXPECT_EQ(activity.starts(), 6);
  EXPECT_EQ(activity.long_starts(), 1);
}

TEST(Activity, ManyShortMessagesNeedProgress) {
  Activity activity;
  activity.started(message, 1, 8);
  activity.completed(1);
  activity.started(message, 15, 16 * kibibyte);
  EXPECT_FALSE(activity.needs_progress());
  activity.started(message, 1, 16 * kibibyte);
  EXPECT_TRUE(activity.needs_progress()) << "more than the buffers may take";
}

TEST(Activity, PersistentRequestsCountAsTheLargest) {
  Activity activity;
  activity.prepared(message, kibibyte);
  activity.restarted(2);
  EXPECT_FALSE(activity.needs_progress());
  activity.completed(2);
  activity.prepared(message, 64 * kibibyte);
  activity.prepared(message, kibibyte);
  activity.restarted(1);
  EXPECT_TRUE(activity.needs_progress());
}

TEST(Activity, KnowsWhetherARequestHasSteps) {
  Activity activity;
  activity.started(message, 1, Activity::any_size);
  EXPECT_FALSE(activity.has_steps());
  activity.started(steps, 1, 8);
  EXPECT_FALSE(activity.has_steps()) << "it needs no progress";
  activity.started(steps, 1, Activity::any_size);
  activity.completed(2);
  EXPECT_TRUE(activity.has_steps()) << "which of them are complete is not known";
  activity.completed(1);
  activity.started(message, 1, Activity::any_size);
  EXPECT_FALSE(activity.has_steps());
}

TEST(Activity, PersistentRequestsHaveStepsIfAnyHas) {
  Activity activity;
  activity.prepared(message, Activity::any_size);
  activity.restarted(1);
  EXPECT_FALSE(activity.has_steps());
  activity.completed(1);
  activity.prepared(steps, 8);
  activity.restarted(1);
  EXPECT_TRUE(activity.has_steps());
}

TEST(Activity, AnUnderestimatedCountIsCorrectedAtTheNextStart) {
  Activity activity;
  activity.started(message, 1, Activity::any_size);
  activity.completed(1);
  activity.completed(4);  // a wait for an inactive persistent request
  activity.started(message, 1, Activity::any_size);
  EXPECT_TRUE(activity.outstanding());
  activity.completed(1);
  EXPECT_FALSE(activity.outstanding());
}

TEST(Activity, AStartWakesASleepingPollerOnce) {
  Activity activity;
  int wakes = 0;
  activity.on_wake([](void* count) { ++*static_cast<int*>(count); }, &wakes);
  activity.started(message, 1, Activity::any_size);
  EXPECT_EQ(wakes, 0);
  activity.set_asleep(true);
  activity.started(message, 1, 8);
  EXPECT_EQ(wakes, 0) << "a short message needs no progress";
  activity.started(message, 1, Activity::any_size);
  activity.started(message, 1, Activity::any_size);
  EXPECT_EQ(wakes, 1);
  activity.set_asleep(true);
  activity.window_opened();
  EXPECT_EQ(wakes, 2);
}

TEST(Activity, CountsHowOftenRequestsBegin) {
  Activity activity;
  activity.started(message, 2, Activity::any_size);
  activity.started(message, 1, Activity::any_size);
  EXPECT_EQ(activity.cycles(), 1) << "requests that are started together are one cycle";
  activity.completed(3);
  activity.started(message, 1, Activity::any_size);
  EXPECT_EQ(activity.cycles(), 2);
}

TEST(Activity, OneCallerAtATimeIsCountedAlike) {
  Activity activity;
  activity.set_concurrent(false);
  activity.started(message, 3, Activity::any_size);
  activity.completed(2);
  EXPECT_TRUE(activity.outstanding());
  activity.completed(1);
  EXPECT_FALSE(activity.outstanding());
  activity.entered();
  EXPECT_TRUE(activity.inside());
  activity.left();
  EXPECT_FALSE(activity.inside());
  activity.tested();
  EXPECT_EQ(activity.tests(), 1);
}

TEST(Activity, CallsMayNestAndComeFromSeveralThreads) {
  Activity activity;
  activity.entered();
  activity.entered();
  activity.left();
  EXPECT_TRUE(activity.inside());
  activity.left();
  EXPECT_FALSE(activity.inside());
}

}  // namespace
}  // namespace stretto::progress
