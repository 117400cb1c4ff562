// SPDX-License-Identifier: BSD-3-Clause
#include "network/two_phase.hpp"

#include <algorithm>
#include <array>
#include <string>

namespace stretto::network {
namespace {

constexpr std::array<int, 6> segment_counts = {2, 4, 8, 16, 32, 64};

bool can_be_cut(Operation operation) {
  return operation == Operation::broadcast || operation == Operation::reduce;
}

/// Operations that collect data use the columns first.
bool is_concurrent_first(Operation operation) {
  return operation == Operation::gather || operation == Operation::reduce;
}

/// The number of blocks of b bytes that an operation of a phase handles.
int phase_blocks(Operation operation, GridPhase phase, const Grid& grid) {
  const bool leads = phase == GridPhase::leader;
  switch (operation) {
    case Operation::broadcast:
    case Operation::reduce:
    case Operation::allreduce:
      return 1;
    case Operation::gather:
    case Operation::scatter:
      return leads ? grid.rows : 1;
    case Operation::allgather:
    case Operation::reduce_scatter:
      return leads ? 1 : grid.columns;
    case Operation::alltoall:
      return leads ? grid.rows : grid.columns;
  }
  return 1;
}

CallTime predict_phase(const RuntimeFunctions& functions, Operation operation, Algorithm algorithm,
                       GridPhase phase, const Grid& grid, std::uint64_t size_bytes) {
  return functions.predict(operation, algorithm, phase, phase_members(phase, grid),
                           phase_bytes(operation, phase, grid, size_bytes),
                           phase_placement(operation, phase, grid));
}

}  // namespace

CallTime TwoPhaseTime::total() const {
  const std::array phases = {leader, concurrent};
  if (segments == 1) return measured ? *measured : in_sequence(phases, excess_s);
  CallTime all = added(phases);
  if (!all.known()) return all;
  const double hidden_s = (segments - 1) * overlap * std::min(leader.time_s, concurrent.time_s);
  all.time_s = segments * all.time_s - hidden_s;
  return all;
}

std::uint64_t phase_bytes(Operation operation, GridPhase phase, const Grid& grid, std::uint64_t size_bytes) {
  return bytes_of(phase_blocks(operation, phase, grid), size_bytes);
}

int phase_members(GridPhase phase, const Grid& grid) {
  return phase == GridPhase::leader ? grid.columns : grid.rows;
}

GroupPlacement phase_placement(Operation operation, GridPhase phase, const Grid& grid) {
  if (phase == GridPhase::concurrent) return {.stride = grid.columns, .groups = grid.columns};
  return {.stride = 1, .groups = is_rooted(operation) ? 1 : grid.rows};
}

std::vector<std::vector<GroupedOperation>> phase_operations(Operation operation, const Grid& grid) {
  std::vector<std::vector<GroupedOperation>> phases;
  for (const GridPhase phase : {GridPhase::leader, GridPhase::concurrent}) {
    phases.push_back(rooted_operations_of(operation, phase_members(phase, grid),
                                          phase_placement(operation, phase, grid),
                                          phase_blocks(operation, phase, grid)));
  }
  if (is_concurrent_first(operation)) std::swap(phases[0], phases[1]);
  return phases;
}

TwoPhaseTime predict_segmented(const RuntimeFunctions& functions, Operation operation, Algorithm algorithm,
                               const Grid& grid, std::uint64_t size_bytes, int segments, double overlap) {
  const std::uint64_t bytes = size_bytes / static_cast<std::uint64_t>(segments);
  return {.grid = grid,
          .leader = predict_phase(functions, operation, algorithm, GridPhase::leader, grid, bytes),
          .concurrent = predict_phase(functions, operation, algorithm, GridPhase::concurrent, grid, bytes),
          .segments = segments,
          .overlap = overlap};
}

TwoPhaseTime predict_two_phase(const RuntimeFunctions& functions, Operation operation, Algorithm algorithm,
                               const Grid& grid, std::uint64_t size_bytes) {
  TwoPhaseTime whole = predict_segmented(functions, operation, algorithm, grid, size_bytes, 1, 0);
  whole.excess_s = functions.coupling_s(operation, algorithm, grid, size_bytes) +
                   functions.makespan_excess_s(algorithm, phase_operations(operation, grid), size_bytes);
  const int ranks = grid.rows * grid.columns;
  const CallTime best = functions.or_measured(whole.total(), operation, algorithm, ranks, grid, size_bytes);
  if (best.measured) whole.measured = best;
  return whole;
}

bool can_be_ragged(Operation operation) {
  return operation != Operation::reduce_scatter && operation != Operation::alltoall;
}

TwoPhaseTime predict_ragged(const RuntimeFunctions& functions, Operation operation, Algorithm algorithm,
                            const Grid& grid, std::uint64_t size_bytes) {
  if (!can_be_ragged(operation)) {
    const CallTime unknown{.unknown_reason = std::string{to_string(operation)} + " has no ragged grid"};
    return {.grid = grid, .leader = unknown, .concurrent = unknown};
  }
  const auto in_columns = [&](Operation one, std::uint64_t bytes) {
    return functions.predict(one, algorithm, GridPhase::concurrent, grid.rows, bytes,
                             phase_placement(one, GridPhase::concurrent, grid));
  };
  const auto in_first_row = [&](Operation one, std::uint64_t bytes) {
    return functions.predict(one, algorithm, GridPhase::leader, grid.columns, bytes);
  };
  TwoPhaseTime found{.grid = grid, .leader = in_first_row(operation, size_bytes)};
  switch (operation) {
    case Operation::allreduce:
      found.concurrent = added(std::array{in_columns(Operation::reduce, size_bytes),
                                          in_columns(Operation::broadcast, size_bytes)});
      break;
    case Operation::allgather:
      found.leader = in_first_row(operation, bytes_of(grid.rows, size_bytes));
      found.concurrent =
          added(std::array{in_columns(Operation::gather, size_bytes),
                           in_columns(Operation::broadcast, bytes_of(grid.rows * grid.columns, size_bytes))});
      break;
    default:
      found.leader = in_first_row(operation, phase_bytes(operation, GridPhase::leader, grid, size_bytes));
      found.concurrent = in_columns(operation, size_bytes);
  }
  return found;
}

TwoPhaseTime fastest_segments(const RuntimeFunctions& functions, Operation operation, Algorithm algorithm,
                              const Grid& grid, std::uint64_t size_bytes) {
  TwoPhaseTime best = predict_two_phase(functions, operation, algorithm, grid, size_bytes);
  const auto overlap = functions.phases_overlap(operation, algorithm, grid.rows * grid.columns, size_bytes);
  if (!overlap || !can_be_cut(operation) || !best.total().known()) return best;
  for (const int segments : segment_counts) {
    TwoPhaseTime cut =
        predict_segmented(functions, operation, algorithm, grid, size_bytes, segments, *overlap);
    const CallTime total = cut.total();
    if (!total.known()) break;
    const CallTime known = best.total();
    // A measured time is replaced only by a prediction that is shorter in spite of both deviations.
    const double longest_s = known.measured ? total.time_s * (1 + total.deviation) : total.time_s;
    const double shortest_s = known.measured ? known.time_s * (1 - known.deviation) : known.time_s;
    if (longest_s < shortest_s) best = std::move(cut);
  }
  return best;
}

}  // namespace stretto::network
