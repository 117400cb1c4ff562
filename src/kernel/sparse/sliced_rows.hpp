// SPDX-License-Identifier: BSD-3-Clause
// A sparse matrix in one process, for many products with rows that have nothing in common: eight rows of like
// length are multiplied side by side (SELL-C-sigma: Kreutzer, Hager, Wellein, Fehske, Bishop, SIAM J. Sci.
// Comput. 36, 2014), one block of columns after another, so that its part of x stays in the nearest cache.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "kernel/aligned.hpp"
#include "kernel/sparse/csr.hpp"

namespace stretto::kernel {

class SlicedRows {
 public:
  static constexpr std::size_t lanes = 8;  ///< rows side by side

  SlicedRows() = default;
  /// `part_start`: the first row of each part that is multiplied by itself, and one past the last.
  SlicedRows(const Csr& matrix, const std::vector<std::size_t>& part_start);

  /// y[row] += (A x)[row] for the rows of a part; rows and columns are numbered as in the whole matrix. A sum
  /// has its terms in the same order every time. NaN in x makes NaN of the rows that have its column.
  void multiply_add(std::size_t part, const double* x, double* y) const;

  [[nodiscard]] std::size_t parts() const { return parts_.size(); }

  /// An element of each of eight rows. Columns are those of the block: any matrix has short ones.
  struct Step {
    std::array<double, lanes> value;
    std::array<std::uint16_t, lanes> column;
  };
  /// Eight rows, and how many steps there are for the longest of them in this block.
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
