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

exchange::StridedBlock TransposeShape::back_block(int source, int target, std::size_t first_row,
                                                  std::size_t rows) const {
  const std::size_t mine = b.count(source);
  const std::size_t planes = a.count(target);
  const std::size_t row_bytes = c * sizeof(Complex);
  return {.offset = (b.first(source) * (packed ? planes : 1) + first_row) * row_bytes,
          .size_bytes = rows * row_bytes,
          .count = planes,
          .local_stride = mine * row_bytes,
          .remote_stride = (packed ? mine : b.total) * row_bytes};
}

exchange::StridedBlock TransposeShape::back_message(int source, int target, int group) const {
  const auto [first, rows] = piece(source, group);
  const exchange::StridedBlock block = back_block(source, target, first, rows);
  if (!packed) return block;
  return {.offset = block.offset, .size_bytes = block.count * block.size_bytes};
}

exchange::ReceivePattern TransposeShape::over(int rank) const {
  exchange::ReceivePattern pattern;
  const std::size_t rows = b.count(rank);
  const std::size_t row_bytes = c * sizeof(Complex);
  for (int source = 0; source < a.ranks; ++source) {
    const std::size_t planes = a.count(source);
    if (source == rank || planes == 0) continue;
    for (int group = 0; group < pieces(rank); ++group) {
      const auto [first, count] = piece(rank, group);
      pattern.push_back({source,
                         group,
                         {.offset = (a.first(source) * rows + first) * row_bytes,
                          .size_bytes = count * (packed ? planes : 1) * row_bytes}});
      if (packed) continue;
      pattern.back().times = planes;
      pattern.back().message_stride = rows * row_bytes;
    }
  }
  return pattern;
}

exchange::ReceivePattern TransposeShape::back(int rank) const {
  exchange::ReceivePattern pattern;
  for (int source = 0; source < b.ranks; ++source) {
    if (source == rank || a.count(rank) == 0) continue;
    for (int group = 0; group < pieces(source); ++group) {
      pattern.push_back({source, group, back_message(source, rank, group)});
    }
  }
  return pattern;
}

}  // namespace stretto::fft
