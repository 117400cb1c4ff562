// SPDX-License-Identifier: BSD-3-Clause
#include "sparse/grouped_rows.hpp"

#include <gtest/gtest.h>

#include <vector>

namespace stretto::spmv {
namespace {

/// `count` rows with the same `columns`; element (row, column) is 1000 row + column.
void add_rows(SparseRows& matrix, std::uint32_t first, std::uint32_t count, std::uint32_t step,
              const std::vector<std::uint32_t>& columns) {
  for (std::uint32_t i = 0; i < count; ++i) {
    const std::uint32_t row = first + i * step;
    for (const std::uint32_t column : columns) matrix.add(row, column, 1000.0 * row + column);
  }
}

TEST(GroupedRows, MultipliesGroupsOfEverySize) {
  const std::vector<double> x{1, 10, 100, 1000, 10000};
  for (std::uint32_t rows = 1; rows <= 20; ++rows) {
    for (std::uint32_t columns = 1; columns <= 5; ++columns) {
      std::vector<std::uint32_t> all;
      for (std::uint32_t column = 0; column < columns; ++column) all.push_back(column);
      SparseRows matrix;
      add_rows(matrix, 0, rows, 2, all);  // every second row; the others are empty
      std::vector<double> y(2 * rows, 0.5);
      GroupedRows(matrix).multiply_add(x.data(), y.data());
      for (std::uint32_t i = 0; i < rows; ++i) {
        double sum = 0.5;
        for (const std::uint32_t column : all) sum += (2000.0 * i + column) * x[column];
        EXPECT_EQ(y[2 * i], sum) << rows << " rows, " << columns << " columns, row " << 2 * i;
        EXPECT_EQ(y[2 * i + 1], 0.5);
      }
    }
  }
}

TEST(GroupedRows, GroupsDistantRows) {
  SparseRows matrix;
  add_rows(matrix, 0, 1, 1, {1, 2});
  add_rows(matrix, 1, 1, 1, {1, 3});
  add_rows(matrix, 2, 1, 1, {1, 2});
  add_rows(matrix, 3, 1, 1, {2, 1});  // the same columns in another order are another group
  const GroupedRows grouped(matrix);
  EXPECT_EQ(grouped.groups(), 3U);
  EXPECT_EQ(grouped.nonzeros(), 8U);
}

TEST(GroupedRows, CutsManyRowsEvenly) {
  SparseRows matrix;
  add_rows(matrix, 0, 10, 1, {0});
  EXPECT_EQ(GroupedRows(matrix).groups(), 2U);
  EXPECT_EQ(GroupedRows().groups(), 0U);
}

}  // namespace
}  // namespace stretto::spmv
