// SPDX-License-Identifier: BSD-3-Clause
// Runtime functions from a profile, what they predict, and what is chosen by them. The coefficients are those
// that the two-phase paper publishes of the CLiC (tables 2 and 3).
#include <gtest/gtest.h>

#include <cmath>

#include "collective/choice.hpp"

namespace stretto::collective {
namespace {

std::string profile(const std::string& collectives) {
  return R"({"schema": "stretto.profile/1.0", "loggp": [], "collectives": [)" + collectives + "]}";
}

const std::string broadcast_clic = R"(
{"operation": "broadcast", "members_min": 2, "members_max": 4, "size_min_bytes": 1, "size_max_bytes": 1000000,
 "terms": [{"of_p": "1", "of_b": "b", "coefficient": -0.085e-6}, {"of_p": "p", "of_b": "b", "coefficient": 0.092e-6}]},
{"operation": "broadcast", "members_min": 5, "members_max": 128, "size_min_bytes": 1, "size_max_bytes": 1000000,
 "terms": [{"of_p": "1", "of_b": "b", "coefficient": 0.0383e-6},
           {"of_p": "log2-p", "of_b": "b", "coefficient": {"value": 0.474e-6}}]})";

const std::string gather_clic = R"(
{"operation": "gather", "members_min": 2, "members_max": 128, "size_min_bytes": 1, "size_max_bytes": 100000000,
 "terms": [{"of_p": "1", "of_b": "1", "coefficient": 0.009},
           {"of_p": "1", "of_b": "b", "coefficient": -0.0825e-6}, {"of_p": "p", "of_b": "b", "coefficient": 0.0929e-6}]})";

double predicted(const RuntimeFunctions& functions, Operation operation, int p, std::uint64_t b) {
  const auto prediction = functions.predict(operation, Algorithm::library, std::nullopt, p, b);
  return prediction ? prediction->time_s : NAN;
}

