// SPDX-License-Identifier: BSD-3-Clause
// A part of a sparse matrix in compressed rows, local to one process. Matrices are built in this form.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace stretto::kernel {

struct Csr {
  std::vector<std::size_t> start{0};  ///< index of the first element of each row, and one past the last
  std::vector<std::uint32_t> column;  ///< ascending in each row
  std::vector<double> value;

  [[nodiscard]] std::size_t rows() const { return start.size() - 1; }
  [[nodiscard]] std::size_t nonzeros() const { return value.size(); }
};

}  // namespace stretto::kernel
