// SPDX-License-Identifier: BSD-3-Clause
// The messages of NAS MG: which rows leave a rank, to which rank, and what is sent together. MgExchange sends
// them; `stretto-kernel-plans` takes their number and sizes from here.
#pragma once

#include <cstddef>
#include <vector>

#include "kernels/nas/mg_grid.hpp"

namespace stretto::kernel::nas {

/// Rows at y and z.
struct MgBox {
  MgRange y;
  MgRange z;

  /// The values of its rows, of `nx` points each.
  [[nodiscard]] std::size_t values(int nx) const;
};

/// Rows that leave for the rank at distance (dy, dz) in the grid, while as many arrive from the other side.
struct MgMessage {
  int dy = 0;
  int dz = 0;
  MgBox from;
  MgBox to;
};

/// Messages that are all sent before the first is waited for.
using MgRound = std::vector<MgMessage>;

/// The ghost rows of a distributed level. At once: one round, which also has the rows across edges. Otherwise
/// rows go along z first, then along y together with those that arrived along z.
[[nodiscard]] std::vector<MgRound> halo_rounds(const MgExtent& extent, bool at_once);

/// The partial sums for coarse rows of the ranks below, given the fine level: first those along z, then those
/// along y, then the row across the edge.
[[nodiscard]] MgRound fold_round(const MgExtent& fine);

/// The parts of a level of `points` along each axis, for all ranks: along z, then along y.
[[nodiscard]] std::vector<MgRound> gather_rounds(const MgGrid& grid, int points);

}  // namespace stretto::kernel::nas
