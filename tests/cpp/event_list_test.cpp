// SPDX-License-Identifier: BSD-3-Clause
// A list of events is in the order of time, whatever the order in which they were added, also where it is
// merged from several runs. Request numbers that no trace can have take no memory.
#include "replay/event_list.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <limits>
#include <vector>

#include "replay/request_table.hpp"

namespace stretto::replay {
namespace {

TEST(EventList, MergesSeveralRunsInTheOrderOfTimeAndThenOfAdding) {
  constexpr std::uint64_t items = 3 * EventList::run_items + 5;
  const DataTimes times(0);
  EventList events(Level::independent, times);
  // Every time occurs about seven times, in all runs.
  for (std::uint64_t i = 0; i < items; ++i) {
    events.add({.ns = i * 0x9E3779B97F4A7C15U % (items / 7), .number = i});
  }
  std::uint64_t seen = 0;
  ListedEvent last;
  events.for_each_in_order([&](const ListedEvent& item) {
    if (seen++ > 0) {
      ASSERT_TRUE(last.ns < item.ns || (last.ns == item.ns && last.number < item.number)) << item.number;
    }
    last = item;
  });
  EXPECT_EQ(seen, items);
  events.for_each_in_order([](const ListedEvent&) { ADD_FAILURE() << "it is empty after that"; });
}

/// The parts of message 1 are stored, or first loaded, at 100 ns, 110 ns, ...; the last part comes first.
DataTimes times_of_parts(std::uint16_t kind) {
  DataTimes times(1);
  for (std::uint32_t part = 0; part < message_parts; ++part) {
    record::Record record;
    record.begin_and_call = record::pack_field(100 + 10 * (message_parts - 1 - part), kind);
    record.request = 1;
    record.count = part;
    record.tag = message_parts;
    times.add(record);
  }
  return times;
}

std::vector<std::uint64_t> times_ns(EventList& events) {
  std::vector<std::uint64_t> all;
  events.for_each_in_order([&](const ListedEvent& one) { all.push_back(one.ns); });
  return all;
}

TEST(EventList, ASendIsIssuedWhenItsDataIsProduced) {
  const DataTimes times = times_of_parts(record::produced);
  const auto issued_ns = [&](Level level, std::uint32_t part) {
    EventList events(level, times);
    events.issue(0, 1, part, {.kind = OperationKind::send, .peer = 1}, 500);
    return times_ns(events).at(0);
  };
  EXPECT_EQ(issued_ns(Level::independent, 0), 170U);
  EXPECT_EQ(issued_ns(Level::independent, 5), 170U) << "all of the message";
  EXPECT_EQ(issued_ns(Level::consumer, 5), 170U);
  EXPECT_EQ(issued_ns(Level::producer_consumer, 5), 120U) << "this part";
}

TEST(EventList, MessagesOfOneChannelKeepTheirOrder) {
  const DataTimes times(0);
  EventList events(Level::independent, times);
  const ScheduleOperation to_one{.kind = OperationKind::send, .peer = 1, .tag = 3};
  const ScheduleOperation to_two{.kind = OperationKind::send, .peer = 2, .tag = 3};
  events.issue(0, 1, 0, to_one, 500);
  events.issue(0, 2, 0, to_one, 400);
  events.issue(0, 3, 0, to_two, 400);
  EXPECT_EQ(times_ns(events), (std::vector<std::uint64_t>{400, 500, 500}));
}

TEST(EventList, AReceiverWaitsWhereItNeedsTheDataAndNotBeforeItsCall) {
  const DataTimes times = times_of_parts(record::consumed);
  const auto waited_ns = [&](Level level, std::uint64_t call_ns) {
    EventList events(level, times);
    events.await(0, 1, false, call_ns);
    return times_ns(events);
  };
  EXPECT_EQ(waited_ns(Level::independent, 50), (std::vector<std::uint64_t>{100}));
  EXPECT_EQ(waited_ns(Level::independent, 150), (std::vector<std::uint64_t>{150}));
  EXPECT_EQ(waited_ns(Level::consumer, 145),
            (std::vector<std::uint64_t>{145, 145, 145, 145, 145, 150, 160, 170}));
}

TEST(ComputedTime, IsTheTimeOutsideOfCalls) {
  ComputedTime time;
  time.called(100, 110);
  time.called(150, 170);
  time.called(160, 165);  // within the call before, by another library
  EXPECT_EQ(time.until(50), 0U);
  EXPECT_EQ(time.until(105), 0U);
  EXPECT_EQ(time.until(130), 20U);
  EXPECT_EQ(time.until(155), 40U);
  EXPECT_EQ(time.until(168), 40U);
  EXPECT_EQ(time.until(180), 50U);
  EXPECT_EQ(time.last_call_ns(), 160U);
}

TEST(RequestTable, StoresOnlyPossibleNumbers) {
  RequestTable<int> table(1'000'000);
  EXPECT_EQ(table.find(1), nullptr);
  *table.slot(1) = 7;
  *table.slot(1'000'000) = 8;
  EXPECT_EQ(*table.find(1), 7);
  EXPECT_EQ(*table.find(2), 0);
  EXPECT_EQ(*table.find(1'000'000), 8);
  EXPECT_EQ(table.slot(1'000'001), nullptr);
  EXPECT_EQ(table.find(std::numeric_limits<std::uint64_t>::max()), nullptr);
}

}  // namespace
}  // namespace stretto::replay
