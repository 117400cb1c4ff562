// SPDX-License-Identifier: BSD-3-Clause
// The costs of one message that follow from runtime functions, and the prediction of consecutive calls by
// them.
#include "network/message_costs.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "known_machines.hpp"
#include "network/two_phase.hpp"

namespace stretto::network {
namespace {

TEST(MessageCosts, AreReadFromTheFunctions) {
  const auto found = message_costs_of(known_functions(clic), {});
  ASSERT_TRUE(found);
  EXPECT_DOUBLE_EQ(found->overhead_s, clic.overhead_s);
  EXPECT_NEAR(found->latency_s, clic.latency_s, 1e-15);
  EXPECT_DOUBLE_EQ(found->gap_s_per_byte, clic.gap_s_per_byte);
  EXPECT_EQ(found->eager_limit_bytes, clic.eager_limit_bytes);
}

TEST(MessageCosts, HaveNoEagerLimitWhereAllBroadcastsAreEager) {
  auto functions = known_functions(clic);
  std::erase_if(functions, [](const RuntimeFunction& one) { return one.size_bytes.low > 1; });
  EXPECT_TRUE(std::isinf(message_costs_of(functions, {})->eager_limit_bytes));
}

TEST(MessageCosts, AreUnknownForTheLibrarysAlgorithms) {
  EXPECT_FALSE(message_costs_of(known_functions(clic, Algorithm::library), {}));
  EXPECT_FALSE(message_costs_of({}, {}));
}

TEST(MessageCosts, AreMediansAndNeverNegative) {
  auto functions = known_functions(clic);
  functions[0].terms[2].coefficient *= 100;  // one of six
  EXPECT_DOUBLE_EQ(message_costs_of(functions, {})->gap_s_per_byte, clic.gap_s_per_byte);
  for (RuntimeFunction& one : functions) {
    if (!one.terms.empty()) one.terms[0].coefficient = -1e-6;
  }
  EXPECT_EQ(message_costs_of(functions, {})->overhead_s, 0);
}

TEST(MessageCosts, FunctionsOfPhasesAreNotUsed) {
  auto functions = known_functions(clic);
  for (RuntimeFunction& one : functions) one.phase = GridPhase::leader;
  EXPECT_FALSE(message_costs_of(functions, {}));
}

TEST(MessageCosts, PredictCallsInSequenceAsOne) {
  const RuntimeFunctions functions(known_functions(clic));
  for (const auto& [operation, bytes] : {std::pair{Operation::broadcast, 20'000},
                                         {Operation::allreduce, 20'000},
                                         {Operation::allgather, 4000}}) {
    const auto b = static_cast<std::uint64_t>(bytes);
    const double alone_s = makespan_s(rooted_operations_of(operation, 20, {}, bytes), clic);
    EXPECT_NEAR(functions.predict(operation, Algorithm::reference, std::nullopt, 20, b).time_s, alone_s,
                0.02 * alone_s);
    for (const Grid& grid : {Grid{.rows = 4, .columns = 5}, Grid{.rows = 2, .columns = 10}}) {
      std::vector<GroupedOperation> whole;
      for (auto& phase : phase_operations(operation, grid)) {
        for (GroupedOperation& one : phase) {
          one.size *= bytes;
          whole.push_back(one);
        }
      }
      const double whole_s = makespan_s(whole, clic);
      EXPECT_NEAR(predict_two_phase(functions, operation, Algorithm::reference, grid, b).total().time_s,
                  whole_s, 0.02 * whole_s);
    }
  }
}

TEST(MessageCosts, OtherAlgorithmsHaveNoCoupling) {
  const RuntimeFunctions functions(known_functions(clic));
  const auto phases = phase_operations(Operation::broadcast, {.rows = 4, .columns = 4});
  EXPECT_NE(functions.makespan_excess_s(Algorithm::reference, phases, 1000), 0);
  EXPECT_EQ(functions.makespan_excess_s(Algorithm::library, phases, 1000), 0);
}

}  // namespace
}  // namespace stretto::network
