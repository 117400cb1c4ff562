// SPDX-License-Identifier: BSD-3-Clause
#include "fft/grid_layout.hpp"

#include <algorithm>

#include "fft/transpose_setup.hpp"

namespace stretto::fft {

GridLayout::GridLayout(const TransposeShape& row_shape, int row_place,
                       const std::vector<TransposeShape>& columns, int column_place)
    : planes(columns[0].a.count(column_place)),
      packed(columns[0].packed),
      slot(row_shape.after(row_place)),
      row(row_shape.before(row_place)) {
  const std::size_t after = columns[0].after(column_place);
  const bool natural = columns.size() == 1;
  const bool rows_in_first = packed && planes > 1;
  const std::size_t in_both = rows_in_first ? row + slot : row;
  if (column_is_early() && row > slot) spare = row - slot;
  copy = std::max({planes * row, planes * slot, after});

  std::size_t first = after;
  if (natural || planes == 1 || rows_in_first) first = std::max(first, in_both);
  if (!natural) first = std::max(first, planes * slot);
  second = whole_line_of(first);
  std::size_t behind = planes * slot + 2 * spare;
  if (!natural) behind = std::max({behind, after, planes > 1 ? row + slot : row});
  total = second + behind;

  row_buffer = rows_in_first ? row : second + spare;
  row_back = natural ? 0 : second;
  column_stage = second + spare;
  visited = planes > 1 ? second + row : 0;
}

std::size_t GridLayout::row_stage(std::size_t plane) const {
  if (!column_is_early()) return 0;
  return waits_for_column(plane) ? second : second + spare + (plane + 1) * slot;
}

}  // namespace stretto::fft
