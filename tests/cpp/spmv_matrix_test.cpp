// SPDX-License-Identifier: BSD-3-Clause
#include "probe/spmv_matrix.hpp"

#include <gtest/gtest.h>

namespace stretto::probe {
namespace {

TEST(SpmvMatrix, NonzerosHaveTheRequestedNumberAndAreSpread) {
  const CsrBlock block = random_block(400, 250, 0.02, 7);
  const double expected = 0.02 * 400 * 250;  // 2000, standard deviation 44
  EXPECT_NEAR(static_cast<double>(block.nonzeros()), expected, 5 * 44);
  std::vector<int> columns(250, 0);
  for (std::size_t row = 0; row < block.rows(); ++row) {
    for (std::uint32_t place = block.row_begin[row]; place < block.row_begin[row + 1]; ++place) {
      ASSERT_LT(block.column[place], 250U);
      if (place > block.row_begin[row]) {
        EXPECT_GT(block.column[place], block.column[place - 1]);
      }
      ++columns[block.column[place]];
    }
  }
  EXPECT_GT(std::count_if(columns.begin(), columns.end(), [](int n) { return n > 0; }), 240);
}

TEST(SpmvMatrix, NoneAndAll) {
  EXPECT_EQ(random_block(20, 30, 0, 1).nonzeros(), 0U);
  EXPECT_EQ(random_block(20, 30, 1, 1).nonzeros(), 600U);
  EXPECT_EQ(random_block(0, 30, 0.5, 1).nonzeros(), 0U);
}

TEST(SpmvMatrix, ProductIsThatOfTheDenseMatrix) {
  const CsrBlock block = random_block(30, 20, 0.3, 3);
  std::vector<double> x(20);
  for (std::size_t i = 0; i < x.size(); ++i) x[i] = 1.0 / static_cast<double>(i + 1);
  std::vector<double> expected(30, 2.0);
  for (std::size_t row = 0; row < 30; ++row) {
    std::vector<double> dense(20, 0.0);
    for (std::uint32_t place = block.row_begin[row]; place < block.row_begin[row + 1]; ++place) {
      dense[block.column[place]] += block.value[place];
    }
    for (std::size_t column = 0; column < 20; ++column) expected[row] += dense[column] * x[column];
  }
  std::vector<double> y(30, 2.0);
  multiply(block, x, y, 0, 11);
  multiply(block, x, y, 11, 30);
  for (std::size_t row = 0; row < 30; ++row) EXPECT_NEAR(y[row], expected[row], 1e-14);
}

}  // namespace
}  // namespace stretto::probe
