// SPDX-License-Identifier: BSD-3-Clause
// A collective on a p1 x p2 grid: the sum of the runtime functions of its two phases (section 3 of the
// paper). Row groups have p2 members, column groups p1 (as in section 2, which section 3 contradicts).
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "network/runtime_functions.hpp"

namespace stretto::network {

/// The predicted times of one two-phase call.
struct TwoPhaseTime {
  Grid grid;
  CallTime leader;      ///< time of one segment in the leader groups
  CallTime concurrent;  ///< time of one segment in the concurrent groups
  int segments = 1;     ///< number of segments of the message; 1: the phases do not overlap
  double overlap =
      0;  ///< fraction of the shorter phase that overlaps with the next segment of the longer one
  double excess_s = 0;               ///< time of the unsegmented call beyond the sum of its phases
  std::optional<CallTime> measured;  ///< of the whole unsegmented call, where that deviates less

  /// Unsegmented: t1 + t2 + beyond, at least the longer phase, or the measured time. In s segments:
  /// s (t1 + t2) - (s - 1) overlap min(t1, t2).
  [[nodiscard]] CallTime total() const;
};

/// The unsegmented call: one phase after the other (docs/formats.md has the table).
[[nodiscard]] TwoPhaseTime predict_two_phase(const RuntimeFunctions& functions, Operation operation,
                                             Algorithm algorithm, const Grid& grid, std::uint64_t size_bytes);

/// The call on a ragged grid, as docs/collectives.md has its phases. Gather and scatter send leaders'
/// messages of their own, which are predicted as the leaders' operation. Unknown for operations that stay
/// flat there.
[[nodiscard]] TwoPhaseTime predict_ragged(const RuntimeFunctions& functions, Operation operation,
                                          Algorithm algorithm, const Grid& grid, std::uint64_t size_bytes);

/// Whether an operation can run on a ragged grid.
[[nodiscard]] bool can_be_ragged(Operation operation);

/// The call in `segments` segments, where phases overlap by this fraction of the shorter one.
[[nodiscard]] TwoPhaseTime predict_segmented(const RuntimeFunctions& functions, Operation operation,
                                             Algorithm algorithm, const Grid& grid, std::uint64_t size_bytes,
                                             int segments, double overlap);

/// The call with the predicted best number of segments, which is often one.
[[nodiscard]] TwoPhaseTime fastest_segments(const RuntimeFunctions& functions, Operation operation,
                                            Algorithm algorithm, const Grid& grid, std::uint64_t size_bytes);

/// The size b of a phase of a call of `size_bytes`.
[[nodiscard]] std::uint64_t phase_bytes(Operation operation, GridPhase phase, const Grid& grid,
                                        std::uint64_t size_bytes);

/// The number of members of the groups of a phase: p2 for leader groups, p1 for concurrent ones.
[[nodiscard]] int phase_members(GridPhase phase, const Grid& grid);

/// The ranks of the groups of a phase. Columns are always concurrent. With a root one row is used,
/// otherwise all rows at once.
[[nodiscard]] GroupPlacement phase_placement(Operation operation, GridPhase phase, const Grid& grid);

/// The rooted operations of both phases in order, with sizes in units of b. A phase without known messages
/// has none.
[[nodiscard]] std::vector<std::vector<GroupedOperation>> phase_operations(Operation operation,
                                                                          const Grid& grid);

}  // namespace stretto::network
