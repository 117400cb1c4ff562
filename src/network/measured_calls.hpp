// SPDX-License-Identifier: BSD-3-Clause
// Measured times of whole collective calls, flat and on grids, over the size. At the p that a profile has
// measured they miss less than runtime functions wherever the MPI library changes its algorithm.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "network/rank_programs.hpp"

namespace stretto::network {

/// A measured time in seconds, with half of its relative 95 % interval.
struct MeasuredTime {
  std::uint64_t size_bytes = 0;
  double time_s = 0;
  double deviation = 0;
};

/// One operation on p ranks, flat or on one grid.
struct MeasuredCall {
  Operation operation = Operation::broadcast;
  Algorithm algorithm = Algorithm::library;
  int members = 0;
  std::optional<Grid> grid;         ///< nothing: the flat call
  std::vector<MeasuredTime> times;  ///< sizes ascending, at least one

  /// The time at this size; nothing beyond the measured sizes. Between two sizes it is on the line through
  /// both. For its deviation, each of the two sizes is left out and predicted by its neighbours, and the
  /// larger of these deviations is added. For a smooth curve that is several times too much. For a step,
  /// which may lie anywhere between the two sizes, it is about right. Nothing where neither size has two
  /// neighbours.
  [[nodiscard]] std::optional<MeasuredTime> at(std::uint64_t size_bytes) const;
};

/// The distinct sizes of all calls, ascending.
[[nodiscard]] std::vector<std::uint64_t> sizes_of(const std::vector<MeasuredCall>& calls);

}  // namespace stretto::network
