// SPDX-License-Identifier: BSD-3-Clause
#include "kernels/nas/cg_matrix.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <utility>
#include <vector>

#include "kernels/nas/random.hpp"

namespace stretto::kernel::nas {
namespace {

struct Element {
  std::uint32_t place;
  double value;
};

using SparseVector = std::vector<std::pair<std::size_t, double>>;

/// Draws `count` distinct random indices with random values, and sets 0.5 at `own`.
void draw(Random& random, const CgClass& size, std::size_t own, SparseVector& vector) {
  const auto range = static_cast<double>(std::bit_ceil(size.rows));
  const auto find = [&](std::size_t place) {
    return std::find_if(vector.begin(), vector.end(), [&](const auto& one) { return one.first == place; });
  };
  vector.clear();
  while (vector.size() < size.nonzeros) {
    const double value = random.next();
    const auto place = static_cast<std::size_t>(range * random.next());
    if (place < size.rows && find(place) == vector.end()) vector.emplace_back(place, value);
  }
  const auto found = find(own);
  if (found != vector.end()) {
    found->second = 0.5;
  } else {
    vector.emplace_back(own, 0.5);
  }
}

/// Calls `visit(row, column, value)` for every element of every outer product with a row in the part.
template <typename Visit>
void visit_products(const CgClass& size, const CgPart& part, Visit&& visit) {
  Random random(random_seed);
  random.next();  // the benchmark draws one number before the matrix
  const double ratio = std::pow(cg_condition, 1 / static_cast<double>(size.rows));
  double weight = 1;
  SparseVector vector;
  for (std::size_t i = 0; i < size.rows; ++i, weight *= ratio) {
    draw(random, size, i, vector);
    for (const auto& [row, row_value] : vector) {
      if (row < part.first_row || row >= part.last_row) continue;
      const double scale = weight * row_value;
      for (const auto& [column, value] : vector) {
        const bool diagonal = row == i && column == i;
        visit(row, column, value * scale + (diagonal ? cg_condition - size.shift : 0));
      }
    }
  }
}

/// Sums elements with the same index and appends the row.
void close_row(std::vector<Element>& row, Csr& matrix) {
  std::stable_sort(row.begin(), row.end(),
                   [](const Element& a, const Element& b) { return a.place < b.place; });
  for (std::size_t i = 0; i < row.size(); ++i) {
    if (i > 0 && row[i].place == row[i - 1].place) {
      matrix.value.back() += row[i].value;
    } else {
      matrix.column.push_back(row[i].place);
      matrix.value.push_back(row[i].value);
    }
  }
  matrix.start.push_back(matrix.value.size());
}

}  // namespace

Csr cg_matrix(const CgClass& size, const CgPart& part) {
  std::vector<std::vector<Element>> rows(part.last_row - part.first_row);
  visit_products(size, part, [&](std::size_t row, std::size_t column, double value) {
    const std::uint32_t place = part.place(column);
    if (place != CgPart::absent) rows[row - part.first_row].push_back({place, value});
  });
  Csr matrix;
  for (std::vector<Element>& row : rows) {
    close_row(row, matrix);
    std::vector<Element>().swap(row);
  }
  return matrix;
}

}  // namespace stretto::kernel::nas
