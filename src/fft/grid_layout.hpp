// SPDX-License-Identifier: BSD-3-Clause
// The memory layout of a plan on a grid: two areas hold all receive buffers and stages. Neither is larger
// than a copy of the local array, because no more is in use at any time.
#pragma once

#include <cstddef>
#include <vector>

#include "fft/transpose.hpp"

namespace stretto::fft {

/// Offsets in elements, for one rank.
/// The first area receives data along the column of the grid. The second area receives planes of n0 along the
/// row, each at the place from which it leaves along the column.
/// At the same time planes leave along the row from the place of the next plane.
/// Data that does not fit there lies in the first area, which is opened to the column only afterwards: the
/// stage of a single plane, and all of a row when planes are packed.
/// On the way back the receive buffer of the row lies in the area that is free by then.
struct GridLayout {
  GridLayout(const TransposeShape& row, int row_place, const std::vector<TransposeShape>& columns,
             int column_place);

  /// Whether the column may send before the last plane has gone along the row.
  [[nodiscard]] bool column_is_early() const { return planes > 1 && !packed; }
  /// The place where a plane arrives along the row: one place per plane, or one place for all.
  [[nodiscard]] std::size_t place_of(std::size_t plane) const { return packed && planes > 1 ? 0 : plane; }
  /// The offset, over both areas, from which a plane leaves along the row.
  [[nodiscard]] std::size_t row_stage(std::size_t plane) const;
  /// Whether the stage of the row lies where planes left from along the column.
  [[nodiscard]] bool waits_for_column(std::size_t plane) const {
    return column_is_early() && plane + 1 == planes;
  }

  std::size_t planes;
  bool packed;
  std::size_t slot;        ///< size of a plane between the two exchanges
  std::size_t row;         ///< size of what leaves of a plane along the row, and of what returns
  std::size_t spare = 0;   ///< gap before the planes of the second area, and after them
  std::size_t second = 0;  ///< offset of the second area
  std::size_t total = 0;
  std::size_t copy;        ///< size of the rank's largest part
  std::size_t row_buffer;  ///< receive buffer of the forward direction, in the row
  std::size_t row_back;    ///< receive buffer of the backward direction, in the row
  /// Stage of the forward direction, in the column; in natural order also the receive buffer of the backward
  /// direction.
  std::size_t column_stage;
  std::size_t visited;  ///< in transposed order: where a plane of n0 is assembled in the backward direction
};

}  // namespace stretto::fft
