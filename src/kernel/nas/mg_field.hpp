// SPDX-License-Identifier: BSD-3-Clause
// A field of NAS MG on one level, in one rank's memory: rows along x, which no rank splits, for the y and z
// of the rank's box. Along an axis that ranks split there are ghost rows; along one that they do not, what
// lies beyond the end is the row at the other end, for the grid is periodic.
#pragma once

#include <cstddef>

#include "kernel/aligned.hpp"

namespace stretto::kernel::nas {

struct MgExtent {
  int nx = 0;
  int ny = 0;
  int nz = 0;
  bool split_y = false;
  bool split_z = false;
};

/// From `begin` to before `end`.
struct MgRange {
  int begin = 0;
  int end = 0;
};

class MgField {
 public:
  MgField() = default;
  /// Zeroed.
  explicit MgField(const MgExtent& extent)
      : extent_(extent),
        ghosts_y_(extent.split_y ? 1 : 0),
        ghosts_z_(extent.split_z ? 1 : 0),
        plane_(elements(extent.ny + 2 * ghosts_y_) * elements(extent.nx) + plane_padding),
        values_(plane_ * elements(extent.nz + 2 * ghosts_z_)) {}

  [[nodiscard]] const MgExtent& extent() const { return extent_; }
  /// The row at y and z, each from -1 to the extent.
  [[nodiscard]] double* row(int y, int z) { return values_.data() + offset(y, z); }
  [[nodiscard]] const double* row(int y, int z) const { return values_.data() + offset(y, z); }
  void clear() { values_.clear(); }

 private:
  /// Planes of a power of two would meet in the same few sets of a cache.
  static constexpr std::size_t plane_padding = 40;
  static std::size_t elements(int count) { return static_cast<std::size_t>(count); }
  static int place(int at, int extent, int ghosts) {
    if (ghosts > 0) return at + ghosts;
    return at < 0 ? at + extent : at >= extent ? at - extent : at;
  }
  [[nodiscard]] std::size_t offset(int y, int z) const {
    return elements(place(z, extent_.nz, ghosts_z_)) * plane_ +
           elements(place(y, extent_.ny, ghosts_y_)) * elements(extent_.nx);
  }

  MgExtent extent_;
  int ghosts_y_ = 0;
  int ghosts_z_ = 0;
  std::size_t plane_ = 0;
  AlignedArray<double> values_;
};

}  // namespace stretto::kernel::nas
