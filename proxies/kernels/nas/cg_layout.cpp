// SPDX-License-Identifier: BSD-3-Clause
#include "kernels/nas/cg_layout.hpp"

#include <algorithm>

namespace stretto::kernel::nas {
namespace {

int grid_rows_for(int ranks) {
  int rows = 1;
  for (int divisor = 1; divisor * divisor <= ranks; ++divisor) {
    if (ranks % divisor == 0) rows = divisor;
  }
  return rows;
}

// A piece is sent in chunks, so that the first leaves early. The minimum size keeps the cost of a message
// below what this gains.
constexpr std::size_t min_chunk_bytes = std::size_t{16} << 10U;
constexpr std::size_t max_chunks = 8;

int chunks_of(std::size_t piece_bytes) {
  return static_cast<int>(std::clamp<std::size_t>(piece_bytes / min_chunk_bytes, 1, max_chunks));
}

}  // namespace

CgLayout::CgLayout(std::size_t matrix_rows, int ranks, bool overlap)
    : rows(grid_rows_for(ranks)),
      columns(ranks / rows),
      pieces{matrix_rows, ranks},
      chunks(overlap ? chunks_of(pieces.largest() * sizeof(double)) : 1),
      split(overlap && rows > 1) {}

}  // namespace stretto::kernel::nas
