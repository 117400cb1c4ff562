// SPDX-License-Identifier: BSD-3-Clause
// A part of a sparse matrix in one process: compressed rows, and their product with a vector.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace stretto::kernel {

struct Csr {
  std::vector<std::size_t> start{0};  ///< of each row, and one past the last
  std::vector<std::uint32_t> column;
  std::vector<double> value;

  [[nodiscard]] std::size_t rows() const { return start.size() - 1; }
  [[nodiscard]] std::size_t nonzeros() const { return value.size(); }
};

/// y[row] = (A x)[row] for rows from `first` to before `last`; `add`: y[row] += it.
void multiply(const Csr& matrix, std::size_t first, std::size_t last, const double* x, double* y, bool add);

}  // namespace stretto::kernel
