// SPDX-License-Identifier: BSD-3-Clause
// The boundary of a rank's part of a level, which other ranks need, and its core. Halo exchanges overlap with
// the computation of the core.
#pragma once

#include <algorithm>

#include "kernels/nas/mg_field.hpp"
#include "kernels/nas/mg_rows.hpp"

namespace stretto::kernel::nas {

/// One axis of a rank's part: the rows at either end that other ranks need, and the rows between.
struct MgAxisParts {
  MgRange low;
  MgRange core;
  MgRange high;
  [[nodiscard]] MgRange whole() const { return {low.begin, high.end}; }
};

inline MgAxisParts parts_of(int count, int thickness, int ghosts) {
  const int low = std::min(thickness, count);
  const int high = std::max(low, count - thickness);
  return {{-ghosts, low}, {low, high}, {high, count + ghosts}};
}

/// Boundary and core of a part. z always has both ends: the grid is periodic, so the planes at both ends are
/// adjacent.
struct MgBoundary {
  MgAxisParts y;
  MgAxisParts z;
  MgBoundary(const MgExtent& extent, int thickness, int ghosts)
      : y(extent.split_y ? parts_of(extent.ny, thickness, ghosts) : parts_of(extent.ny, 0, 0)),
        z(parts_of(extent.nz, thickness, extent.split_z ? ghosts : 0)) {}
};

/// Calls `visit(rows, z)` for all rows of the boundary.
template <typename Visit>
void for_boundary(const MgBoundary& boundary, Visit&& visit) {
  for (const MgRange planes : {boundary.z.low, boundary.z.high}) {
    for (int z = planes.begin; z < planes.end; ++z) visit(boundary.y.whole(), z);
  }
  for (int z = boundary.z.core.begin; z < boundary.z.core.end; ++z) {
    visit(boundary.y.low, z);
    visit(boundary.y.high, z);
  }
}

}  // namespace stretto::kernel::nas
