// SPDX-License-Identifier: BSD-3-Clause
#include "kernels/nas/sliced_rows.hpp"

#include <algorithm>

#include "kernels/processors.hpp"
#include "plan/platform.hpp"

namespace stretto::kernel {
namespace {

// Columns of a block: 16 KiB of x, half of the first-level cache of most processors. A row should have 16
// elements in a block, because each block adds a sum. Column indices have 16 bits.
constexpr std::size_t min_columns = 2048;
constexpr std::size_t max_columns = std::size_t{1} << 16U;
constexpr std::size_t elements_of_row = 16;

// Prefetch distance: processors do not prefetch across pages by themselves.
constexpr std::size_t ahead_bytes = 4096;

/// The elements of a row in one block of columns.
struct Segment {
  std::size_t row = 0;
  std::size_t first = 0;  // element of the matrix
  std::size_t count = 0;
};

std::size_t columns_of(const Csr& matrix) {
  return matrix.column.empty() ? 0 : *std::max_element(matrix.column.begin(), matrix.column.end()) + 1;
}

std::size_t block_columns(const Csr& matrix, std::size_t columns) {
  const std::size_t needed = elements_of_row * columns * matrix.rows() / matrix.nonzeros();
  return std::clamp(needed, min_columns, max_columns);
}

/// The segments of rows from `first_row` to before `last_row`, by block, the longest first.
std::vector<std::vector<Segment>> segments_of(const Csr& matrix, std::size_t first_row, std::size_t last_row,
                                              std::size_t width, std::size_t blocks) {
  std::vector<std::vector<Segment>> segments(blocks);
  for (std::size_t row = first_row; row < last_row; ++row) {
    for (std::size_t k = matrix.start[row]; k < matrix.start[row + 1];) {
      const std::size_t block = matrix.column[k] / width;
      Segment segment{.row = row, .first = k};
      while (k < matrix.start[row + 1] && matrix.column[k] / width == block) ++k;
      segment.count = k - segment.first;
      segments[block].push_back(segment);
    }
  }
  for (std::vector<Segment>& block : segments) {
    std::stable_sort(block.begin(), block.end(),
                     [](const Segment& a, const Segment& b) { return a.count > b.count; });
    // Unused lanes add nothing to the shortest row.
    while (block.size() % SlicedRows::lanes > 0) block.push_back({block.back().row, block.back().first, 0});
  }
  return segments;
}

/// Appends the steps of eight segments. A row without further elements uses its first column, times zero.
void append_steps(const Csr& matrix, const Segment* segment, std::size_t first_column,
                  std::vector<SlicedRows::Step>& steps) {
  for (std::size_t k = 0; k < segment->count; ++k) {
    SlicedRows::Step& step = steps.emplace_back();
    for (std::size_t lane = 0; lane < SlicedRows::lanes; ++lane) {
      const bool has = k < segment[lane].count;
      const std::size_t element = segment[lane].first + (has ? k : 0);
      step.value[lane] = has ? matrix.value[element] : 0.0;
      step.column[lane] = static_cast<std::uint16_t>(matrix.column[element] - first_column);
    }
  }
}

// Compiled to two vectors on processors with shorter ones.
using Four = double __attribute__((vector_size(32)));
// Read in place: the compiler would store a copy in halves and load it as a whole, which stalls the
// processor.
using FourInMemory = double __attribute__((vector_size(32), aligned(8), may_alias));

inline void fetch(const void* from) {
  __builtin_prefetch(from, 0, 3);
  __builtin_prefetch(static_cast<const char*>(from) + 64, 0, 3);
}

STRETTO_FOR_PROCESSORS
void multiply_slices(const SlicedRows::Slice* slice, const SlicedRows::Slice* last,
                     const SlicedRows::Step* step, const double* x, double* y) {
  for (; slice != last; ++slice) {
    Four low{};
    Four high{};
    for (std::uint32_t k = 0; k < slice->steps; ++k, ++step) {
      fetch(reinterpret_cast<const char*>(step) + ahead_bytes);
      const std::uint16_t* c = step->column.data();
      const auto* value = reinterpret_cast<const FourInMemory*>(step->value.data());
      low += value[0] * Four{x[c[0]], x[c[1]], x[c[2]], x[c[3]]};
      high += value[1] * Four{x[c[4]], x[c[5]], x[c[6]], x[c[7]]};
    }
    for (std::size_t i = 0; i < 4; ++i) y[slice->row[i]] += low[i];
    for (std::size_t i = 0; i < 4; ++i) y[slice->row[4 + i]] += high[i];
  }
}

}  // namespace

SlicedRows::SlicedRows(const Csr& matrix, const std::vector<std::size_t>& part_start)
    : parts_(part_start.size() - 1) {
  if (matrix.nonzeros() == 0) return;
  const std::size_t columns = columns_of(matrix);
  const std::size_t width = block_columns(matrix, columns);
  const std::size_t blocks = (columns + width - 1) / width;
  std::vector<Step> steps;
  for (std::size_t p = 0; p < parts_.size(); ++p) {
    parts_[p].nonzeros = matrix.start[part_start[p + 1]] - matrix.start[part_start[p]];
    const auto segments = segments_of(matrix, part_start[p], part_start[p + 1], width, blocks);
    for (std::size_t b = 0; b < blocks; ++b) {
      RowBlock block{.first_column = b * width, .first_slice = slices_.size(), .first_step = steps.size()};
      for (std::size_t s = 0; s < segments[b].size(); s += lanes) {
        const Segment* first = segments[b].data() + s;
        Slice& slice = slices_.emplace_back();
        slice.steps = static_cast<std::uint32_t>(first->count);
        for (std::size_t i = 0; i < lanes; ++i) slice.row[i] = static_cast<std::uint32_t>(first[i].row);
        append_steps(matrix, first, block.first_column, steps);
      }
      block.last_slice = slices_.size();
      parts_[p].blocks.push_back(block);
    }
  }
  steps_ = AlignedArray<Step>(steps.size());
  std::copy(steps.begin(), steps.end(), steps_.data());
}

void SlicedRows::multiply_add(std::size_t part, const double* x, double* y) const {
  for (const RowBlock& block : parts_[part].blocks) {
    multiply_slices(slices_.data() + block.first_slice, slices_.data() + block.last_slice,
                    steps_.data() + block.first_step, x + block.first_column, y);
  }
  plan::computed(2.0 * static_cast<double>(parts_[part].nonzeros));
}

}  // namespace stretto::kernel
