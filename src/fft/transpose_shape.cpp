// SPDX-License-Identifier: BSD-3-Clause
// The blocks that each rank of a transpose sends and receives, computed from the sizes alone.
#include <algorithm>

#include "fft/transpose.hpp"

namespace stretto::fft {

int TransposeShape::pieces(int target) const {
  const std::size_t rows = b.count(target);
  if (rows == 0 || packed) return rows == 0 ? 0 : 1;
  return static_cast<int>((rows + piece_rows - 1) / piece_rows);
}

int TransposeShape::largest_pieces() const {
  return packed ? 1 : static_cast<int>((b.largest() + piece_rows - 1) / piece_rows);
}

std::pair<std::size_t, std::size_t> TransposeShape::piece(int target, int group) const {
  const std::size_t rows = b.count(target);
  if (packed) return {0, rows};
  const std::size_t first = static_cast<std::size_t>(group) * piece_rows;
  return {first, std::min(piece_rows, rows - first)};
}

exchange::ReceivePattern TransposeShape::over(int rank) const {
  exchange::ReceivePattern pattern;
  const std::size_t rows = b.count(rank);
  const std::size_t element_bytes = c * sizeof(Complex);
  for (int source = 0; source < a.ranks; ++source) {
    if (source == rank || rows == 0 || a.count(source) == 0) continue;
    if (packed) {
      pattern.push_back({source,
                         0,
                         {.offset = a.first(source) * rows * element_bytes,
                          .size_bytes = a.count(source) * rows * element_bytes}});
      continue;
    }
    for (int group = 0; group < pieces(rank); ++group) {
      const std::size_t first = static_cast<std::size_t>(group) * piece_rows;
      pattern.push_back({source,
                         group,
                         {.offset = (a.first(source) * rows + first) * element_bytes,
                          .size_bytes = std::min(piece_rows, rows - first) * element_bytes},
                         a.count(source),
                         rows * element_bytes});
    }
  }
  return pattern;
}

exchange::ReceivePattern TransposeShape::back(int rank) const {
  exchange::ReceivePattern pattern;
  const std::size_t planes = a.count(rank);
  const std::size_t element_bytes = c * sizeof(Complex);
  for (int source = 0; source < b.ranks; ++source) {
    const std::size_t rows = b.count(source);
    if (source == rank || planes == 0 || rows == 0) continue;
    if (packed) {
      pattern.push_back({source,
                         0,
                         {.offset = b.first(source) * planes * element_bytes,
                          .size_bytes = planes * rows * element_bytes}});
      continue;
    }
    for (int group = 0; group < pieces(source); ++group) {
      const std::size_t first = static_cast<std::size_t>(group) * piece_rows;
      pattern.push_back({source,
                         group,
                         {.offset = (b.first(source) + first) * element_bytes,
                          .size_bytes = std::min(piece_rows, rows - first) * element_bytes,
                          .count = planes,
                          .local_stride = rows * element_bytes,
                          .remote_stride = b.total * element_bytes}});
    }
  }
  return pattern;
}

}  // namespace stretto::fft
