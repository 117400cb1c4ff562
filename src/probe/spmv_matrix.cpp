// SPDX-License-Identifier: BSD-3-Clause
#include "probe/spmv_matrix.hpp"

#include <cmath>
#include <limits>
#include <random>

namespace stretto::probe {

// The gaps between the successes of independent trials are geometric. Drawing the gaps costs one random
// number per nonzero; drawing the trials would cost one per element.
CsrBlock random_block(std::size_t rows, std::size_t columns, double ratio, std::uint64_t seed) {
  CsrBlock block;
  block.row_begin.assign(rows + 1, 0);
  const double elements = static_cast<double>(rows) * static_cast<double>(columns);
  block.column.reserve(static_cast<std::size_t>(1.05 * ratio * elements) + 16);
  block.value.reserve(block.column.capacity());
  std::mt19937_64 generator(seed);
  std::uniform_real_distribution<double> uniform(0, 1);
  const double logarithm = ratio < 1 ? std::log1p(-ratio) : -std::numeric_limits<double>::infinity();
  const auto gap = [&] {
    return ratio > 0 ? std::floor(std::log1p(-uniform(generator)) / logarithm) : elements;
  };
  for (double place = gap(); place < elements; place += 1 + gap()) {
    const auto index = static_cast<std::uint64_t>(place);
    ++block.row_begin[index / columns + 1];
    block.column.push_back(static_cast<std::uint32_t>(index % columns));
    block.value.push_back(uniform(generator) - 0.5);
  }
  for (std::size_t row = 0; row < rows; ++row) block.row_begin[row + 1] += block.row_begin[row];
  return block;
}

void multiply(const CsrBlock& block, std::span<const double> x, std::span<double> y, std::size_t begin,
              std::size_t end) {
  for (std::size_t row = begin; row < end; ++row) {
    double sum = y[row];
    for (std::uint32_t place = block.row_begin[row]; place < block.row_begin[row + 1]; ++place) {
      sum += block.value[place] * x[block.column[place]];
    }
    y[row] = sum;
  }
}

}  // namespace stretto::probe
