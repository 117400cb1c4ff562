// SPDX-License-Identifier: BSD-3-Clause
// Work around a message's data, and the costs of messages.
#include "analysis/data_work.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "analysis/cost.hpp"

namespace stretto::analysis {
namespace {

DataWork work_of(const std::vector<PartTouched>& parts, double call_s, double phase_s, bool produces,
                 std::int64_t all_parts) {
  DataWork work;
  add_message(work, parts, call_s, phase_s, produces, all_parts);
  return work;
}

TEST(DataWork, BetweenPartsIsWhatNoPartCovers) {
  const auto gaps_s = [](const std::vector<PartTouched>& parts) {
    const DataWork work = work_of(parts, 100, 0, true, 8);
    EXPECT_EQ(work.untouched_parts, 8 - static_cast<std::int64_t>(parts.size()));
    return work.between_parts_s;
  };
  EXPECT_EQ(gaps_s({{0, 0, 10}, {1, 2, 3}, {2, 12, 13}}), 2);  // the second lies within the first
  EXPECT_EQ(gaps_s({{0, 0, 10}, {1, 10, 12}, {2, 11, 20}}), 0);
  EXPECT_EQ(gaps_s({{0, 20, 21}, {1, 0, 1}, {2, 5, 4}}), 3 + 15);  // in any order, either end first
  EXPECT_EQ(gaps_s({{0, 0, 10}}), 0);
}

TEST(DataWork, TheOrderOfParts) {
  const auto order = [](double a, double b, double c) {
    const DataWork work = work_of({{0, a, a}, {1, b, b}, {2, c, c}}, std::min({a, b, c}) - 10, 0, false, 3);
    EXPECT_DOUBLE_EQ(work.independent_s, 10);
    EXPECT_DOUBLE_EQ(work.dependent_s, std::max({a, b, c}) - std::min({a, b, c}));
    EXPECT_EQ(work.orders.begin()->second, 1U);
    return work.orders.begin()->first;
  };
  EXPECT_EQ(order(1, 2, 3), Order::in_order);
  EXPECT_EQ(order(3, 2, 1), Order::in_reverse_order);
  EXPECT_EQ(order(1, 3, 2), Order::in_mixed_order);
  EXPECT_EQ(order(2, 2, 2), Order::at_once);
  EXPECT_EQ(order(1, 1, 1.2), Order::at_once);  // within 2 % of the independent work
  EXPECT_EQ(order(1, 1, 1.3), Order::in_order);
}

TEST(DataWork, TwoPercentOfTheIndependentWorkIsAtOnceStill) {
  const DataWork work = work_of({{0, 50, 50}, {1, 51, 51}}, 0, 0, false, 2);
  EXPECT_EQ(work.independent_s, 50);
  EXPECT_EQ(work.dependent_s, 1);
  EXPECT_EQ(work.orders.begin()->first, Order::at_once);
}

TEST(DataWork, PartsTouchedBeyondTheCallLeaveNoIndependentWork) {
  const std::vector<PartTouched> parts = {{0, 5, 4}, {1, 9, 8}};
  const DataWork produced = work_of(parts, 7, 1, true, 2);
  const DataWork consumed = work_of(parts, 7, 1, false, 2);
  EXPECT_EQ(produced.independent_s, 0);
  EXPECT_EQ(consumed.independent_s, 0);
  EXPECT_EQ(produced.rearrangement_s, 3);  // first store at 4, the last call ended at 1
  EXPECT_EQ(consumed.rearrangement_s, 0);
}

TEST(DataWork, MessagesOfAPlaceAreSummedUp) {
  DataWork work = work_of({{0, 5, 4}, {1, 9, 8}}, 12, 1, true, 3);
  work.add(work_of({{0, 5, 4}, {1, 9, 8}}, 12, 1, true, 3));
  EXPECT_EQ(work.messages, 2U);
  EXPECT_EQ(work.independent_s, 6);
  EXPECT_EQ(work.dependent_s, 8);
  EXPECT_EQ(work.between_parts_s, 6);
  EXPECT_EQ(work.rearrangement_s, 6);
  EXPECT_EQ(work.untouched_parts, 2);
  EXPECT_EQ(work.orders.begin()->second, 2U);
}

TEST(ComputedTime, CallsDoNotCompute) {
  ComputedTime past;
  EXPECT_EQ(past.at(7), 0);
  past.add_call(10, 12);  // what lies before the first call is not known
  past.add_call(15, 20);
  past.add_call(26, 27);
  EXPECT_EQ(past.at(5), 0);
  EXPECT_EQ(past.at(11), 0);
  EXPECT_EQ(past.at(14), 2);
  EXPECT_EQ(past.at(19), 3);
  EXPECT_EQ(past.at(30), 3 + 6 + 3);
  EXPECT_EQ(past.call_before(25), 3);
  EXPECT_EQ(past.call_before(5), 0);
}

TEST(Cost, IsLatencyOverheadAndAGapAByteButOne) {
  const Cost cost{.latency_s = 2, .gap_s_per_byte = 0.5, .overhead_s = 0.25};
  EXPECT_EQ(cost.of(0), 2.25);
  EXPECT_EQ(cost.of(1), 2.25);
  EXPECT_EQ(cost.of(2), 2.75);
  EXPECT_EQ(cost.of(11), 7.25);
}

TEST(Cost, IsLinearBetweenMeasuredSizesAndBeyondThem) {
  const Cost cost{.latency_s = 9, .times = {{0, 1}, {10, 2}, {110, 12}}};
  EXPECT_EQ(cost.of(0), 1);
  EXPECT_EQ(cost.of(5), 1.5);
  EXPECT_EQ(cost.of(10), 2);
  EXPECT_EQ(cost.of(60), 7);
  EXPECT_EQ(cost.of(210), 22);
}

}  // namespace
}  // namespace stretto::analysis
