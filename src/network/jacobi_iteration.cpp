// SPDX-License-Identifier: BSD-3-Clause
#include "network/jacobi_iteration.hpp"

#include <algorithm>
#include <array>
#include <cstddef>

namespace stretto::network {
namespace {

constexpr std::int64_t element_bytes = 8;  // bytes per element; equations 1 and 2 count elements
// The difference between these numbers of iterations excludes the start-up.
constexpr int earlier_iterations = 2;
constexpr int later_iterations = 4;

/// ceil(n / p): the rows, or columns, of the most loaded rank, for which all others wait.
std::int64_t block_rows(const JacobiProblem& problem) {
  return (problem.unknowns + problem.ranks - 1) / problem.ranks;
}

std::int64_t row_length(const JacobiProblem& problem, JacobiLayout layout) {
  return layout == JacobiLayout::row ? problem.unknowns : problem.unknowns - 1;
}

struct Communication {
  Operation operation = Operation::broadcast;
  std::uint64_t size_bytes = 0;
};

/// Row layout: each rank contributes its block of the vector. Column layout: all ranks contribute to the
/// whole vector.
std::vector<Communication> communications(const JacobiProblem& problem, JacobiLayout layout) {
  const auto block = static_cast<std::uint64_t>(element_bytes * block_rows(problem));
  const auto vector = static_cast<std::uint64_t>(element_bytes * problem.unknowns);
  if (layout == JacobiLayout::row) return {{Operation::allgather, block}};
  return {{Operation::reduce, vector}, {Operation::broadcast, vector}};
}

/// The rooted operations of one collective of an iteration, with sizes in bytes.
std::vector<GroupedOperation> messages_of(const Communication& communication, int ranks,
                                          const std::optional<Grid>& grid) {
  const auto bytes = static_cast<double>(communication.size_bytes);
  if (!grid) return rooted_operations_of(communication.operation, ranks, {}, bytes);
  std::vector<GroupedOperation> all;
  for (auto& phase : phase_operations(communication.operation, *grid)) {
    for (GroupedOperation& one : phase) {
      one.size *= bytes;
      all.push_back(one);
    }
  }
  return all;
}

/// An iteration as the ranks run it: its collectives, and the computation of each rank before each of them.
struct Loop {
  std::vector<std::vector<GroupedOperation>> collectives;
  std::vector<std::vector<double>> compute_s;  ///< per collective and rank

  [[nodiscard]] double time_s(const MessageCosts& costs, int iterations) const {
    RankPrograms programs(compute_s.front().size());
    for (int i = 0; i < iterations; ++i) {
      for (std::size_t c = 0; c < collectives.size(); ++c) {
        for (std::size_t rank = 0; rank < compute_s[c].size(); ++rank) {
          programs[rank].push_back(
              {.kind = RankAction::Kind::compute, .peers = {}, .amount = compute_s[c][rank]});
        }
        for (const GroupedOperation& one : collectives[c]) append(programs, one);
      }
    }
    return makespan_s(programs, costs);
  }
};

Loop loop_of(const JacobiProblem& problem, JacobiLayout layout, double operation_s,
             const std::optional<Grid>& grid) {
  Loop loop;
  for (const Communication& one : communications(problem, layout)) {
    loop.collectives.push_back(messages_of(one, problem.ranks, grid));
  }
  const std::int64_t lines = block_rows(problem);
  std::vector<double>& own_s = loop.compute_s.emplace_back();
  for (int rank = 0; rank < problem.ranks; ++rank) {
    const std::int64_t own = std::clamp<std::int64_t>(problem.unknowns - lines * rank, 0, lines);
    own_s.push_back(static_cast<double>(2 * own * row_length(problem, layout)) * operation_s);
  }
  if (layout == JacobiLayout::column) {  // the root computes the new vector from the sum
    std::vector<double>& root_s = loop.compute_s.emplace_back(own_s.size(), 0.0);
    root_s.front() = static_cast<double>(2 * problem.unknowns) * operation_s;
  }
  return loop;
}

/// The time of an iteration among others minus the sum of its longest computation and its collectives;
/// often negative. A rank that has its part of the new vector computes and sends while others still wait.
double beyond_equations_s(const Loop& loop, const MessageCosts& costs) {
  const double steady_s = (loop.time_s(costs, later_iterations) - loop.time_s(costs, earlier_iterations)) /
                          (later_iterations - earlier_iterations);
  double sum_s = std::ranges::max(loop.compute_s.front());
  for (const auto& collective : loop.collectives) sum_s += makespan_s(collective, costs);
  return steady_s - sum_s;
}

const JacobiIteration* flat_of(JacobiLayout layout, std::span<const JacobiIteration> among) {
  const auto found = std::ranges::find_if(
      among, [&](const JacobiIteration& one) { return one.layout == layout && !one.grid; });
  return found == among.end() ? nullptr : &*found;
}

}  // namespace

CallTime JacobiIteration::time() const {
  return added(std::array{CallTime{.time_s = compute_s}, communication});
}

JacobiIteration predict_iteration(const RuntimeFunctions& functions, Algorithm algorithm,
                                  const JacobiProblem& problem, JacobiLayout layout, double operation_s,
                                  const std::optional<Grid>& grid) {
  std::vector<CallTime> calls;
  for (const Communication& one : communications(problem, layout)) {
    calls.push_back(
        grid ? predict_two_phase(functions, one.operation, algorithm, *grid, one.size_bytes).total()
             : functions.predict_flat(one.operation, algorithm, problem.ranks, one.size_bytes));
  }
  if (const auto costs = functions.message_costs(algorithm)) {
    calls.push_back({.time_s = beyond_equations_s(loop_of(problem, layout, operation_s, grid), *costs)});
  }
  const std::int64_t operations = 2 * block_rows(problem) * row_length(problem, layout);
  return {.layout = layout,
          .grid = grid,
          .compute_s = static_cast<double>(operations) * operation_s,
          .communication = added(calls)};
}

std::vector<JacobiIteration> all_iterations(const RuntimeFunctions& functions, Algorithm algorithm,
                                            const JacobiProblem& problem,
                                            std::span<const JacobiOperationTime> layouts,
                                            std::span<const std::optional<Grid>> grids) {
  std::vector<JacobiIteration> found;
  for (const auto& [layout, operation_s] : layouts) {
    for (const std::optional<Grid>& grid : grids) {
      found.push_back(predict_iteration(functions, algorithm, problem, layout, operation_s, grid));
    }
  }
  std::ranges::stable_sort(found, [](const JacobiIteration& one, const JacobiIteration& other) {
    const CallTime mine = one.time();
    const CallTime theirs = other.time();
    return mine.known() && (!theirs.known() || mine.time_s < theirs.time_s);
  });
  for (JacobiIteration& one : found) {
    const JacobiIteration* flat = one.grid ? flat_of(one.layout, found) : nullptr;
    if (flat != nullptr) one.gain = gain_of(flat->time(), one.time());
  }
  return found;
}

std::optional<std::size_t> choose_iteration(std::span<const JacobiIteration> fastest_first) {
  for (std::size_t i = 0; i < fastest_first.size(); ++i) {
    const JacobiIteration& one = fastest_first[i];
    if (!one.time().known()) continue;
    const bool is_by_itself = !one.grid || flat_of(one.layout, fastest_first) == nullptr;
    if (is_by_itself || (one.gain && one.gain->ci95_low > 0)) return i;
  }
  return std::nullopt;
}

}  // namespace stretto::network
