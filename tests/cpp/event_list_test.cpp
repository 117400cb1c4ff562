// SPDX-License-Identifier: BSD-3-Clause
// A long list is in the order of time whatever the order in which it was made, also where it is merged of
// runs; and numbers of requests that no trace can have take no memory.
#include "replay/event_list.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <limits>

#include "replay/request_table.hpp"

namespace stretto::replay {
namespace {

TEST(EventList, OfSeveralRunsIsInTheOrderOfTimeAndThenAsItWasMade) {
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

TEST(RequestTable, KeepsWhatCanBeAndNothingElse) {
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
