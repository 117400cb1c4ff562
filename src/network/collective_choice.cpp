// SPDX-License-Identifier: BSD-3-Clause
#include "network/collective_choice.hpp"

#include <algorithm>
#include <cmath>
#include <set>
#include <utility>

namespace stretto::network {
namespace {

constexpr double classes_per_octave = 4;
constexpr double rounding = 1e-12;  // times or gains with a smaller relative difference are equal

bool is_faster(const CallTime& one, const CallTime& other) {
  return one.known() && (!other.known() || one.time_s < other.time_s);
}

/// The reason why the best of these grids cannot be compared with the flat call.
std::string reason_of(const CallTime& flat, const std::vector<TwoPhaseTime>& grids) {
  if (!flat.known()) return flat.unknown_reason;
  const CallTime best = grids.front().total();
  return best.known() ? "the flat call's time is uncertain" : best.unknown_reason;
}

}  // namespace

std::vector<Grid> ragged_grids(int ranks, int ranks_per_node) {
  std::set<int> columns;
  for (int power = 2; power <= ranks / 2; power *= 2) columns.insert(power);
  if (ranks_per_node >= 2 && ranks_per_node < ranks) columns.insert(ranks_per_node);
  std::vector<Grid> grids;
  for (const int one : columns) {
    if (ranks % one != 0) grids.push_back(collective::grid_of_columns(ranks, one));
  }
  return grids;
}

std::optional<Gain> gain_of(const CallTime& flat, const CallTime& two_phase) {
  if (!flat.known() || !two_phase.known() || flat.deviation >= 1 || flat.time_s == 0) return std::nullopt;
  const double ratio = two_phase.time_s / flat.time_s;
  return Gain{.value = 1 - ratio,
              .ci95_low = 1 - ratio * (1 + two_phase.deviation) / (1 - flat.deviation),
              .ci95_high = 1 - ratio * (1 - two_phase.deviation) / (1 + flat.deviation)};
}

std::vector<TwoPhaseTime> all_grids(const RuntimeFunctions& functions, Operation operation,
                                    Algorithm algorithm, int ranks, std::uint64_t size_bytes) {
  std::vector<std::pair<CallTime, TwoPhaseTime>> ranked;
  const auto rank = [&ranked](TwoPhaseTime found) {
    CallTime total = found.total();
    ranked.emplace_back(std::move(total), std::move(found));
  };
  for (const Grid& grid : collective::factorisations(ranks)) {
    rank(fastest_segments(functions, operation, algorithm, grid, size_bytes));
  }
  if (algorithm == Algorithm::library && can_be_ragged(operation)) {
    for (const Grid& grid : ragged_grids(ranks, functions.ranks_per_node())) {
      rank(predict_ragged(functions, operation, algorithm, grid, size_bytes));
    }
  }
  std::ranges::stable_sort(ranked, is_faster, [](const auto& one) -> const CallTime& { return one.first; });
  // Grids of equal time are sorted by p1, independently of rounding, so that all ranks choose the same.
  const auto rows = [](const auto& one) { return one.second.grid.rows; };
  for (auto first = ranked.begin(); first != ranked.end() && first->first.known();) {
    const double max_s = first->first.time_s * (1 + rounding);
    const auto last = std::find_if(
        first, ranked.end(), [&](const auto& one) { return !one.first.known() || one.first.time_s > max_s; });
    std::ranges::stable_sort(first, last, {}, rows);
    first = last;
  }
  std::vector<TwoPhaseTime> grids;
  grids.reserve(ranked.size());
  for (auto& [total, grid] : ranked) grids.push_back(std::move(grid));
  return grids;
}

CollectiveChoice choose(const RuntimeFunctions& functions, Operation operation, Algorithm algorithm,
                        int ranks, std::uint64_t size_bytes) {
  CollectiveChoice choice{.flat = functions.predict_flat(operation, algorithm, ranks, size_bytes)};
  std::vector<TwoPhaseTime> grids = all_grids(functions, operation, algorithm, ranks, size_bytes);
  if (grids.empty()) {
    choice.verdict = Verdict::flat;
    choice.reason = std::to_string(ranks) + " processes make no grid";
    return choice;
  }
  // A grid that is certainly faster than the flat call precedes one that may be faster still.
  const auto is_certain = [&](const TwoPhaseTime& grid) {
    const auto gain = gain_of(choice.flat, grid.total());
    return gain && gain->ci95_low > rounding;
  };
  if (const auto first = std::ranges::find_if(grids, is_certain); first != grids.end()) {
    std::rotate(grids.begin(), first, std::next(first));
  }
  choice.gain = gain_of(choice.flat, grids.front().total());
  if (!choice.gain) {
    choice.reason = reason_of(choice.flat, grids);
  } else if (choice.gain->ci95_low > rounding) {
    choice.verdict = Verdict::grid;
  } else if (choice.gain->ci95_high < -rounding) {
    choice.verdict = Verdict::flat;
  }
  if (grids.front().total().known()) choice.best = std::move(grids.front());
  return choice;
}

std::uint64_t decided_size(const RuntimeFunctions& functions, std::uint64_t size_bytes) {
  return functions.has_measured(size_bytes) ? size_bytes : middle_of(class_of(size_bytes));
}

int class_of(std::uint64_t size_bytes) {
  return static_cast<int>(std::floor(classes_per_octave * std::log2(static_cast<double>(size_bytes))));
}

std::uint64_t middle_of(int size_class) {
  return static_cast<std::uint64_t>(std::llround(std::exp2((size_class + 0.5) / classes_per_octave)));
}

}  // namespace stretto::network
