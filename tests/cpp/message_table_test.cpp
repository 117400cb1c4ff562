// SPDX-License-Identifier: BSD-3-Clause
// What is known of messages, in memory that does not grow with all that were sent.
#include "analysis/message_table.hpp"

#include <gtest/gtest.h>
#include <malloc.h>

namespace stretto::analysis {
namespace {

#if __GLIBC_PREREQ(2, 33)
// Quantum ESPRESSO's calls of ScaLAPACK number their messages by tags: 198 million calls had five million.
TEST(MessageTable, AChannelWithoutMessagesIsSmall) {
  constexpr std::int32_t tags = 20'000;
  constexpr std::size_t max_bytes = 400;  // with its place in the table
  MessageTable table;
  const std::size_t before = mallinfo2().uordblks;
  for (std::int32_t tag = 0; tag < tags; ++tag) {
    Channel& channel = table[{.source = 0, .target = 1, .communicator = 7, .tag = tag}];
    const MessageEnd sent{.channel = &channel, .number = channel.next_send(), .sends = true, .begin_s = 1};
    const MessageEnd received{.channel = &channel, .number = channel.next_receive()};
    table.send(sent, unknown_s);
    table.post(received, 2);
    EXPECT_EQ(received.message().sent_s, 1);
    sent.done();
    received.done();
  }
  const std::size_t after = mallinfo2().uordblks;
  if (after == 0) GTEST_SKIP() << "A SANITIZER'S ALLOCATOR does not count: the test in build/mpich does";
  EXPECT_LE((after - before) / tags, max_bytes);
}
#endif

TEST(MessageTable, MessagesStayInOrderWhileManyAreOpen) {
  MessageTable table;
  Channel& channel = table[{.source = 0, .target = 1, .communicator = 7, .tag = 3}];
  for (int i = 0; i < 100; ++i) {
    table.send({.channel = &channel, .number = channel.next_send(), .sends = true, .begin_s = 1.0 * i}, i);
    if (i % 3 > 0) continue;
    const MessageEnd received{.channel = &channel, .number = channel.next_receive()};
    table.post(received, 0.5);
    EXPECT_EQ(received.message().sent_s, static_cast<int>(received.number));
    received.message().sender_done = true;
    received.done();
  }
  EXPECT_EQ(channel[99].sent_s, 99);
}

/// Sends a message with this tag; receives it, too, unless it `stays`.
void send_with(MessageTable& table, std::int32_t tag, bool stays = false) {
  Channel& channel = table[{.source = 0, .target = 1, .communicator = 7, .tag = tag}];
  const MessageEnd sent{
      .channel = &channel, .number = channel.next_send(), .sends = true, .begin_s = 1.0 * tag};
  table.send(sent, unknown_s);
  sent.done();
  if (stays) return;
  const MessageEnd received{.channel = &channel, .number = channel.next_receive()};
  table.post(received, 2);
  EXPECT_EQ(received.message().sent_s, tag);
  received.done();
}

TEST(MessageTable, ChannelsThatAreNotUsedAgainAreForgotten) {
  MessageTable table;
  send_with(table, -1, true);
  for (std::int32_t tag = 0; tag < 100'000; ++tag) {
    send_with(table, tag % 4 == 0 ? 0 : tag);  // one of them all the time
    table.forget_idle(1000);
    ASSERT_LE(table.size(), 4000U);
  }
  const Channel& open = table[{.source = 0, .target = 1, .communicator = 7, .tag = -1}];
  EXPECT_EQ(open.sends(), 1U);
  EXPECT_EQ((table[{.source = 0, .target = 1, .communicator = 7, .tag = 0}].sends()), 25'000U);
}

TEST(MessageTable, ChannelsOfOtherProcessesKeepTheirNumbers) {
  const Division division({0, 1}, 0);
  MessageTable table(division);
  for (std::int32_t tag = 0; tag < 100; ++tag) {
    send_with(table, tag);
    table.forget_idle(0);
  }
  EXPECT_EQ(table.size(), 100U);
}

}  // namespace
}  // namespace stretto::analysis
