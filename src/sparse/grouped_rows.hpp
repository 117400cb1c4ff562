// SPDX-License-Identifier: BSD-3-Clause
// A sparse matrix, local to one process, for repeated products. Rows with nonzeros in the same columns form a
// group, so that the columns are read once per group. Finite-element matrices have many such rows.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace stretto::spmv {

/// Compressed rows with nonzeros only; `row` gives the number of each.
struct SparseRows {
  std::vector<std::uint32_t> row;
  /// Index of each row's first element in the arrays below, and one past the last.
  std::vector<std::size_t> start{0};
  std::vector<std::uint32_t> column;
  std::vector<double> value;

  /// Appends an element to the current row or to a later one.
  void add(std::uint32_t in_row, std::uint32_t in_column, double element);
};

class GroupedRows {
 public:
  GroupedRows() = default;
  explicit GroupedRows(const SparseRows& matrix);

  /// y[row] += (A x)[row] for all rows with nonzeros.
  void multiply_add(const double* x, double* y) const;

  [[nodiscard]] std::size_t nonzeros() const { return value_.size(); }
  /// Number of groups of rows with the same columns.
  [[nodiscard]] std::size_t groups() const { return group_.size(); }

 private:
  struct Group {
    std::uint32_t rows = 0;
    std::uint32_t columns = 0;
  };

  void append(const SparseRows& matrix, const std::uint32_t* members, std::size_t count);

  std::vector<Group> group_;
  std::vector<std::uint32_t> row_;     // row numbers, group by group
  std::vector<std::uint32_t> column_;  // columns, once per group
  std::vector<double> value_;          // values, column by column of a group, adjacent for its rows
};

}  // namespace stretto::spmv
