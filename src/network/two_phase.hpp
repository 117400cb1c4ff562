// SPDX-License-Identifier: BSD-3-Clause
// A collective on a p1 x p2 grid: the runtime functions of its two phases added up (section 3 of the paper).
// Row groups have p2 members, column groups p1 (section 2, which section 3 contradicts).
#pragma once

#include <cstdint>
#include <vector>

#include "network/runtime_functions.hpp"

namespace stretto::network {

/// The predicted times of one two-phase call.
struct TwoPhaseTime {
  Grid grid;
  CallTime leader;      ///< of one segment in the leader groups
  CallTime concurrent;  ///< of one segment in the concurrent groups
  int segments = 1;     ///< into how many the message is cut; 1: first one phase, then the other
  double overlap = 0;   ///< which fraction of the shorter phase hides under the longer one's next segment
  double beyond_s = 0;  ///< what the uncut call takes beyond the sum of its phases

  /// Uncut: t1 + t2 + beyond, at least the longer phase. Cut: s (t1 + t2) - (s - 1) overlap min(t1, t2).
  [[nodiscard]] CallTime total() const;
};

/// One phase after the other (docs/formats.md has the table).
[[nodiscard]] TwoPhaseTime predict_two_phase(const RuntimeFunctions& functions, Operation operation,
                                             Algorithm algorithm, const Grid& grid, std::uint64_t size_bytes);

/// The call cut into `segments`, with phases that overlap by this fraction of the shorter.
[[nodiscard]] TwoPhaseTime predict_segmented(const RuntimeFunctions& functions, Operation operation,
                                             Algorithm algorithm, const Grid& grid, std::uint64_t size_bytes,
                                             int segments, double overlap);

/// With the number of segments that is predicted to be fastest: often one.
[[nodiscard]] TwoPhaseTime fastest_segments(const RuntimeFunctions& functions, Operation operation,
                                            Algorithm algorithm, const Grid& grid, std::uint64_t size_bytes);

/// The b of a phase of a call of `size_bytes`.
[[nodiscard]] std::uint64_t phase_bytes(Operation operation, GridPhase phase, const Grid& grid,
                                        std::uint64_t size_bytes);

/// p of the groups of a phase: p2 of the leader groups, p1 of the concurrent ones.
[[nodiscard]] int phase_members(GridPhase phase, const Grid& grid);

/// Which ranks the groups of a phase have. Columns are always concurrent. One row leads where there is a
/// root, else all rows at once.
[[nodiscard]] GroupPlacement phase_placement(Operation operation, GridPhase phase, const Grid& grid);

/// The rooted operations of both phases in their order, sizes in units of b; of a phase none where its
/// messages are not known.
[[nodiscard]] std::vector<std::vector<GroupedOperation>> phase_operations(Operation operation,
                                                                          const Grid& grid);

}  // namespace stretto::network
