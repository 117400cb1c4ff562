// SPDX-License-Identifier: BSD-3-Clause
// A sparse matrix in one process, for many products: rows with nonzeros in the same columns are kept
// together, so that these columns are read once for all of them. Finite elements have many such rows.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace stretto::kernel {

/// Rows that have nonzeros, compressed; `row` says which each one is.
struct SparseRows {
  std::vector<std::uint32_t> row;
  std::vector<std::size_t> start{0};  ///< of each in the two below, and one past the last
  std::vector<std::uint32_t> column;
  std::vector<double> value;

  /// One more element, of the row that was last begun or of a later one.
  void add(std::uint32_t in_row, std::uint32_t in_column, double element);
};

class GroupedRows {
 public:
  GroupedRows() = default;
  explicit GroupedRows(const SparseRows& matrix);

  /// y[row] += (A x)[row] for all rows that it has.
  void multiply_add(const double* x, double* y) const;

  [[nodiscard]] std::size_t nonzeros() const { return value_.size(); }
  /// Groups of rows with the same columns.
  [[nodiscard]] std::size_t groups() const { return group_.size(); }

 private:
  struct Group {
    std::uint32_t rows = 0;
    std::uint32_t columns = 0;
  };

  void append(const SparseRows& matrix, const std::uint32_t* members, std::size_t count);

  std::vector<Group> group_;
  std::vector<std::uint32_t> row_;     // of each group's rows
  std::vector<std::uint32_t> column_;  // of each group, once
  std::vector<double> value_;          // of each group's columns, one a row next to each other
};

}  // namespace stretto::kernel
