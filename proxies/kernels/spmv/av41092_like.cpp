// SPDX-License-Identifier: BSD-3-Clause
#include "kernels/spmv/av41092_like.hpp"

#include <algorithm>
#include <cmath>

namespace stretto::kernel {
namespace {

constexpr std::size_t cells_at_scale_1 = 34;
constexpr std::size_t degree = 6;
constexpr std::size_t long_rows_at_scale_1 = 46;
constexpr std::size_t extra_columns = 2015;
// Columns of a further long row, which completes the number of nonzeros.
constexpr std::size_t last_extra_columns = 32;

/// A number that depends on every bit of `x` (the finalizer of SplitMix64).
std::uint64_t mixed(std::uint64_t x) {
  x += 0x9E3779B97F4A7C15U;
  x = (x ^ (x >> 30U)) * 0xBF58476D1CE4E5B9U;
  x = (x ^ (x >> 27U)) * 0x94D049BB133111EBU;
  return x ^ (x >> 31U);
}

double value_at(std::size_t row, std::size_t column) {
  return static_cast<double>(mixed(row << 32U | column) >> 11U) * 0x1p-52 - 1;
}

}  // namespace

Av41092Like::Av41092Like(std::size_t scale)
    : cells_(static_cast<std::size_t>(std::lround(cells_at_scale_1 * std::sqrt(static_cast<double>(scale))))),
      interior_(degree * cells_ - 1) {
  const std::size_t count = long_rows_at_scale_1 * scale + 1;
  std::vector<std::size_t> chosen;
  for (std::uint64_t draw = 0; chosen.size() < count; ++draw) {
    const std::size_t row = mixed(draw) % rows();
    if (std::find(chosen.begin(), chosen.end(), row) == chosen.end()) chosen.push_back(row);
  }
  for (const std::size_t row : chosen) {
    long_rows_.push_back({row, row == chosen.back() ? last_extra_columns : extra_columns});
  }
  std::sort(long_rows_.begin(), long_rows_.end(),
            [](const LongRow& a, const LongRow& b) { return a.row < b.row; });
}

void Av41092Like::append_row(std::size_t row, std::vector<std::uint32_t>& columns,
                             std::vector<double>& values) const {
  const auto begin = static_cast<std::ptrdiff_t>(columns.size());
  append_elements(row, columns);
  const auto found =
      std::lower_bound(long_rows_.begin(), long_rows_.end(), row,
                       [](const LongRow& one, std::size_t requested) { return one.row < requested; });
  if (found != long_rows_.end() && found->row == row) {
    const std::size_t full = columns.size() + found->extra;
    for (std::uint64_t draw = 0; columns.size() < full; ++draw) {
      const auto column = static_cast<std::uint32_t>(mixed(row << 32U | draw) % rows());
      if (std::find(columns.begin() + begin, columns.end(), column) == columns.end()) {
        columns.push_back(column);
      }
    }
    std::sort(columns.begin() + begin, columns.end());
  }
  for (auto column = columns.begin() + begin; column != columns.end(); ++column) {
    values.push_back(value_at(row, *column));
  }
}

/// The unknowns of all triangles that contain this unknown. Cell (0, 0) has the nodes 0 to 6 of both
/// directions, and node (1, 1) is the first one that is not on the boundary.
void Av41092Like::append_elements(std::size_t row, std::vector<std::uint32_t>& columns) const {
  const auto begin = static_cast<std::ptrdiff_t>(columns.size());
  const std::size_t node_x = (row + dropped) % interior_ + 1;
  const std::size_t node_y = (row + dropped) / interior_ + 1;
  // A node on the border of cells is in all of them. All of these exist, because it is no boundary node.
  for (std::size_t cell_y = (node_y - 1) / degree; cell_y * degree <= node_y; ++cell_y) {
    for (std::size_t cell_x = (node_x - 1) / degree; cell_x * degree <= node_x; ++cell_x) {
      const std::size_t along = node_x - cell_x * degree + node_y - cell_y * degree;
      if (along <= degree) append_cell(cell_x, cell_y, false, columns);
      if (along >= degree) append_cell(cell_x, cell_y, true, columns);
    }
  }
  std::sort(columns.begin() + begin, columns.end());
  columns.erase(std::unique(columns.begin() + begin, columns.end()), columns.end());
}

/// The unknowns of a cell's lower left or upper right triangle.
void Av41092Like::append_cell(std::size_t cell_x, std::size_t cell_y, bool upper,
                              std::vector<std::uint32_t>& columns) const {
  for (std::size_t b = 0; b <= degree; ++b) {
    const std::size_t first = upper ? degree - b : 0;
    const std::size_t last = upper ? degree : degree - b;
    for (std::size_t a = first; a <= last; ++a) {
      const std::size_t x = cell_x * degree + a;
      const std::size_t y = cell_y * degree + b;
      if (x == 0 || y == 0 || x > interior_ || y > interior_) continue;
      const std::size_t number = (y - 1) * interior_ + x - 1;
      if (number >= dropped) columns.push_back(static_cast<std::uint32_t>(number - dropped));
    }
  }
}

}  // namespace stretto::kernel
