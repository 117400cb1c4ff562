// SPDX-License-Identifier: BSD-3-Clause
// The phases of an operation on a grid: their sizes, groups and order, and their total time.
#include "network/two_phase.hpp"

#include <gtest/gtest.h>

namespace stretto::network {
namespace {

const Grid three_by_five{.rows = 3, .columns = 5};

/// The sizes b of both phases of a call of 100 bytes, as in the table of docs/formats.md.
TEST(TwoPhase, PhasesHaveTheSizesOfSection2) {
  const auto sizes = [](Operation operation) {
    return std::pair{phase_bytes(operation, GridPhase::leader, three_by_five, 100),
                     phase_bytes(operation, GridPhase::concurrent, three_by_five, 100)};
  };
  for (const Operation same : {Operation::broadcast, Operation::reduce, Operation::allreduce}) {
    EXPECT_EQ(sizes(same), (std::pair<std::uint64_t, std::uint64_t>{100, 100})) << to_string(same);
  }
  for (const Operation rooted : {Operation::gather, Operation::scatter}) {
    EXPECT_EQ(sizes(rooted), (std::pair<std::uint64_t, std::uint64_t>{300, 100})) << to_string(rooted);
  }
  for (const Operation of_all : {Operation::allgather, Operation::reduce_scatter}) {
    EXPECT_EQ(sizes(of_all), (std::pair<std::uint64_t, std::uint64_t>{100, 500})) << to_string(of_all);
  }
  EXPECT_EQ(sizes(Operation::alltoall), (std::pair<std::uint64_t, std::uint64_t>{300, 500}));
}

TEST(TwoPhase, SizesSaturate) {
  EXPECT_EQ(bytes_of(3, 100), 300U);
  EXPECT_EQ(bytes_of(0, 100), 0U);
  EXPECT_EQ(bytes_of(3, std::numeric_limits<std::uint64_t>::max() / 2),
            std::numeric_limits<std::uint64_t>::max());
  EXPECT_EQ(bytes_of(2, std::numeric_limits<std::uint64_t>::max() / 2),
            std::numeric_limits<std::uint64_t>::max() - 1);
}

TEST(TwoPhase, AllRowsLeadOnlyWithoutARoot) {
  EXPECT_EQ(phase_placement(Operation::broadcast, GridPhase::leader, three_by_five),
            (GroupPlacement{.stride = 1, .groups = 1}));
  EXPECT_EQ(phase_placement(Operation::allgather, GridPhase::leader, three_by_five),
            (GroupPlacement{.stride = 1, .groups = 3}));
  for (const Operation operation : {Operation::scatter, Operation::allreduce}) {
    EXPECT_EQ(phase_placement(operation, GridPhase::concurrent, three_by_five),
              (GroupPlacement{.stride = 5, .groups = 5}));
  }
  EXPECT_EQ(phase_members(GridPhase::leader, three_by_five), 5);
  EXPECT_EQ(phase_members(GridPhase::concurrent, three_by_five), 3);
}

/// The first rooted operation of each phase, as p of its groups.
TEST(TwoPhase, GatheringOperationsPassTheColumnsFirst) {
  const auto order = [](Operation operation) {
    const auto phases = phase_operations(operation, three_by_five);
    return std::pair{phases.at(0).front().members, phases.at(1).front().members};
  };
  for (const Operation rows_first :
       {Operation::broadcast, Operation::scatter, Operation::allreduce, Operation::allgather}) {
    EXPECT_EQ(order(rows_first), (std::pair{5, 3})) << to_string(rows_first);
  }
  for (const Operation columns_first : {Operation::gather, Operation::reduce}) {
    EXPECT_EQ(order(columns_first), (std::pair{3, 5})) << to_string(columns_first);
  }
  EXPECT_TRUE(phase_operations(Operation::alltoall, three_by_five).at(0).empty());
  const auto allgather = phase_operations(Operation::allgather, three_by_five);
  EXPECT_EQ(allgather.at(0).at(1).size, 5);      // the broadcast of a row's gathered blocks
  EXPECT_EQ(allgather.at(1).at(0).size, 5);      // a column gathers blocks of a row each
  EXPECT_EQ(allgather.at(1).at(1).size, 3 * 5);  // and broadcasts all of them
}

TwoPhaseTime both(double leader_s, double concurrent_s) {
  return {.leader = {.time_s = leader_s, .deviation = 0.1},
          .concurrent = {.time_s = concurrent_s, .deviation = 0.4}};
}

TEST(TwoPhase, TheTotalIsTheSumWithItsDeviationsWeightedByTime) {
  const CallTime total = both(3, 1).total();
  EXPECT_DOUBLE_EQ(total.time_s, 4);
  EXPECT_DOUBLE_EQ(total.deviation, (3 * 0.1 + 1 * 0.4) / 4);
}

TEST(TwoPhase, AnUnsegmentedCallTakesAtLeastItsLongerPhase) {
  TwoPhaseTime call = both(3, 1);
  call.excess_s = -0.5;
  EXPECT_DOUBLE_EQ(call.total().time_s, 3.5);
  call.excess_s = -9;
  EXPECT_DOUBLE_EQ(call.total().time_s, 3);
  call.excess_s = 2;
  EXPECT_DOUBLE_EQ(call.total().time_s, 6);
}

TEST(TwoPhase, ASegmentedCallOverlapsTheShorterPhaseInAllSegmentsButOne) {
  TwoPhaseTime call = both(3, 1);
  call.segments = 4;
  EXPECT_DOUBLE_EQ(call.total().time_s, 16);
  call.overlap = 0.5;
  EXPECT_DOUBLE_EQ(call.total().time_s, 16 - 3 * 0.5 * 1);
  call.excess_s = 7;  // of the unsegmented call only
  EXPECT_DOUBLE_EQ(call.total().time_s, 16 - 3 * 0.5 * 1);
}

TEST(TwoPhase, AnUnknownPhaseGivesItsReason) {
  TwoPhaseTime call = both(3, 1);
  call.concurrent = {.unknown_reason = "why"};
  EXPECT_EQ(call.total().unknown_reason, "why");
  call.segments = 2;
  EXPECT_EQ(call.total().unknown_reason, "why");
}

TEST(TwoPhase, OnlyBroadcastsAndReducesAreSegmented) {
  std::vector<RuntimeFunction> entries;
  for (const Operation operation : collective::all_operations) {
    entries.push_back({.operation = operation, .terms = {{.of_bytes = true, .coefficient = 1e-9}}});
    entries.push_back({.operation = operation, .phases_overlap = 1});
  }
  const RuntimeFunctions functions(entries);
  const auto segments = [&](Operation operation) {
    return fastest_segments(functions, operation, Algorithm::library, three_by_five, 64000).segments;
  };
  for (const Operation operation : collective::all_operations) {
    const bool cut = operation == Operation::broadcast || operation == Operation::reduce;
    EXPECT_EQ(segments(operation), cut ? 64 : 1) << to_string(operation);
  }
}

/// One term for each operation and phase, so that the parts of a sum are seen in its digits.
TEST(TwoPhase, RaggedGridsAddTheirPhases) {
  std::vector<RuntimeFunction> functions;
  const auto add = [&](Operation operation, GridPhase phase, double time_s) {
    functions.push_back({.operation = operation, .phase = phase, .terms = {{.coefficient = time_s}}});
  };
  add(Operation::reduce, GridPhase::concurrent, 1);
  add(Operation::broadcast, GridPhase::concurrent, 10);
  add(Operation::allreduce, GridPhase::leader, 100);
  add(Operation::gather, GridPhase::concurrent, 1000);
  add(Operation::allgather, GridPhase::leader, 10000);
  add(Operation::gather, GridPhase::leader, 100000);
  const RuntimeFunctions known(functions);
  const auto time_s = [&](Operation operation) {
    return predict_ragged(known, operation, Algorithm::library, three_by_five, 8).total().time_s;
  };
  EXPECT_DOUBLE_EQ(time_s(Operation::allreduce), 111);
  EXPECT_DOUBLE_EQ(time_s(Operation::allgather), 11010);
  EXPECT_DOUBLE_EQ(time_s(Operation::gather), 101000);
  EXPECT_EQ(
      predict_ragged(known, Operation::alltoall, Algorithm::library, three_by_five, 8).total().unknown_reason,
      "alltoall has no ragged grid");
}

}  // namespace
}  // namespace stretto::network
