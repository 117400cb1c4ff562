// SPDX-License-Identifier: BSD-3-Clause
#include "collective/choice.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>
#include <vector>

namespace stretto::collective {
namespace {

constexpr double classes_per_octave = 4;
constexpr std::array<int, 6> segment_counts = {2, 4, 8, 16, 32, 64};

struct PhaseSizes {
  std::uint64_t leader = 0;
  std::uint64_t concurrent = 0;
};

/// How large an operation each phase does when the whole is one of b bytes.
PhaseSizes phase_sizes(Operation operation, const Grid& grid, std::uint64_t b) {
  const auto p1 = static_cast<std::uint64_t>(grid.rows);
  const auto p2 = static_cast<std::uint64_t>(grid.columns);
  switch (operation) {
    case Operation::broadcast:
    case Operation::reduce:
    case Operation::allreduce:
      return {.leader = b, .concurrent = b};
    case Operation::gather:
    case Operation::scatter:
      return {.leader = p1 * b, .concurrent = b};
    case Operation::allgather:
    case Operation::reduce_scatter:
      return {.leader = b, .concurrent = p2 * b};
    case Operation::alltoall:
      return {.leader = p1 * b, .concurrent = p2 * b};
  }
  return {};
}

struct Phases {
  Prediction leader;
  Prediction concurrent;
};

/// One row leads where there is a root, else all of them at once.
Placement rows_of(Operation operation, const Grid& grid) {
  return {.stride = 1, .groups = is_rooted(operation) ? 1 : grid.rows};
}

/// Columns always are all at once.
Placement columns_of(const Grid& grid) { return {.stride = grid.columns, .groups = grid.columns}; }

/// The messages of both phases in their order, in units of b; of each none where they are not known.
std::vector<std::vector<Part>> messages_of(Operation operation, const Grid& grid) {
  const PhaseSizes sizes = phase_sizes(operation, grid, 1);
  std::vector<std::vector<Part>> phases = {
      parts_of(operation, grid.columns, rows_of(operation, grid), static_cast<double>(sizes.leader)),
      parts_of(operation, grid.rows, columns_of(grid), static_cast<double>(sizes.concurrent))};
  if (operation == Operation::gather || operation == Operation::reduce) std::swap(phases[0], phases[1]);
  return phases;
}

std::optional<Phases> predict_phases(const RuntimeFunctions& functions, Operation operation,
                                     Algorithm algorithm, const Grid& grid, std::uint64_t size_bytes) {
  const PhaseSizes sizes = phase_sizes(operation, grid, size_bytes);
  const auto leader = functions.predict(operation, algorithm, Phase::leader, grid.columns, sizes.leader,
                                        rows_of(operation, grid));
  const auto concurrent = functions.predict(operation, algorithm, Phase::concurrent, grid.rows,
                                            sizes.concurrent, columns_of(grid));
  if (!leader || !concurrent) return std::nullopt;
  return Phases{.leader = *leader, .concurrent = *concurrent};
}

/// `segments` of each phase, with so much of the shorter hidden. The deviations weighted by their times.
Prediction total(const Phases& phases, int segments, double overlap) {
  const double leader_s = phases.leader.time_s;
  const double concurrent_s = phases.concurrent.time_s;
  const double both_s = leader_s + concurrent_s;
  const double hidden_s = (segments - 1) * overlap * std::min(leader_s, concurrent_s);
  const double deviation =
      (leader_s * phases.leader.deviation + concurrent_s * phases.concurrent.deviation) / both_s;
  return {.time_s = segments * both_s - hidden_s, .deviation = deviation};
}

struct Candidate {
  Prediction prediction;
  int segments = 1;
};

/// The best number of segments on this grid.
std::optional<Candidate> best_on(const RuntimeFunctions& functions, Operation operation, Algorithm algorithm,
                                 const Grid& grid, std::uint64_t size_bytes) {
  const auto whole = predict_two_phase(functions, operation, algorithm, grid, size_bytes);
  if (!whole) return std::nullopt;
  Candidate best{.prediction = *whole};
  const int ranks = grid.rows * grid.columns;
  const auto overlap = functions.phases_overlap(operation, algorithm, ranks, size_bytes);
  if (!overlap || (operation != Operation::broadcast && operation != Operation::reduce)) return best;
  for (const int segments : segment_counts) {
    const std::uint64_t piece = size_bytes / static_cast<std::uint64_t>(segments);
    const auto phases = predict_phases(functions, operation, algorithm, grid, piece);
    if (!phases) break;
    const Prediction cut = total(*phases, segments, *overlap);
    if (cut.time_s < best.prediction.time_s) best = {.prediction = cut, .segments = segments};
  }
  return best;
}

}  // namespace

std::optional<Prediction> predict_two_phase(const RuntimeFunctions& functions, Operation operation,
                                            Algorithm algorithm, const Grid& grid, std::uint64_t size_bytes) {
  const auto phases = predict_phases(functions, operation, algorithm, grid, size_bytes);
  if (!phases) return std::nullopt;
  Prediction whole = total(*phases, 1, 0);
  // However much of one phase runs beside the other, the longer one remains.
  const double beyond_s = functions.coupling_s(operation, algorithm, grid, size_bytes) +
                          functions.beyond_s(algorithm, messages_of(operation, grid), size_bytes);
  whole.time_s = std::max({whole.time_s + beyond_s, phases->leader.time_s, phases->concurrent.time_s});
  return whole;
}

Decision decide(const RuntimeFunctions& functions, Operation operation, Algorithm algorithm, int ranks,
                std::uint64_t size_bytes) {
  Decision decision{.flat = functions.predict(operation, algorithm, std::nullopt, ranks, size_bytes)};
  if (!decision.flat || ranks < 4) return decision;
  Grid best_grid;
  Candidate best;
  for (const Grid& grid : factorisations(ranks)) {
    const auto candidate = best_on(functions, operation, algorithm, grid, size_bytes);
    if (!candidate) continue;
    if (best_grid.is_flat() || candidate->prediction.time_s < best.prediction.time_s) {
      best_grid = grid;
      best = *candidate;
    }
  }
  if (best_grid.is_flat()) return decision;
  decision.two_phase = best.prediction;
  const double latest_s = best.prediction.time_s * (1 + best.prediction.deviation);
  const double earliest_flat_s = decision.flat->time_s * (1 - decision.flat->deviation);
  if (latest_s < earliest_flat_s) {
    decision.grid = best_grid;
    decision.segments = best.segments;
  } else {
    decision.undecided = best.prediction.time_s < decision.flat->time_s;
  }
  return decision;
}

int class_of(std::uint64_t size_bytes) {
  return static_cast<int>(std::floor(classes_per_octave * std::log2(static_cast<double>(size_bytes))));
}

std::uint64_t middle_of(int size_class) {
  return static_cast<std::uint64_t>(std::llround(std::exp2((size_class + 0.5) / classes_per_octave)));
}

}  // namespace stretto::collective
