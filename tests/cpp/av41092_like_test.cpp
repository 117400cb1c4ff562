// SPDX-License-Identifier: BSD-3-Clause
#include "kernels/spmv/av41092_like.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>

namespace stretto::kernel {
namespace {

struct Made {
  std::vector<std::size_t> start{0};
  std::vector<std::uint32_t> columns;
  std::vector<double> values;
};

/// At scale 1; made once.
const Made& made_rows() {
  static const Made made = [] {
    const Av41092Like matrix;
    Made all;
    for (std::size_t row = 0; row < matrix.rows(); ++row) {
      matrix.append_row(row, all.columns, all.values);
      all.start.push_back(all.columns.size());
    }
    return all;
  }();
  return made;
}

/// What the elements give is known: 1,591,180 nonzeros; so is what is added to some rows.
TEST(Av41092Like, HasTheNumbersOfThePapersMatrix) {
  const Av41092Like matrix;
  EXPECT_EQ(matrix.rows(), 41092U);
  const Made& all = made_rows();
  EXPECT_EQ(all.columns.size(), 1683902U);
  EXPECT_EQ(all.values.size(), all.columns.size());
  std::size_t long_rows = 0;
  std::size_t in_them = 0;
  for (std::size_t row = 0; row < matrix.rows(); ++row) {
    const auto first = all.columns.begin() + static_cast<std::ptrdiff_t>(all.start[row]);
    const auto last = all.columns.begin() + static_cast<std::ptrdiff_t>(all.start[row + 1]);
    EXPECT_TRUE(std::adjacent_find(first, last, std::greater_equal<>{}) == last) << "row " << row;
    EXPECT_LT(*(last - 1), matrix.rows());
    EXPECT_TRUE(std::binary_search(first, last, static_cast<std::uint32_t>(row))) << "no diagonal " << row;
    if (last - first > 2015) {
      ++long_rows;
      in_them += static_cast<std::size_t>(last - first);
    }
  }
  EXPECT_EQ(long_rows, 46U);
  EXPECT_GT(in_them, 46U * (2015 + 28));  // besides those of one triangle at least
}

/// The ten interior nodes of a triangle have its 28 nodes as columns; an edge's inner ones those of two
/// triangles, which share 7; a vertex those of six, where its six edges are counted twice and itself is on
/// all of them.
TEST(Av41092Like, CouplesVerticesOfOneTriangle) {
  const Av41092Like matrix;
  std::map<std::ptrdiff_t, std::size_t> rows_of_length;
  const Made& all = made_rows();
  for (std::size_t row = 0; row < matrix.rows(); ++row) {
    ++rows_of_length[static_cast<std::ptrdiff_t>(all.start[row + 1] - all.start[row])];
  }
  EXPECT_GT(rows_of_length[28], 10U * 2 * 32 * 32 - 50);                     // interior of inner triangles
  EXPECT_GT(rows_of_length[2 * 28 - 7], 5U * (32 * 32 + 2 * 31 * 32) - 50);  // inside of inner edges
  EXPECT_GT(rows_of_length[6 * 28 - 6 * 7 + 1], 31U * 31 - 50);              // vertices
}

TEST(Av41092Like, ScalesInItsCells) {
  const Av41092Like matrix(4);
  EXPECT_EQ(matrix.rows(), (6U * 68 - 1) * (6U * 68 - 1) - 117);
  std::vector<std::uint32_t> columns;
  std::vector<double> values;
  matrix.append_row(matrix.rows() / 2, columns, values);
  EXPECT_GE(columns.size(), 28U);
  EXPECT_EQ(Av41092Like(20).rows(), 911U * 911 - 117);
}

}  // namespace
}  // namespace stretto::kernel
