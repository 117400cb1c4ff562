// SPDX-License-Identifier: BSD-3-Clause
// A sparse matrix, local to one process, for repeated products with rows of unrelated structure. Eight rows
// of similar length are multiplied together (SELL-C-sigma: Kreutzer, Hager, Wellein, Fehske, Bishop, SIAM J.
// Sci. Comput. 36, 2014). Blocks of columns are processed one after another, so that the block's part of x
// stays in the first-level cache.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "kernels/aligned.hpp"
#include "kernels/nas/csr.hpp"

namespace stretto::kernel {

class SlicedRows {
 public:
  static constexpr std::size_t lanes = 8;  ///< rows that are multiplied together

  SlicedRows() = default;
  /// `part_start`: the first row of each part that can be multiplied separately, and one past the last.
  SlicedRows(const Csr& matrix, const std::vector<std::size_t>& part_start);

  /// y[row] += (A x)[row] for the rows of a part; rows and columns are numbered as in the whole matrix. The
  /// order of the terms of a sum is fixed. A NaN in x gives NaN in every row with that column.
  void multiply_add(std::size_t part, const double* x, double* y) const;

  [[nodiscard]] std::size_t parts() const { return parts_.size(); }

  /// One element of each of eight rows. Column indices are relative to the block, so that they are short.
  struct Step {
    std::array<double, lanes> value;
    std::array<std::uint16_t, lanes> column;
  };
  /// Eight rows, and the number of steps of the longest of them in this block.
  struct Slice {
    std::array<std::uint32_t, lanes> row;
    std::uint32_t steps = 0;
  };

 private:
  struct RowBlock {
    std::size_t first_column = 0;
    std::size_t first_slice = 0;
    std::size_t last_slice = 0;  // one past
    std::size_t first_step = 0;
  };
  struct Part {
    std::vector<RowBlock> blocks;
    std::size_t nonzeros = 0;
  };

  std::vector<Part> parts_;
  std::vector<Slice> slices_;
  AlignedArray<Step> steps_;
};

}  // namespace stretto::kernel
