// SPDX-License-Identifier: BSD-3-Clause
// Where everything of a plan on a grid lies: two areas for all receive buffers and stages, none larger than a
// copy of the local array, because what is in use at the same time is never more.
#pragma once

#include <cstddef>
#include <vector>

#include "kernel/fft/transpose.hpp"

namespace stretto::kernel {

/// In elements, of one rank. The first area holds what comes along the column; planes of n0 come along the
/// row into the second one, each where it leaves from along the column, and at the same time leave for the
/// row from the place of the next plane. What does not fit there lies in the first one, which is not opened
/// to the column before that is done: a single plane's stage, and all of a row where planes are packed. On
/// the way back the area that is done with has the receive buffer of the row.
struct GridLayout {
  GridLayout(const TransposeShape& row, int row_place, const std::vector<TransposeShape>& columns,
             int column_place);

  /// Whether the column may send before the last plane has gone along the row.
  [[nodiscard]] bool column_is_early() const { return planes > 1 && !packed; }
  /// Where plane after plane lands that has come along the row: in places of its own, or all in one.
  [[nodiscard]] std::size_t place_of(std::size_t plane) const { return packed && planes > 1 ? 0 : plane; }
  /// From where a plane leaves along the row, of both areas together.
  [[nodiscard]] std::size_t row_stage(std::size_t plane) const;
  /// The stage of the row lies where planes left from for the column.
  [[nodiscard]] bool waits_for_column(std::size_t plane) const {
    return column_is_early() && plane + 1 == planes;
  }

  std::size_t planes;
  bool packed;
  std::size_t slot;        ///< a plane between the two exchanges
  std::size_t row;         ///< what leaves of a plane along the row, and what comes back
  std::size_t spare = 0;   ///< before the planes of the second area, and behind them
  std::size_t second = 0;  ///< where the second area begins
  std::size_t total = 0;
  std::size_t copy;          ///< the largest of a rank's parts
  std::size_t row_buffer;    ///< of the way over
  std::size_t row_back;      ///< the receive buffer of the way back
  std::size_t column_stage;  ///< of the way there; in natural order the receive buffer of the way back, too
  std::size_t visited;       ///< in transposed order, where a plane of n0 is put together on the way back
};

}  // namespace stretto::kernel
