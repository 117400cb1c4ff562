// SPDX-License-Identifier: BSD-3-Clause
// What is chosen follows from the intervals of the predictions of flat and of the best grid.
#include "network/collective_choice.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <vector>

#include "profile_functions.hpp"

namespace stretto::network {
namespace {

TEST(Choice, IsThePapersGainOnTheClicAndFlatWhereAGridLoses) {
  const auto functions = functions_from(profile_with(broadcast_clic + "," + gather_clic));
  const CollectiveChoice broadcast = choose(functions, Operation::broadcast, Algorithm::library, 96, 100'000);
  ASSERT_TRUE(broadcast.flat.known() && broadcast.best);
  EXPECT_EQ(broadcast.verdict, Verdict::grid);
  const auto four_rows = predict_two_phase(functions, Operation::broadcast, Algorithm::library,
                                           {.rows = 4, .columns = 24}, 100'000);
  EXPECT_NEAR(1 - four_rows.total().time_s / broadcast.flat.time_s, 0.21, 0.01);  // READINGS: about 21 %
  EXPECT_LE(broadcast.best->total().time_s, four_rows.total().time_s);

  const CollectiveChoice gather = choose(functions, Operation::gather, Algorithm::library, 96, 100);
  EXPECT_EQ(gather.verdict, Verdict::flat);  // two start-ups instead of one
}

TEST(Choice, StaysFlatWhereTheIntervalsMeet) {
  const auto text = [](double deviation) {
    return profile_with(R"({"operation": "broadcast", "deviation": )" + std::to_string(deviation) +
                        R"(, "terms": [{"of_p": "p-1", "of_b": "1", "coefficient": 1e-6}]})");
  };
  const auto sure = functions_from(text(0.1));
  const auto unsure = functions_from(text(0.6));
  const CollectiveChoice certain = choose(sure, Operation::broadcast, Algorithm::library, 16, 8);
  EXPECT_EQ(certain.verdict, Verdict::grid);
  EXPECT_EQ(certain.best->grid, (Grid{.rows = 4, .columns = 4}));
  const CollectiveChoice choice = choose(unsure, Operation::broadcast, Algorithm::library, 16, 8);
  EXPECT_EQ(choice.verdict, Verdict::undecided);
  EXPECT_TRUE(choice.gain);
  const CollectiveChoice unknown = choose({}, Operation::broadcast, Algorithm::library, 16, 8);
  EXPECT_EQ(unknown.verdict, Verdict::undecided);
  EXPECT_FALSE(unknown.best || unknown.gain);
}

TEST(Choice, PrefersPhaseFunctionsAndSegmentsWhereThatGains) {
  const auto functions = functions_from(profile_with(R"(
    {"operation": "broadcast", "terms": [{"of_p": "p-1", "of_b": "b", "coefficient": 1e-9}]},
    {"operation": "broadcast", "phase": "leader", "terms": [{"of_p": "p-1", "of_b": "b", "coefficient": 2e-9}]},
    {"operation": "broadcast", "phases_overlap": 1})"));
  const auto whole = predict_two_phase(functions, Operation::broadcast, Algorithm::library,
                                       {.rows = 4, .columns = 4}, 64'000);
  EXPECT_NEAR(whole.total().time_s, (3 * 2e-9 + 3 * 1e-9) * 64'000, 1e-12);
  const CollectiveChoice choice = choose(functions, Operation::broadcast, Algorithm::library, 16, 64'000);
  EXPECT_EQ(choice.best->segments, 64);
  EXPECT_LT(choice.best->total().time_s, whole.total().time_s);
}

/// A broadcast that takes a millisecond flat, and so much by rows or columns of four; each with its
/// deviation.
RuntimeFunctions on_four_by_four(double phase_s, double deviation) {
  RuntimeFunctions functions({{.operation = Operation::broadcast,
                               .members = {16, 16},
                               .terms = {{.coefficient = 1e-3}},
                               .deviation = deviation},
                              {.operation = Operation::broadcast,
                               .members = {4, 4},
                               .terms = {{.coefficient = phase_s}},
                               .deviation = deviation}});
  return functions;
}

CollectiveChoice chosen(double phase_s, double deviation) {
  return choose(on_four_by_four(phase_s, deviation), Operation::broadcast, Algorithm::library, 16, 8);
}

TEST(Choice, ChangesWhereTheIntervalsTouch) {
  // 2 t (1 + d) against 1 ms (1 - d), and 2 t (1 - d) against 1 ms (1 + d), with d = 0.1.
  const double gains_below_s = 1e-3 * 0.9 / 1.1 / 2;
  const double loses_above_s = 1e-3 * 1.1 / 0.9 / 2;
  EXPECT_EQ(chosen(gains_below_s * 0.999, 0.1).verdict, Verdict::grid);
  EXPECT_EQ(chosen(gains_below_s * 1.001, 0.1).verdict, Verdict::undecided);
  EXPECT_EQ(chosen(loses_above_s * 0.999, 0.1).verdict, Verdict::undecided);
  EXPECT_EQ(chosen(loses_above_s * 1.001, 0.1).verdict, Verdict::flat);
}

TEST(Choice, EqualTimesAreUndecidedEvenWithoutUncertainty) {
  EXPECT_EQ(chosen(0.5e-3, 0).verdict, Verdict::undecided);
  EXPECT_EQ(chosen(0.5e-3 * (1 - 1e-15), 0).verdict, Verdict::undecided);
  EXPECT_EQ(chosen(0.5e-3 * (1 - 1e-6), 0).verdict, Verdict::grid);
  EXPECT_EQ(chosen(0.5e-3 * (1 + 1e-6), 0).verdict, Verdict::flat);
}

TEST(Choice, HasTheGainWithTheIntervalOfBothDeviations) {
  const auto gain = gain_of({.time_s = 2, .deviation = 0.1}, {.time_s = 1, .deviation = 0.2});
  ASSERT_TRUE(gain);
  EXPECT_DOUBLE_EQ(gain->value, 0.5);
  EXPECT_DOUBLE_EQ(gain->ci95_low, 1 - 0.5 * 1.2 / 0.9);
  EXPECT_DOUBLE_EQ(gain->ci95_high, 1 - 0.5 * 0.8 / 1.1);
  EXPECT_FALSE(gain_of({.time_s = 2, .deviation = 1}, {.time_s = 1}));
  EXPECT_FALSE(gain_of({}, {.time_s = 1}));
  EXPECT_FALSE(gain_of({.unknown_reason = "why"}, {.time_s = 1}));
  EXPECT_FALSE(gain_of({.time_s = 1}, {.unknown_reason = "why"}));
}

TEST(Choice, NamesTheReasonWhereNothingIsCompared) {
  EXPECT_EQ(chosen(1e-4, 1).reason, "the flat call's time is uncertain");
  EXPECT_EQ(chosen(1e-4, 1).verdict, Verdict::undecided);
  const auto functions = on_four_by_four(1e-4, 0);
  const auto of = [&](Operation operation, int ranks) {
    return choose(functions, operation, Algorithm::library, ranks, 8);
  };
  EXPECT_EQ(of(Operation::broadcast, 2).verdict, Verdict::flat);
  EXPECT_EQ(of(Operation::broadcast, 2).reason, "2 processes make no grid");
  EXPECT_EQ(of(Operation::alltoall, 13).reason, "13 processes make no grid");  // it is flat on a ragged one
  EXPECT_EQ(of(Operation::reduce, 16).reason, "no runtime function for reduce of 8 bytes among 16");
  EXPECT_EQ(of(Operation::broadcast, 16).reason, "");
}

TEST(Choice, RanksGridsByTimeThenByP1AndTheUnknownLast) {
  RuntimeFunctions functions({{.operation = Operation::broadcast,
                               .members = {3, 48},
                               .terms = {{.of_p = MemberFactor::p_minus_1, .coefficient = 0.1}}}});
  const auto grids = all_grids(functions, Operation::broadcast, Algorithm::library, 24, 8);
  std::vector<std::string> names;
  for (const TwoPhaseTime& one : grids) names.push_back(to_string(one.grid));
  EXPECT_EQ(names, (std::vector<std::string>{"4x6", "6x4", "3x8", "8x3", "2x12", "12x2"}));
  EXPECT_TRUE(grids[3].total().known());
  EXPECT_FALSE(grids[4].total().known());
}

TEST(Choice, TakesARaggedGridForAPrimeNumberOfRanks) {
  const RuntimeFunctions functions({{.operation = Operation::broadcast,
                                     .terms = {{.of_p = MemberFactor::p_minus_1, .coefficient = 1e-3}}}});
  const CollectiveChoice choice = choose(functions, Operation::broadcast, Algorithm::library, 13, 8);
  ASSERT_EQ(choice.verdict, Verdict::grid);
  EXPECT_EQ(to_string(choice.best->grid), "4x4");
  EXPECT_DOUBLE_EQ(choice.best->total().time_s, 6e-3);
  const CollectiveChoice reference = choose(functions, Operation::broadcast, Algorithm::reference, 13, 8);
  EXPECT_EQ(reference.reason, "13 processes make no grid");
}

TEST(Choice, RaggedGridsHaveRowsOfPowersOfTwoAndOfTheRanksOfANode) {
  std::vector<std::string> names;
  for (const Grid& grid : ragged_grids(14, 3)) names.push_back(to_string(grid));
  EXPECT_EQ(names, (std::vector<std::string>{"5x3", "4x4"}));
  EXPECT_TRUE(ragged_grids(16, 4).empty());
  for (const Grid& grid : ragged_grids(1021, 40)) EXPECT_TRUE(grid.holds(1021)) << to_string(grid);
}

/// Four nodes of four ranks: messages within a node are cheap, so rows that are nodes gain most.
TEST(Choice, FollowsTheNodesWhereGroupsOnANodeAreFast) {
  const auto function = [](Locality locality, double coefficient) {
    return RuntimeFunction{.operation = Operation::broadcast,
                           .locality = locality,
                           .terms = {{.of_p = MemberFactor::p_minus_1, .coefficient = coefficient}}};
  };
  const RuntimeFunctions anywhere({function(Locality::same_node, 1e-6), function(Locality::remote, 1e-3)});
  const CollectiveChoice placed = choose(anywhere.placed(4), Operation::broadcast, Algorithm::library, 16, 8);
  ASSERT_EQ(placed.verdict, Verdict::grid);
  EXPECT_EQ(to_string(placed.best->grid), "4x4");
  EXPECT_DOUBLE_EQ(placed.best->leader.time_s, 3e-6);
  EXPECT_DOUBLE_EQ(placed.best->concurrent.time_s, 3e-3);
  EXPECT_DOUBLE_EQ(placed.flat.time_s, 15e-3);
  EXPECT_DOUBLE_EQ(choose(anywhere.placed(16), Operation::broadcast, Algorithm::library, 16, 8).flat.time_s,
                   15e-6);
}

/// Two grids of 24 ranks whose times differ by rounding alone, the later one by p1 being the shorter.
TEST(Choice, GridsOfEqualTimeAreInTheOrderOfP1WhateverTheRounding) {
  const auto function = [](GridPhase phase, int members, double time_s) {
    return RuntimeFunction{.operation = Operation::broadcast,
                           .phase = phase,
                           .members = {members, members},
                           .terms = {{.coefficient = time_s}}};
  };
  const RuntimeFunctions functions(
      {function(GridPhase::leader, 6, 0.5), function(GridPhase::concurrent, 4, 0.5),
       function(GridPhase::leader, 4, 0.5 * (1 - 1e-14)), function(GridPhase::concurrent, 6, 0.5)});
  const auto grids = all_grids(functions, Operation::broadcast, Algorithm::library, 24, 8);
  ASSERT_LT(grids[1].total().time_s, grids[0].total().time_s);
  EXPECT_EQ(to_string(grids[0].grid), "4x6");
  EXPECT_EQ(to_string(grids[1].grid), "6x4");
}

TEST(Choice, HasFourClassesOfSizesFromOnePowerOfTwoToTheNext) {
  for (const std::uint64_t size : {1, 80, 1000, 65536, 1 << 30}) {
    const auto middle = static_cast<double>(middle_of(class_of(size)));
    EXPECT_LT(std::abs(std::log2(middle / static_cast<double>(size))), 0.6) << size;
  }
  EXPECT_EQ(class_of(1024), 40);
  EXPECT_EQ(class_of(1025), 40);
  EXPECT_EQ(class_of(1500), 42);
  EXPECT_EQ(class_of(2047), 43);
  EXPECT_EQ(class_of(2048), 44);
}

}  // namespace
}  // namespace stretto::network
