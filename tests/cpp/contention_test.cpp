// SPDX-License-Identifier: BSD-3-Clause
// What messages take of a torus and of a switch, against what SimGrid's took; and as terms of a profile.
#include "network/contention.hpp"

#include <gtest/gtest.h>

#include <string>
#include <tuple>
#include <vector>

#include "known_machines.hpp"
#include "network/two_phase.hpp"
#include "profile_functions.hpp"

namespace stretto::network {
namespace {

const Torus torus = {8, 8, 8};
const GroupPlacement sixteen_by_two{.stride = 2, .groups = 2};  // the columns of 16 x 2

// What SimGrid's torus took, in messages of a link, is whole.
TEST(Contention, OfAFlatCallEqualsTheTorus) {
  const auto alone = [](Operation operation, int p, Sending sending) {
    return link_time({.operation = operation, .members = p, .placement = {}}, torus, sending);
  };
  for (const auto& [p, eager, serialised] :
       {std::tuple{2, 1, 1}, {8, 7, 7}, {12, 7, 8}, {36, 10, 11}, {64, 14, 14}}) {
    EXPECT_NEAR(alone(Operation::broadcast, p, Sending::eager), eager, 1e-6) << p;
    EXPECT_NEAR(alone(Operation::broadcast, p, Sending::serialised), serialised, 1e-6) << p;
  }
  EXPECT_NEAR(alone(Operation::gather, 40, Sending::eager), 32, 1e-6);  // by one link into the root
  EXPECT_NEAR(alone(Operation::gather, 40, Sending::serialised), 39, 1e-6);
  EXPECT_NEAR(alone(Operation::scatter, 36, Sending::eager), 19, 1e-6);
  EXPECT_NEAR(alone(Operation::reduce, 4, Sending::serialised), 3, 1e-6);
  EXPECT_NEAR(alone(Operation::reduce, 40, Sending::serialised), 6, 1e-6);
  EXPECT_NEAR(alone(Operation::reduce, 40, Sending::eager), 6, 1e-6);
  EXPECT_NEAR(alone(Operation::scatter, 36, Sending::serialised), 35, 1e-6);
}

TEST(Contention, OfConcurrentGroupsIsThatOfAllTheirMessages) {
  EXPECT_NEAR(link_time({.operation = Operation::scatter, .members = 16, .placement = sixteen_by_two}, torus,
                        Sending::serialised),
              27, 1e-6);
  EXPECT_NEAR(link_time({.operation = Operation::scatter, .members = 16, .placement = sixteen_by_two}, torus,
                        Sending::eager),
              16, 1e-6);
  EXPECT_NEAR(
      link_time({.operation = Operation::broadcast, .members = 4, .placement = {.stride = 4, .groups = 4}},
                torus, Sending::eager),
      8, 1e-6);
  const GroupedOperation columns_of_four{
      .operation = Operation::broadcast, .members = 4, .placement = {.stride = 4, .groups = 4}};
  EXPECT_NEAR(link_time(columns_of_four, torus, Sending::serialised), 8, 1e-6);
  const GroupedOperation pairs{
      .operation = Operation::reduce, .members = 2, .placement = {.stride = 24, .groups = 24}};
  EXPECT_NEAR(link_time(pairs, torus, Sending::eager), 3, 1e-6);
  EXPECT_NEAR(link_time(pairs, torus, Sending::serialised), 3, 1e-6);
  // On a switch they have links of their own, and an eager tree is the sends on its longest path.
  EXPECT_NEAR(link_time({.operation = Operation::scatter, .members = 16, .placement = sixteen_by_two}, {},
                        Sending::serialised),
              15, 1e-6);
  EXPECT_NEAR(link_time({.operation = Operation::broadcast, .members = 16, .placement = sixteen_by_two}, {},
                        Sending::eager),
              10, 1e-6);
  EXPECT_NEAR(link_time({.operation = Operation::broadcast, .members = 16, .placement = sixteen_by_two}, {},
                        Sending::serialised),
              4, 1e-6);
}

TEST(Contention, OverheadsAreThoseOfTheLongestPath) {
  for (const auto& [p, sends] : {std::pair{2, 2}, {4, 4}, {5, 4}, {12, 7}, {20, 8}, {64, 12}}) {
    EXPECT_EQ(overheads(Operation::broadcast, p), sends) << p;
  }
  for (const auto& [p, sends] : {std::pair{2, 2}, {4, 4}, {5, 5}, {12, 7}, {20, 9}, {64, 12}}) {
    EXPECT_EQ(overheads(Operation::reduce, p), sends) << p;
  }
  EXPECT_EQ(overheads(Operation::gather, 20), 20);
  EXPECT_EQ(overheads(Operation::scatter, 20), 20);
}

TEST(Contention, OfConcurrentGroupsOnASwitchIsThatOfOneAlone) {
  for (const auto& [operation, p] : {std::pair{Operation::broadcast, 16},
                                     {Operation::reduce, 12},
                                     {Operation::gather, 7},
                                     {Operation::scatter, 3}}) {
    for (const Sending sending : {Sending::eager, Sending::serialised}) {
      const GroupedOperation alone{.operation = operation, .members = p, .placement = {}};
      const GroupedOperation five{
          .operation = operation, .members = p, .placement = {.stride = 5, .groups = 5}};
      EXPECT_NEAR(link_time(five, {}, sending), link_time(alone, {}, sending), 1e-9) << p;
    }
  }
  const GroupedOperation flat{.operation = Operation::broadcast, .members = 96, .placement = {}};
  EXPECT_NEAR(link_time(flat, {}, Sending::eager), 27, 1e-9);
  EXPECT_NEAR(link_time(flat, {}, Sending::serialised), 7, 1e-9);
}

TEST(Contention, IsZeroBeyondTheSumWhereMessagesAreNotKnown) {
  const MessageCosts costs{.gap_s_per_byte = 1e-9, .torus = {}};
  EXPECT_EQ(makespan_excess_s(costs,
                              {rooted_operations_of(Operation::alltoall, 4, {}, 1),
                               rooted_operations_of(Operation::alltoall, 4, {}, 1)},
                              100),
            0);
  EXPECT_EQ(makespan_excess_s(costs,
                              {rooted_operations_of(Operation::broadcast, 4, {}, 1),
                               rooted_operations_of(Operation::alltoall, 4, {}, 1)},
                              100),
            0);
  EXPECT_EQ(makespan_excess_s(costs, {rooted_operations_of(Operation::broadcast, 4, {}, 1)}, 100), 0);
}

// A simulated T3E took 1735.5 us for both phases, and 322.0 and 1659.6 us for each alone.
TEST(Contention, ConsecutiveOperationsMayTakeLessThanTheirSum) {
  auto phases = phase_operations(Operation::broadcast, {.rows = 12, .columns = 3});
  EXPECT_NEAR(makespan_excess_s(t3e, phases, 50'000), -246e-6, 10e-6);
  phases.emplace_back();  // an operation whose messages are not known
  EXPECT_EQ(makespan_excess_s(t3e, phases, 50'000), 0);
}

TEST(Contention, IsInThePredictionsOfSumsAndOfTwoPhases) {
  const std::string entries = R"({"schema": "stretto.profile/1.0", "collectives": [
      {"operation": "reduce", "algorithm": "reference",
       "terms": [{"of_p": "links-eager", "of_b": "b", "coefficient": 1e-9}]},
      {"operation": "broadcast", "algorithm": "reference",
       "terms": [{"of_p": "links-eager", "of_b": "b", "coefficient": 1e-9}]},
      {"operation": "allreduce", "algorithm": "reference",
       "sum_of": [{"operation": "reduce", "of_b": "b"}, {"operation": "broadcast", "of_b": "b"}]}]})";
  const auto functions = functions_from(entries);
  const MessageCosts costs{.gap_s_per_byte = 1e-9, .eager_limit_bytes = 1e9, .torus = {}};
  const auto whole_s = [&](const std::vector<GroupedOperation>& parts) {
    return makespan_s(programs_of(parts), costs);
  };
  const auto flat = functions.predict(Operation::allreduce, Algorithm::reference, std::nullopt, 12, 1000);
  EXPECT_NEAR(flat.time_s, whole_s(rooted_operations_of(Operation::allreduce, 12, {}, 1000)), 1e-12);
  const auto grid = predict_two_phase(functions, Operation::broadcast, Algorithm::reference,
                                      {.rows = 4, .columns = 5}, 1000);
  EXPECT_NEAR(grid.total().time_s,
              whole_s({{Operation::broadcast, 5, {}, 1000},
                       {Operation::broadcast, 4, {.stride = 5, .groups = 5}, 1000}}),
              1e-12);
  EXPECT_GT(grid.total().time_s, 12e-6);  // the sum of the phases is 4 + 3 messages
}

TEST(Contention, IsPartOfTheFunctionsOfAProfile) {
  const std::string functions = R"("collectives": [{"operation": "scatter", "algorithm": "reference",
      "terms": [{"of_p": "links-in-turn", "of_b": "b", "coefficient": 1e-9}]}])";
  const auto read = [&](const std::string& more) {
    return functions_from(R"({"schema": "stretto.profile/1.0", )" + functions + more + "}");
  };
  const auto time_s = [&](const std::string& more) {
    return read(more)
        .predict(Operation::scatter, Algorithm::reference, GridPhase::concurrent, 16, 1000, sixteen_by_two)
        .time_s;
  };
  EXPECT_NEAR(time_s(""), 15e-6, 1e-12);
  EXPECT_NEAR(time_s(R"(, "torus": [8, 8, 8])"), 27e-6, 1e-12);
  const auto whole = predict_two_phase(read(R"(, "torus": [8, 8, 8])"), Operation::scatter,
                                       Algorithm::reference, {.rows = 16, .columns = 2}, 1000);
  EXPECT_NEAR(whole.total().time_s, 16e-6 + 27e-6, 1e-12);  // a row of two, 16 blocks to each
  for (const char* wrong : {"[]", "8", "[8, 0]", "[1.5]", "[100000, 100000]", "[1, 1, 1, 1, 1, 1, 1]"}) {
    EXPECT_THROW((void)read(std::string{R"(, "torus": )"} + wrong), ProfileError) << wrong;
  }
  EXPECT_THROW((void)functions_from(R"({"schema": "stretto.profile/1.0", "collectives": [
      {"operation": "scatter", "terms": [{"of_p": "links-eager", "of_b": "b", "coefficient": 1e-9}]}]})"),
               ProfileError);
}

}  // namespace
}  // namespace stretto::network
