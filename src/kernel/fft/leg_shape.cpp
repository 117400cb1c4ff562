// SPDX-License-Identifier: BSD-3-Clause
// What each rank of a leg sends and receives, from the sizes alone.
#include <algorithm>

#include "kernel/fft/leg.hpp"

namespace stretto::kernel {

int LegShape::pieces(int target) const {
  const std::size_t rows = b.count(target);
  if (rows == 0 || packed) return rows == 0 ? 0 : 1;
  return static_cast<int>((rows + piece_rows - 1) / piece_rows);
}

int LegShape::largest_pieces() const {
  return packed ? 1 : static_cast<int>((b.largest() + piece_rows - 1) / piece_rows);
}

std::pair<std::size_t, std::size_t> LegShape::piece(int target, int group) const {
  const std::size_t rows = b.count(target);
  if (packed) return {0, rows};
  const std::size_t first = static_cast<std::size_t>(group) * piece_rows;
  return {first, std::min(piece_rows, rows - first)};
}

Route LegShape::over(int rank) const {
  Route route;
  const std::size_t rows = b.count(rank);
  const std::size_t element_bytes = c * sizeof(Complex);
  for (int source = 0; source < a.ranks; ++source) {
    if (source == rank || rows == 0 || a.count(source) == 0) continue;
    if (packed) {
      route.push_back({source,
                       0,
                       {.offset = a.first(source) * rows * element_bytes,
                        .size_bytes = a.count(source) * rows * element_bytes}});
      continue;
    }
    for (int group = 0; group < pieces(rank); ++group) {
      const std::size_t first = static_cast<std::size_t>(group) * piece_rows;
      route.push_back({source,
                       group,
                       {.offset = (a.first(source) * rows + first) * element_bytes,
                        .size_bytes = std::min(piece_rows, rows - first) * element_bytes},
                       a.count(source),
                       rows * element_bytes});
    }
  }
  return route;
}

Route LegShape::back(int rank) const {
  Route route;
  const std::size_t planes = a.count(rank);
  const std::size_t element_bytes = c * sizeof(Complex);
  for (int source = 0; source < b.ranks; ++source) {
    const std::size_t rows = b.count(source);
    if (source == rank || planes == 0 || rows == 0) continue;
    if (packed) {
      route.push_back({source,
                       0,
                       {.offset = b.first(source) * planes * element_bytes,
                        .size_bytes = planes * rows * element_bytes}});
      continue;
    }
    for (int group = 0; group < pieces(source); ++group) {
      const std::size_t first = static_cast<std::size_t>(group) * piece_rows;
      route.push_back({source,
                       group,
                       {.offset = (b.first(source) + first) * element_bytes,
                        .size_bytes = std::min(piece_rows, rows - first) * element_bytes,
                        .count = planes,
                        .here_stride = rows * element_bytes,
                        .there_stride = b.total * element_bytes}});
    }
  }
  return route;
}

}  // namespace stretto::kernel
