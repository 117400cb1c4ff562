// SPDX-License-Identifier: BSD-3-Clause
// Times between measured sizes, and choices by them where they deviate less than the functions.
#include "network/measured_calls.hpp"

#include <gtest/gtest.h>

#include <string>

#include "network/collective_choice.hpp"
#include "profile_functions.hpp"
#include "refusal.hpp"

namespace stretto::network {
namespace {

TEST(MeasuredCalls, AreOnLinesBetweenSizesAndDeviateByTheirBend) {
  const MeasuredCall straight{.members = 4, .times = {{8, 2e-3, 0.01}, {16, 3e-3, 0.02}, {64, 9e-3, 0.01}}};
  EXPECT_DOUBLE_EQ(straight.at(16)->time_s, 3e-3);
  EXPECT_DOUBLE_EQ(straight.at(16)->deviation, 0.02);
  EXPECT_DOUBLE_EQ(straight.at(40)->time_s, 6e-3);
  EXPECT_DOUBLE_EQ(straight.at(40)->deviation, 0.02);
  EXPECT_FALSE(straight.at(7));
  EXPECT_FALSE(straight.at(65));
}

/// Twice as long above 64 KiB, which the sizes next to it do not show.
TEST(MeasuredCalls, MayBeAcrossAStepBetweenTwoSizes) {
  const MeasuredCall step{
      .members = 4,
      .times = {{32 << 10, 1, 0.01}, {64 << 10, 2, 0.01}, {128 << 10, 8, 0.01}, {256 << 10, 16, 0.01}}};
  EXPECT_DOUBLE_EQ(step.at(64 << 10)->deviation, 0.01);
  const auto above = step.at((64 << 10) + 1);
  EXPECT_GT(above->time_s * (1 + above->deviation), 3.3);
  EXPECT_NEAR(above->deviation, 0.01 + (10.0 / 3 / 2 - 1), 1e-9);  // 64 KiB, left out
}

TEST(MeasuredCalls, OfTwoSizesSayNothingBetweenThem) {
  const MeasuredCall two{.members = 4, .times = {{8, 2e-3, 0}, {16, 3e-3, 0}}};
  EXPECT_TRUE(two.at(8) && two.at(16));
  EXPECT_FALSE(two.at(12));
}

/// Flat calls of 4 ranks and of 16 take 1 ms by a function that deviates by 40 %; 16 ranks were measured at
/// 8 B, in nodes of `ranks_per_node`: flat 1.1 ms, and 0.9 ms on 4x4, although both phases take 2 ms.
RuntimeFunctions measured_on_16(int ranks_per_node, const std::string& deviation = "0.01") {
  return functions_from(profile_with(
      R"({"operation": "broadcast", "deviation": 0.4, "terms": [{"of_p": "1", "of_b": "1", "coefficient": 1e-3}]})",
      R"(, "machine": {"ranks_per_node": )" + std::to_string(ranks_per_node) + R"(}, "measured_collectives": [
      {"operation": "broadcast", "members": 16, "times": [{"size_bytes": 8, "time_s": 1.1e-3, "deviation": )" +
          deviation + R"(}]}, {"operation": "broadcast", "members": 16, "grid": "4x4",
      "times": [{"size_bytes": 8, "time_s": 0.9e-3, "deviation": 0.01}]}])"));
}

CollectiveChoice choice_of(const RuntimeFunctions& functions, std::uint64_t size_bytes = 8) {
  return choose(functions, Operation::broadcast, Algorithm::library, 16, size_bytes);
}

TEST(MeasuredCalls, DecideWhereTheyDeviateLessThanTheFunctions) {
  const CollectiveChoice choice = choice_of(measured_on_16(4));
  ASSERT_EQ(choice.verdict, Verdict::grid);
  EXPECT_EQ(to_string(choice.best->grid), "4x4");
  EXPECT_TRUE(choice.flat.measured && choice.best->total().measured);
  EXPECT_DOUBLE_EQ(choice.gain->value, 1 - 0.9 / 1.1);
  EXPECT_DOUBLE_EQ(choice.best->leader.time_s, 1e-3);  // phases are by functions

  const CollectiveChoice unmeasured = choice_of(measured_on_16(4), 9);
  EXPECT_EQ(unmeasured.verdict, Verdict::undecided);
  EXPECT_FALSE(unmeasured.flat.measured);

  const CollectiveChoice noisy = choice_of(measured_on_16(4, "0.5"));
  EXPECT_FALSE(noisy.flat.measured);
  EXPECT_DOUBLE_EQ(noisy.flat.time_s, 1e-3);
}

TEST(MeasuredCalls, DecideCallsOfTheirSizeAndClassesTheOthers) {
  const RuntimeFunctions functions = measured_on_16(4);
  EXPECT_EQ(decided_size(functions, 8), 8);
  EXPECT_EQ(decided_size(functions, 9), middle_of(class_of(9)));
  EXPECT_EQ(decided_size({}, 8), middle_of(class_of(8)));
}

/// By functions 2x8 takes 0.8 ms with a deviation of 40 %: it may be the fastest, and may be slower than
/// flat.
TEST(MeasuredCalls, ThatAreCertainlyFasterPrecedePredictionsThatMayBe) {
  const CollectiveChoice choice = choice_of(functions_from(profile_with(
      R"({"operation": "broadcast", "deviation": 0.4, "terms": [{"of_p": "1", "of_b": "1", "coefficient": 0.4e-3}]})",
      R"(, "machine": {"ranks_per_node": 4}, "measured_collectives": [
      {"operation": "broadcast", "members": 16, "times": [{"size_bytes": 8, "time_s": 1.1e-3, "deviation": 0.01}]},
      {"operation": "broadcast", "members": 16, "grid": "4x4",
       "times": [{"size_bytes": 8, "time_s": 0.9e-3, "deviation": 0.01}]}])")));
  ASSERT_EQ(choice.verdict, Verdict::grid);
  EXPECT_EQ(to_string(choice.best->grid), "4x4");
}

TEST(MeasuredCalls, SayNothingAboutRanksThatArePlacedOtherwise) {
  const RuntimeFunctions functions = measured_on_16(4);
  ASSERT_TRUE(functions.depends_on_nodes());
  EXPECT_TRUE(choice_of(functions.placed(4)).flat.measured);
  EXPECT_FALSE(choice_of(functions.placed(2)).flat.measured);
  EXPECT_FALSE(choice_of(functions.placed(0)).flat.measured);
  EXPECT_FALSE(choice_of(measured_on_16(4).placed(0)).flat.measured);
  // 32 ranks on the only node were measured; so were 16 of them.
  EXPECT_TRUE(choice_of(measured_on_16(32).placed(16)).flat.measured);
}

TEST(MeasuredCalls, AreRefusedWhereTheyAreWrong) {
  const auto with = [](const std::string& members) {
    return testing::refusal_of<ProfileError>([&] {
      return functions_from(
          profile_with("", R"(, "measured_collectives": [{"operation": "gather", )" + members + "}]"));
    });
  };
  const std::string times = R"("times": [{"size_bytes": 8, "time_s": 1, "deviation": 0}])";
  EXPECT_EQ(with(R"("members": 4, "grid": "2x2", )" + times), "");
  EXPECT_EQ(with(times), "measured_collectives[0].members: is missing; correct it");
  EXPECT_EQ(with(R"("members": 4)"), "measured_collectives[0].times: is missing; correct it");
  EXPECT_EQ(with(R"("members": 4, "grid": "65536x65536", )" + times),
            "measured_collectives[0].grid: is no P1xP2 of 4 members; correct it");
  EXPECT_EQ(with(R"("members": 4, "times": [{"size_bytes": 8, "time_s": 0, "deviation": 0}])"),
            "measured_collectives[0].times[0].time_s: give a number from 1e-12 to 1000; correct it");
  EXPECT_EQ(with(R"("members": 4, "times": [{"size_bytes": 8, "time_s": 1, "deviation": 0},
                                             {"size_bytes": 8, "time_s": 1, "deviation": 0}])"),
            "measured_collectives[0].times[1].size_bytes: is not above the one before it; correct it");
}

}  // namespace
}  // namespace stretto::network