TEST(RuntimeFunctions, GiveThePapersTimes) {
  const auto functions = RuntimeFunctions::from_profile(profile(broadcast_clic + "," + gather_clic));
  EXPECT_NEAR(predicted(functions, Operation::broadcast, 4, 100'000), (-0.085 + 4 * 0.092) * 0.1, 1e-9);
  EXPECT_NEAR(predicted(functions, Operation::broadcast, 96, 100'000), (0.0383 + 0.474 * std::log2(96)) * 0.1,
              1e-9);
  EXPECT_NEAR(predicted(functions, Operation::gather, 8, 10'000), 0.009 + (-0.0825 + 8 * 0.0929) * 0.01,
              1e-9);
  EXPECT_EQ(predicted(functions, Operation::gather, 1, 10'000), 0);
}

TEST(RuntimeFunctions, SayNothingOutsideTheirRangesOrWhereTheTimeCannotBe) {
  const auto functions = RuntimeFunctions::from_profile(profile(broadcast_clic + R"(,
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
  EXPECT_EQ(value_of(OfP::ceil_log2, 5), 3);
  EXPECT_EQ(value_of(OfP::ceil_log2, 8), 3);
  EXPECT_EQ(value_of(OfP::floor_log2_less_1, 8), 2);
  EXPECT_EQ(value_of(OfP::floor_log2_less_1, 9), 3);
  EXPECT_EQ(value_of(OfP::floor_log2_less_1, 2), 0);
  EXPECT_EQ(value_of(OfP::p_ceil_log2, 5), 15);
  EXPECT_EQ(value_of(OfP::p_minus_1, 5), 4);
  for (const auto& [p, sends] : {std::pair{1, 0}, {2, 1}, {5, 4}, {8, 6}, {65, 22}, {96, 27}}) {
    EXPECT_EQ(value_of(OfP::tree_sends, p), sends) << p;
  }
}

TEST(RuntimeFunctions, AddWhatTwoPhasesTakeBeyondTheirSum) {
  const auto on_16 = [](const std::string& coefficient) {
    const auto functions = RuntimeFunctions::from_profile(
        R"({"schema": "stretto.profile/1.0", "collectives": [{"operation": "broadcast",
            "terms": [{"of_p": "ceil-log2-p", "of_b": "1", "coefficient": 1e-3}]}],
            "couplings": [{"operation": "broadcast", "members_max": 16, "terms": [
            {"of_p1": "1", "of_p2": "p-1", "of_b": "1", "coefficient": )" +
        coefficient + "}]}]}");
    const Grid grid{.rows = 4, .columns = 4};
    return predict_two_phase(functions, Operation::broadcast, Algorithm::library, grid, 8)->time_s;
  };
  EXPECT_DOUBLE_EQ(on_16("1e-4"), 4e-3 + 3e-4);
  EXPECT_DOUBLE_EQ(on_16("-1e-4"), 4e-3 - 3e-4);
  EXPECT_DOUBLE_EQ(on_16("-1"), 2e-3);  // no phase hides more than itself
}

TEST(RuntimeFunctions, AddUpAndBreakWithWhatTheRootHolds) {
  const auto functions = RuntimeFunctions::from_profile(profile(R"(
    {"operation": "gather", "root_max_bytes": 999, "terms": [{"of_p": "1", "of_b": "b", "coefficient": 1e-6}]},
    {"operation": "gather", "root_min_bytes": 1000, "terms": [{"of_p": "1", "of_b": "b", "coefficient": 2e-6}]},
    {"operation": "broadcast", "terms": [{"of_p": "1", "of_b": "b", "coefficient": 5e-6}]},
    {"operation": "allgather",
     "sum_of": [{"operation": "gather", "of_b": "b"}, {"operation": "broadcast", "of_b": "p b"}]})"));
  EXPECT_DOUBLE_EQ(predicted(functions, Operation::gather, 10, 99), 99e-6);
  EXPECT_DOUBLE_EQ(predicted(functions, Operation::gather, 10, 100), 200e-6);
  EXPECT_DOUBLE_EQ(predicted(functions, Operation::allgather, 10, 100), 200e-6 + 5000e-6);
}

TEST(Choice, IsThePapersWinOnTheClicAndNothingWhereThereIsNone) {
  const auto functions = RuntimeFunctions::from_profile(profile(broadcast_clic + "," + gather_clic));
  const Decision broadcast = decide(functions, Operation::broadcast, Algorithm::library, 96, 100'000);
  ASSERT_TRUE(broadcast.flat && broadcast.two_phase);
  EXPECT_FALSE(broadcast.grid.is_flat());
  const auto four_rows = predict_two_phase(functions, Operation::broadcast, Algorithm::library,
                                           {.rows = 4, .columns = 24}, 100'000);
  EXPECT_NEAR(1 - four_rows->time_s / broadcast.flat->time_s, 0.21, 0.01);  // READINGS: about 21 %
  EXPECT_LE(broadcast.two_phase->time_s, four_rows->time_s);

  const Decision gather = decide(functions, Operation::gather, Algorithm::library, 96, 100);
  EXPECT_TRUE(gather.grid.is_flat());  // two start-ups instead of one
  EXPECT_FALSE(gather.undecided);
}

TEST(Choice, StaysFlatWhereTheIntervalsMeet) {
  const auto text = [](double deviation) {
    return profile(R"({"operation": "broadcast", "deviation": )" + std::to_string(deviation) +
                   R"(, "terms": [{"of_p": "p-1", "of_b": "1", "coefficient": 1e-6}]})");
  };
  const auto sure = RuntimeFunctions::from_profile(text(0.1));
  const auto unsure = RuntimeFunctions::from_profile(text(0.6));
  EXPECT_EQ(decide(sure, Operation::broadcast, Algorithm::library, 16, 8).grid,
            (Grid{.rows = 4, .columns = 4}));
  const Decision decision = decide(unsure, Operation::broadcast, Algorithm::library, 16, 8);
  EXPECT_TRUE(decision.undecided);
  EXPECT_TRUE(decision.grid.is_flat());
  EXPECT_TRUE(decide({}, Operation::broadcast, Algorithm::library, 16, 8).grid.is_flat());
}

TEST(Choice, TakesAFunctionOfThePhaseBeforeAGeneralOneAndCutsTheMessageWhereThatPays) {
  const auto functions = RuntimeFunctions::from_profile(profile(R"(
    {"operation": "broadcast", "terms": [{"of_p": "p-1", "of_b": "b", "coefficient": 1e-9}]},
    {"operation": "broadcast", "phase": "leader", "terms": [{"of_p": "p-1", "of_b": "b", "coefficient": 2e-9}]},
    {"operation": "broadcast", "phases_overlap": 1})"));
  const auto whole = predict_two_phase(functions, Operation::broadcast, Algorithm::library,
                                       {.rows = 4, .columns = 4}, 64'000);
  EXPECT_NEAR(whole->time_s, (3 * 2e-9 + 3 * 1e-9) * 64'000, 1e-12);
  const Decision decision = decide(functions, Operation::broadcast, Algorithm::library, 16, 64'000);
  EXPECT_EQ(decision.segments, 64);
  EXPECT_LT(decision.two_phase->time_s, whole->time_s);
}

TEST(Choice, HasFourClassesOfSizesFromOnePowerOfTwoToTheNext) {
  for (const std::uint64_t size : {1, 80, 1000, 65536, 1 << 30}) {
    const auto middle = static_cast<double>(middle_of(class_of(size)));
    EXPECT_LT(std::abs(std::log2(middle / static_cast<double>(size))), 0.6) << size;
  }
  EXPECT_EQ(class_of(2048), class_of(1024) + 4);
}

TEST(ProfileFile, IsRefusedByTheMemberThatIsWrong) {
  const auto message = [](const std::string& text) -> std::string {
    try {
      (void)RuntimeFunctions::from_profile(text);
    } catch (const ProfileError& error) {
      return error.what();
    }
    return "accepted";
  };
  EXPECT_EQ(message("not json"), "is no JSON object; make the profile again with `stretto fit`");
  EXPECT_NE(message(R"({"schema": "stretto.profile/2.0"})").find("schema"), std::string::npos);
  const std::pair<const char*, const char*> wrong[] = {
      {R"({"operation": "sing"})", "collectives[0].operation is 'sing'"},
      {R"({"operation": "gather"})", "collectives[0].terms is missing"},
      {R"({"operation": "gather", "deviation": 7, "terms": [{}]})", "collectives[0].deviation"},
      {R"({"operation": "gather", "members_min": 0.5, "terms": [{}]})", "collectives[0].members_min"},
      {R"({"operation": "gather", "size_min_bytes": -1, "terms": [{}]})", "collectives[0].size_min_bytes"},
      {R"({"operation": "gather", "terms": [{"of_p": "q", "of_b": "b"}]})", "terms[0].of_p is 'q'"},
      {R"({"operation": "gather", "terms": [{"of_p": "p", "of_b": "b", "coefficient": 1e9}]})",
       "terms[0].coefficient"},
      {R"({"operation": "gather", "terms": [{"of_p": "p", "of_b": "b"}]})",
       "terms[0].coefficient is missing"},
      {R"({"operation": "gather", "algorithm": "mine", "terms": [{}]})", "collectives[0].algorithm"},
      {R"(7)", "collectives[0] is not an object"}};
  for (const auto& [entry, said] : wrong) {
    EXPECT_NE(message(profile(entry)).find(said), std::string::npos) << message(profile(entry));
  }
  EXPECT_EQ(RuntimeFunctions::from_profile(profile("")).size(), 0U);
}

TEST(Grid, IsReadAndWritten) {
  EXPECT_EQ(grid_from("4x24"), (Grid{.rows = 4, .columns = 24}));
  EXPECT_TRUE(grid_from("flat")->is_flat());
  for (const char* text : {"", "x", "4x", "x4", "0x4", "-2x3", "4x3x2", "4 x 3", "99999999999x2"}) {
    EXPECT_FALSE(grid_from(text)) << text;
  }
  EXPECT_EQ(to_string(*grid_from("4x24")), "4x24");
  EXPECT_EQ(factorisations(12).size(), 4U);
  EXPECT_TRUE(factorisations(13).empty());
  EXPECT_TRUE(grid_of_columns(7, 3).holds(7));
  EXPECT_FALSE((Grid{.rows = 4, .columns = 3}.holds(7)));
  EXPECT_FALSE((Grid{.rows = 2, .columns = 3}.holds(7)));
}

}  // namespace
}  // namespace stretto::collective
