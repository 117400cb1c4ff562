// SPDX-License-Identifier: BSD-3-Clause
// A field of NAS MG on one level in one rank's memory: rows along x, which is never distributed, for y and z
// of the rank's box. A distributed axis has ghost rows. Along an axis that is not distributed the grid is
// periodic, so the row beyond one end is the row at the other end.
#pragma once

#include <cstddef>

#include "kernels/aligned.hpp"

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
  /// Allocates zeros.
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
  /// Padding that avoids cache conflicts between planes with a size that is a power of two.
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
