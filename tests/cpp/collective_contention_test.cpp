// SPDX-License-Identifier: BSD-3-Clause
// What messages take of a torus and of a switch, against what SimGrid's took; and as terms of a profile.
#include <gtest/gtest.h>

#include <string>
#include <tuple>

#include "collective/choice.hpp"
#include "collective/contention.hpp"

namespace stretto::collective {
namespace {

const Torus torus = {8, 8, 8};
const Placement sixteen_by_two{.stride = 2, .groups = 2};  // the columns of 16 x 2

// What SimGrid's torus took, in messages of a link, is whole: docs/decisions/0080.
TEST(Contention, OfAFlatCallIsWhatTheTorusTakes) {
  const auto alone = [](Operation operation, int p, Sending sending) {
    return link_time(operation, p, {}, torus, sending);
  };
  for (const auto& [p, eager, in_turn] :
       {std::tuple{2, 1, 1}, {8, 7, 7}, {12, 7, 8}, {36, 10, 11}, {64, 14, 14}}) {
    EXPECT_NEAR(alone(Operation::broadcast, p, Sending::eager), eager, 1e-6) << p;
    EXPECT_NEAR(alone(Operation::broadcast, p, Sending::in_turn), in_turn, 1e-6) << p;
  }
  EXPECT_NEAR(alone(Operation::gather, 40, Sending::eager), 32, 1e-6);  // by one link into the root
  EXPECT_NEAR(alone(Operation::gather, 40, Sending::in_turn), 39, 1e-6);
  EXPECT_NEAR(alone(Operation::scatter, 36, Sending::eager), 19, 1e-6);
  EXPECT_NEAR(alone(Operation::reduce, 4, Sending::in_turn), 3, 1e-6);
  EXPECT_NEAR(alone(Operation::reduce, 40, Sending::in_turn), 6, 1e-6);
}

TEST(Contention, OfConcurrentGroupsIsTheirsTogether) {
  EXPECT_NEAR(link_time(Operation::scatter, 16, sixteen_by_two, torus, Sending::in_turn), 27, 1e-6);
  EXPECT_NEAR(link_time(Operation::scatter, 16, sixteen_by_two, torus, Sending::eager), 16, 1e-6);
  EXPECT_NEAR(link_time(Operation::broadcast, 4, {.stride = 4, .groups = 4}, torus, Sending::eager), 8, 1e-6);
  // On a switch they have links of their own, and an eager tree is the sends on its longest path.
  EXPECT_NEAR(link_time(Operation::scatter, 16, sixteen_by_two, {}, Sending::in_turn), 15, 1e-6);
  EXPECT_NEAR(link_time(Operation::broadcast, 16, sixteen_by_two, {}, Sending::eager), 10, 1e-6);
  EXPECT_NEAR(link_time(Operation::broadcast, 16, sixteen_by_two, {}, Sending::in_turn), 4, 1e-6);
}

TEST(Contention, CountsTheOverheadsOfTheLongestPath) {
  for (const auto& [p, sends] : {std::pair{2, 2}, {4, 4}, {5, 4}, {12, 7}, {20, 8}, {64, 12}}) {
    EXPECT_EQ(overheads(Operation::broadcast, p), sends) << p;
  }
  for (const auto& [p, sends] : {std::pair{2, 2}, {4, 4}, {5, 5}, {12, 7}, {20, 9}, {64, 12}}) {
    EXPECT_EQ(overheads(Operation::reduce, p), sends) << p;
  }
  EXPECT_EQ(overheads(Operation::gather, 20), 20);
}

TEST(Contention, IsPartOfTheFunctionsOfAProfile) {
  const std::string functions = R"("collectives": [{"operation": "scatter", "algorithm": "reference",
      "terms": [{"of_p": "links-in-turn", "of_b": "b", "coefficient": 1e-9}]}])";
  const auto read = [&](const std::string& more) {
    return RuntimeFunctions::from_profile(R"({"schema": "stretto.profile/1.0", )" + functions + more + "}");
  };
  const auto time_s = [&](const std::string& more) {
    return read(more)
        .predict(Operation::scatter, Algorithm::reference, Phase::concurrent, 16, 1000, sixteen_by_two)
        ->time_s;
  };
  EXPECT_NEAR(time_s(""), 15e-6, 1e-12);
  EXPECT_NEAR(time_s(R"(, "torus": [8, 8, 8])"), 27e-6, 1e-12);
  const auto whole = predict_two_phase(read(R"(, "torus": [8, 8, 8])"), Operation::scatter,
                                       Algorithm::reference, {.rows = 16, .columns = 2}, 1000);
  EXPECT_NEAR(whole->time_s, 16e-6 + 27e-6, 1e-12);  // a row of two, 16 blocks to each
  for (const char* wrong : {"[]", "8", "[8, 0]", "[1.5]", "[100000, 100000]", "[1, 1, 1, 1, 1, 1, 1]"}) {
    EXPECT_THROW((void)read(std::string{R"(, "torus": )"} + wrong), ProfileError) << wrong;
  }
  EXPECT_THROW((void)RuntimeFunctions::from_profile(R"({"schema": "stretto.profile/1.0", "collectives": [
      {"operation": "scatter", "terms": [{"of_p": "links-eager", "of_b": "b", "coefficient": 1e-9}]}]})"),
               ProfileError);
}

}  // namespace
}  // namespace stretto::collective
