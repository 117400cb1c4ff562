// SPDX-License-Identifier: BSD-3-Clause
// Runtime functions from a profile and their predictions, with the two-phase paper's coefficients of the CLiC
// (tables 2 and 3).
#include <gtest/gtest.h>

#include <cmath>

#include "network/two_phase.hpp"
#include "profile_functions.hpp"
#include "refusal.hpp"

namespace stretto::network {
namespace {

double predicted(const RuntimeFunctions& functions, Operation operation, int p, std::uint64_t b) {
  const auto prediction = functions.predict(operation, Algorithm::library, std::nullopt, p, b);
  return prediction.known() ? prediction.time_s : NAN;
}

TEST(RuntimeFunctions, EqualThePapersTimes) {
  const auto functions = functions_from(profile_with(broadcast_clic + "," + gather_clic));
  EXPECT_NEAR(predicted(functions, Operation::broadcast, 4, 100'000), (-0.085 + 4 * 0.092) * 0.1, 1e-9);
  EXPECT_NEAR(predicted(functions, Operation::broadcast, 96, 100'000), (0.0383 + 0.474 * std::log2(96)) * 0.1,
              1e-9);
  EXPECT_NEAR(predicted(functions, Operation::gather, 8, 10'000), 0.009 + (-0.0825 + 8 * 0.0929) * 0.01,
              1e-9);
  EXPECT_EQ(predicted(functions, Operation::gather, 1, 10'000), 0);
}

TEST(RuntimeFunctions, AreUnknownOutsideTheirRangesOrWhereTheTimeIsNotPositive) {
  const auto functions = functions_from(profile_with(broadcast_clic + R"(,
    {"operation": "reduce", "terms": [{"of_p": "1", "of_b": "1", "coefficient": -0.02},
                                      {"of_p": "1", "of_b": "b", "coefficient": 1e-6}]},
    {"operation": "scatter", "terms": [{"of_p": "1", "of_b": "1", "coefficient": {"value": null, "reason": "noise"}}]})"));
  EXPECT_TRUE(std::isnan(predicted(functions, Operation::broadcast, 129, 100)));
  EXPECT_TRUE(std::isnan(predicted(functions, Operation::broadcast, 8, 1'000'001)));
  EXPECT_TRUE(std::isnan(predicted(functions, Operation::reduce, 8, 20'000)));  // exactly zero
  EXPECT_GT(predicted(functions, Operation::reduce, 8, 20'001), 0);
  EXPECT_TRUE(std::isnan(predicted(functions, Operation::scatter, 8, 100)));
}

TEST(RuntimeFunctions, HaveTheirTermsOfP) {
  EXPECT_EQ(value_of(MemberFactor::ceil_log2, 5), 3);
  EXPECT_EQ(value_of(MemberFactor::ceil_log2, 8), 3);
  EXPECT_EQ(value_of(MemberFactor::floor_log2_less_1, 8), 2);
  EXPECT_EQ(value_of(MemberFactor::floor_log2_less_1, 9), 3);
  EXPECT_EQ(value_of(MemberFactor::floor_log2_less_1, 2), 0);
  EXPECT_EQ(value_of(MemberFactor::p_ceil_log2, 5), 15);
  EXPECT_EQ(value_of(MemberFactor::p_minus_1, 5), 4);
  for (const auto& [p, sends] : {std::pair{1, 0}, {2, 1}, {5, 4}, {8, 6}, {65, 22}, {96, 27}}) {
    EXPECT_EQ(value_of(MemberFactor::tree_sends, p), sends) << p;
  }
}

TEST(RuntimeFunctions, AddTheCouplingOfTwoPhases) {
  const auto on_16 = [](const std::string& coefficient) {
    const auto functions = functions_from(
        R"({"schema": "stretto.profile/1.0", "collectives": [{"operation": "broadcast",
            "terms": [{"of_p": "ceil-log2-p", "of_b": "1", "coefficient": 1e-3}]}],
            "couplings": [{"operation": "broadcast", "members_max": 16, "terms": [
            {"of_p1": "1", "of_p2": "p-1", "of_b": "1", "coefficient": )" +
        coefficient + "}]}]}");
    const Grid grid{.rows = 4, .columns = 4};
    return predict_two_phase(functions, Operation::broadcast, Algorithm::library, grid, 8).total().time_s;
  };
  EXPECT_DOUBLE_EQ(on_16("1e-4"), 4e-3 + 3e-4);
  EXPECT_DOUBLE_EQ(on_16("-1e-4"), 4e-3 - 3e-4);
  EXPECT_DOUBLE_EQ(on_16("-1"), 2e-3);  // a phase overlaps at most completely
}

TEST(RuntimeFunctions, AddUpAndChangeWithTheRootsBytes) {
  const auto functions = functions_from(profile_with(R"(
    {"operation": "gather", "root_max_bytes": 999, "terms": [{"of_p": "1", "of_b": "b", "coefficient": 1e-6}]},
    {"operation": "gather", "root_min_bytes": 1000, "terms": [{"of_p": "1", "of_b": "b", "coefficient": 2e-6}]},
    {"operation": "broadcast", "terms": [{"of_p": "1", "of_b": "b", "coefficient": 5e-6}]},
    {"operation": "allgather",
     "sum_of": [{"operation": "gather", "of_b": "b"}, {"operation": "broadcast", "of_b": "p b"}]})"));
  EXPECT_DOUBLE_EQ(predicted(functions, Operation::gather, 10, 99), 99e-6);
  EXPECT_DOUBLE_EQ(predicted(functions, Operation::gather, 10, 100), 200e-6);
  EXPECT_DOUBLE_EQ(predicted(functions, Operation::allgather, 10, 100), 200e-6 + 5000e-6);
}

TEST(RuntimeFunctions, ASumsDeviationIsTheMeanOfItsPartsWeightedByTime) {
  std::vector<RuntimeFunction> entries = {
      {.operation = Operation::reduce, .terms = {{.coefficient = 3e-3}}, .deviation = 0.1},
      {.operation = Operation::broadcast, .terms = {{.coefficient = 1e-3}}, .deviation = 0.5},
      {.operation = Operation::allreduce,
       .sum_of = {{.operation = Operation::reduce}, {.operation = Operation::broadcast}}}};
  const auto deviation = [&] {
    return RuntimeFunctions(entries)
        .predict(Operation::allreduce, Algorithm::library, std::nullopt, 8, 100)
        .deviation;
  };
  EXPECT_DOUBLE_EQ(deviation(), (3 * 0.1 + 0.5) / 4);
  entries[2].deviation = 0.02;
  EXPECT_DOUBLE_EQ(deviation(), 0.02);
}

TEST(RuntimeFunctions, HoldForGroupsOnOneNodeOrForOthers) {
  const auto functions = functions_from(profile_with(R"(
    {"operation": "gather", "locality": "same-node", "terms": [{"of_p": "1", "of_b": "1", "coefficient": 1e-6}]},
    {"operation": "gather", "locality": "remote", "terms": [{"of_p": "1", "of_b": "1", "coefficient": 1e-3}]})",
                                                     R"(, "machine": {"ranks_per_node": 4})"));
  EXPECT_TRUE(functions.depends_on_nodes());
  const auto time_s = [&](const RuntimeFunctions& some, int p, const GroupPlacement& placement) {
    return some.predict(Operation::gather, Algorithm::library, std::nullopt, p, 8, placement).time_s;
  };
  EXPECT_DOUBLE_EQ(time_s(functions, 4, {}), 1e-6);
  EXPECT_DOUBLE_EQ(time_s(functions, 5, {}), 1e-3);
  EXPECT_DOUBLE_EQ(time_s(functions, 2, {.stride = 1, .groups = 8}), 1e-6);
  EXPECT_DOUBLE_EQ(time_s(functions, 3, {.stride = 1, .groups = 8}),
                   1e-3);  // the second begins on a node's end
  EXPECT_DOUBLE_EQ(time_s(functions, 2, {.stride = 2, .groups = 2}), 1e-6);
  EXPECT_DOUBLE_EQ(time_s(functions, 2, {.stride = 4, .groups = 4}), 1e-3);
  EXPECT_DOUBLE_EQ(time_s(functions.placed(0), 2, {}), 1e-3);
}

TEST(RuntimeFunctions, RefuseANestedSumAndNameTheMissingFunction) {
  const RuntimeFunctions functions(
      {{.operation = Operation::allgather, .sum_of = {{.operation = Operation::allreduce}}},
       {.operation = Operation::allreduce, .sum_of = {{.operation = Operation::allgather}}},
       {.operation = Operation::alltoall, .sum_of = {{.operation = Operation::scatter}}},
       {.operation = Operation::gather, .terms = {{.coefficient = -0.02}}}});
  const auto reason = [&](Operation operation) {
    return functions.predict(operation, Algorithm::library, std::nullopt, 8, 100).unknown_reason;
  };
  EXPECT_EQ(reason(Operation::allgather), "the runtime function of allreduce is a sum within a sum");
  EXPECT_EQ(reason(Operation::alltoall), "no runtime function for scatter of 100 bytes among 8");
  EXPECT_EQ(reason(Operation::gather), "the runtime function gives -0.02 s for gather of 100 bytes among 8");
}

TEST(RuntimeFunctions, TheFirstMatchingFunctionIsTakenThePhasesBeforeGeneralOnes) {
  const auto entry = [](double time_s, std::optional<GridPhase> phase) {
    return RuntimeFunction{
        .operation = Operation::broadcast, .phase = phase, .terms = {{.coefficient = time_s}}};
  };
  const RuntimeFunctions functions({entry(1, std::nullopt), entry(2, std::nullopt),
                                    entry(3, GridPhase::leader), entry(4, GridPhase::leader)});
  const auto time_s = [&](std::optional<GridPhase> phase) {
    return functions.predict(Operation::broadcast, Algorithm::library, phase, 8, 100).time_s;
  };
  EXPECT_EQ(time_s(std::nullopt), 1);
  EXPECT_EQ(time_s(GridPhase::leader), 3);
  EXPECT_EQ(time_s(GridPhase::concurrent), 1);
}

TEST(ProfileFile, IsRefusedNamingTheWrongMember) {
  const auto message = [](const std::string& text) {
    return testing::refusal_of<std::exception>([&] { return functions_from(text); });
  };
  EXPECT_EQ(message("not json"), "is no JSON object; make the profile again with `stretto fit`");
  EXPECT_TRUE(testing::has(message(R"({"schema": "stretto.profile/2.0"})"), "schema"));
  const std::pair<const char*, const char*> wrong[] = {
      {R"({"operation": "sing"})", "collectives[0].operation: is 'sing'"},
      {R"({"operation": "gather"})", "collectives[0].terms: is missing"},
      {R"({"operation": "gather", "deviation": 7, "terms": [{}]})", "collectives[0].deviation"},
      {R"({"operation": "gather", "members_min": 0.5, "terms": [{}]})", "collectives[0].members_min"},
      {R"({"operation": "gather", "size_min_bytes": -1, "terms": [{}]})", "collectives[0].size_min_bytes"},
      {R"({"operation": "gather", "terms": [{"of_p": "q", "of_b": "b"}]})", "terms[0].of_p: is 'q'"},
      {R"({"operation": "gather", "terms": [{"of_p": "p", "of_b": "b", "coefficient": 1e9}]})",
       "terms[0].coefficient"},
      {R"({"operation": "gather", "terms": [{"of_p": "p", "of_b": "b"}]})",
       "terms[0].coefficient: is missing"},
      {R"({"operation": "gather", "algorithm": "mine", "terms": [{}]})", "collectives[0].algorithm"},
      {R"(7)", "collectives[0]: give an object"}};
  for (const auto& [entry, found_text] : wrong) {
    EXPECT_TRUE(testing::has(message(profile_with(entry)), found_text));
  }
  EXPECT_EQ(functions_from(profile_with("")).size(), 0U);
}

}  // namespace
}  // namespace stretto::network
