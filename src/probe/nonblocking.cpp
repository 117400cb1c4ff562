// SPDX-License-Identifier: BSD-3-Clause
#include "probe/nonblocking.hpp"

#include <stretto/collective_form.hpp>

namespace stretto::probe {

std::string_view to_string(NonblockingOperation operation) {
  if (operation == NonblockingOperation::neighbor_alltoall) return "neighbor-alltoall";
  if (operation == NonblockingOperation::neighbor_sends) return "neighbor-sends";
  return to_string(static_cast<collective::Operation>(operation));
}

NeighbourGrid NeighbourGrid::of(int ranks) {
  int columns = 1;
  for (int width = 1; width * width <= ranks; ++width) {
    if (ranks % width == 0) columns = width;
  }
  return {.rows = ranks / columns, .columns = columns};
}

std::array<int, 4> NeighbourGrid::neighbours(int rank) const {
  const int row = rank / columns;
  const int column = rank % columns;
  return {row > 0 ? rank - columns : -1, row + 1 < rows ? rank + columns : -1, column > 0 ? rank - 1 : -1,
          column + 1 < columns ? rank + 1 : -1};
}

std::string to_string(const NeighbourGrid& grid) {
  return std::to_string(grid.rows) + "x" + std::to_string(grid.columns);
}

}  // namespace stretto::probe
