// SPDX-License-Identifier: BSD-3-Clause
#include "analysis/cut_counts.hpp"

#include <gtest/gtest.h>

namespace stretto::analysis {
namespace {

constexpr Channel::Key channel{.source = 0, .target = 1, .communicator = 1, .tag = 5};

TEST(CutCounts, OfMessagesTheFirstOnesLackTheirOtherEnd) {
  CutCounts counts(2);
  Channel sends(channel);
  Channel receives(channel);
  for (int i = 0; i < 5; ++i) (void)sends.next_send();
  for (int i = 0; i < 3; ++i) (void)receives.next_receive();
  counts.add(sends);
  counts.add(receives);
  counts.finish();
  EXPECT_EQ(counts.lone(channel, true), 2) << "received before the cut, or posted";
  EXPECT_EQ(counts.lone(channel, false), 0);
}

TEST(CutCounts, OfAReceiveThatWasTakenBackThereIsNoMessage) {
  CutCounts counts(2);
  Channel both(channel);
  (void)both.next_send();
  (void)both.next_receive();
  (void)both.next_receive();
  both.take_back(1);
  counts.add(both);
  counts.finish();
  EXPECT_EQ(counts.lone(channel, false), 0);
}

TEST(CutCounts, AMessageThatWasSentAfterItsReceiveEndedTellsOfOneThatWasNeverReceived) {
  for (const bool all_received : {true, false}) {
    CutCounts counts(2);
    Channel sends(channel);
    Channel receives(channel);
    for (int i = 0; i < 3; ++i) (void)sends.next_send();
    for (int i = 0; i < (all_received ? 3 : 2); ++i) (void)receives.next_receive();
    counts.add(sends, {.sent_s = {3, 2, 1}, .received_s = {}});
    if (all_received) {
      counts.add(receives, {.sent_s = {}, .received_s = {3.5, 2.5, 1.5}});
    } else {
      counts.add(receives, {.sent_s = {}, .received_s = {2.5, 1.5}});
    }
    counts.finish();
    EXPECT_EQ(counts.unreceived().has_value(), !all_received);
  }
}

TEST(CutCounts, OperationsThatSomeHaveBegunBeforeAreAlone) {
  CutCounts counts(3);
  const Sequence sequence{1, 0};
  for (int i = 0; i < 4; ++i) counts.join(0, sequence, 2);
  for (int i = 0; i < 6; ++i) counts.join(2, sequence, 2);
  counts.join(1, {2, 0}, 2);  // the other member has begun it before
  counts.finish();
  EXPECT_EQ(counts.lone(0, sequence), 0);
  EXPECT_EQ(counts.lone(2, sequence), 2);
  EXPECT_EQ(counts.lone(1, {2, 0}), 1);
}

TEST(CutCounts, EpochsMeetInPairs) {
  CutCounts counts(2);
  counts.open({7, 0, 1}, true);
  counts.open({7, 0, 1}, false);
  counts.open({8, 0, 1}, true);
  counts.finish();
  EXPECT_EQ(counts.lone(EpochPair{7, 0, 1}, true), 0);
  EXPECT_EQ(counts.lone(EpochPair{8, 0, 1}, true), 1);
  EXPECT_EQ(counts.lone(EpochPair{8, 0, 1}, false), 0);
}

}  // namespace
}  // namespace stretto::analysis
