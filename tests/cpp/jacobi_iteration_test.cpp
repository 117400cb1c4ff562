// SPDX-License-Identifier: BSD-3-Clause
// Iterations of the Jacobi method: equations 1 and 2, simulated times, and the chosen layout.
#include "network/jacobi_iteration.hpp"

#include <gtest/gtest.h>

#include <array>

#include "known_machines.hpp"

namespace stretto::network {
namespace {

constexpr double operation_s = 1.25e-9;

RuntimeFunction per_byte(Operation operation, double coefficient) {
  return {.operation = operation,
          .terms = {{.of_p = MemberFactor::p_minus_1, .of_bytes = true, .coefficient = coefficient}}};
}

TEST(JacobiIteration, EqualsEquations1And2) {
  const RuntimeFunctions functions({per_byte(Operation::allgather, 3e-9), per_byte(Operation::reduce, 2e-9),
                                    per_byte(Operation::broadcast, 1e-9)});
  const auto flat_s = [&](JacobiLayout layout, std::int64_t unknowns) {
    return predict_iteration(functions, Algorithm::library, {.unknowns = unknowns, .ranks = 96}, layout,
                             operation_s, {})
        .time()
        .time_s;
  };
  EXPECT_NEAR(flat_s(JacobiLayout::row, 960), 2 * 960.0 * 960 / 96 * operation_s + 95 * 3e-9 * 8 * 10, 1e-12);
  EXPECT_NEAR(flat_s(JacobiLayout::column, 960), 2 * 960.0 / 96 * 959 * operation_s + 95 * 3e-9 * 8 * 960,
              1e-12);
  // All ranks wait for the rank with most rows: 11 of 1000.
  EXPECT_NEAR(flat_s(JacobiLayout::row, 1000), 2 * 11.0 * 1000 * operation_s + 95 * 3e-9 * 8 * 11, 1e-12);
}

/// Seconds that an iteration took on simulated clic with the reference algorithms.
struct SimulatedIteration {
  JacobiProblem problem;
  JacobiLayout layout;
  std::optional<Grid> grid;
  double measured_s;
};

class SimulatedIterations : public ::testing::TestWithParam<SimulatedIteration> {};

TEST_P(SimulatedIterations, FollowTheSimulation) {
  const SimulatedIteration& one = GetParam();
  const auto found = predict_iteration(RuntimeFunctions(known_functions(clic)), Algorithm::reference,
                                       one.problem, one.layout, operation_s, one.grid);
  EXPECT_NEAR(found.time().time_s, one.measured_s, 0.05 * one.measured_s);
}

constexpr Grid four_by_four{.rows = 4, .columns = 4};

INSTANTIATE_TEST_SUITE_P(
    OnClic, SimulatedIterations,
    ::testing::Values(SimulatedIteration{{1000, 16}, JacobiLayout::row, {}, 7.841e-3},
                      SimulatedIteration{{1000, 16}, JacobiLayout::row, four_by_four, 3.976e-3},
                      SimulatedIteration{{4000, 16}, JacobiLayout::row, {}, 32.280e-3},
                      SimulatedIteration{{1000, 16}, JacobiLayout::column, {}, 12.366e-3},
                      SimulatedIteration{{1000, 16}, JacobiLayout::column, four_by_four, 11.114e-3},
                      SimulatedIteration{{2000, 32}, JacobiLayout::column, {}, 34.248e-3}));

TEST(JacobiIteration, EqualsThePapersEquationsWithoutKnownMessages) {
  const RuntimeFunctions functions(known_functions(clic, Algorithm::library));
  const auto column = predict_iteration(functions, Algorithm::library, {.unknowns = 1000, .ranks = 16},
                                        JacobiLayout::column, 1e-9, {});
  double expected_s = 2 * 63 * 999 * 1e-9;
  for (const Operation operation : {Operation::reduce, Operation::broadcast}) {
    expected_s += functions.predict(operation, Algorithm::library, std::nullopt, 16, 8000).time_s;
  }
  EXPECT_NEAR(column.time().time_s, expected_s, 1e-15);
}

JacobiIteration iteration(JacobiLayout layout, std::optional<Grid> grid, double time_s,
                          std::optional<Gain> gain = {}) {
  return {.layout = layout, .grid = grid, .communication = {.time_s = time_s}, .gain = gain};
}

TEST(JacobiIteration, AGridIsChosenWhereItsGainIsCertainOrItWasRequested) {
  const auto choice = [](std::initializer_list<JacobiIteration> fastest_first) {
    return choose_iteration(std::vector(fastest_first));
  };
  const Gain certain{.value = 0.5, .ci95_low = 0.1, .ci95_high = 0.6};
  const Gain uncertain{.value = 0.5, .ci95_low = -0.1, .ci95_high = 0.6};
  const JacobiIteration flat = iteration(JacobiLayout::row, {}, 2);
  EXPECT_EQ(choice({iteration(JacobiLayout::row, four_by_four, 1, certain), flat}), 0U);
  EXPECT_EQ(choice({iteration(JacobiLayout::row, four_by_four, 1, uncertain), flat}), 1U);
  EXPECT_EQ(choice({iteration(JacobiLayout::row, four_by_four, 1), flat}), 1U);
  EXPECT_EQ(choice({iteration(JacobiLayout::column, four_by_four, 1), flat}), 0U);  // without a flat time
  JacobiIteration unknown = flat;
  unknown.communication = {.unknown_reason = "why"};
  EXPECT_EQ(choice({unknown}), std::nullopt);
  EXPECT_EQ(choice({}), std::nullopt);
}

TEST(JacobiIteration, AllAreRankedByTimeWithTheirGains) {
  const RuntimeFunctions functions({per_byte(Operation::allgather, 3e-9)});
  const std::array layouts = {JacobiOperationTime{JacobiLayout::row, operation_s},
                              JacobiOperationTime{JacobiLayout::column, operation_s}};
  const std::array<std::optional<Grid>, 2> grids = {std::nullopt, four_by_four};
  const auto found =
      all_iterations(functions, Algorithm::library, {.unknowns = 1600, .ranks = 16}, layouts, grids);
  ASSERT_EQ(found.size(), 4U);
  EXPECT_LE(found[0].time().time_s, found[1].time().time_s);
  EXPECT_EQ(found[0].layout, JacobiLayout::row);
  EXPECT_FALSE(found[2].time().known() || found[3].time().known());
  for (const JacobiIteration& one : found) {
    EXPECT_EQ(one.gain.has_value(), one.grid && one.layout == JacobiLayout::row);
  }
}

}  // namespace
}  // namespace stretto::network
