// SPDX-License-Identifier: BSD-3-Clause
// What is chosen follows from the intervals of the predictions of flat and of the best grid.
#include "network/collective_choice.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <string>

#include "profile_functions.hpp"

namespace stretto::network {
namespace {

TEST(Choice, IsThePapersWinOnTheClicAndNothingWhereThereIsNone) {
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

TEST(Choice, TakesAFunctionOfThePhaseBeforeAGeneralOneAndCutsTheMessageWhereThatPays) {
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

TEST(Choice, HasFourClassesOfSizesFromOnePowerOfTwoToTheNext) {
  for (const std::uint64_t size : {1, 80, 1000, 65536, 1 << 30}) {
    const auto middle = static_cast<double>(middle_of(class_of(size)));
    EXPECT_LT(std::abs(std::log2(middle / static_cast<double>(size))), 0.6) << size;
  }
  EXPECT_EQ(class_of(2048), class_of(1024) + 4);
}

}  // namespace
}  // namespace stretto::network
