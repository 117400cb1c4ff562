// SPDX-License-Identifier: BSD-3-Clause
// One block of a random sparse matrix, and its product with a block of a vector. It knows neither ranks nor
// communication.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace stretto::probe {

/// Compressed sparse rows. The nonzeros of row r are row_begin[r] to row_begin[r + 1].
struct CsrBlock {
  std::vector<std::uint32_t> row_begin;
  std::vector<std::uint32_t> column;
  std::vector<double> value;

  [[nodiscard]] std::size_t rows() const { return row_begin.empty() ? 0 : row_begin.size() - 1; }
  [[nodiscard]] std::size_t nonzeros() const { return column.size(); }
};

inline constexpr std::size_t bytes_per_nonzero = sizeof(std::uint32_t) + sizeof(double);

/// Each element is a nonzero with probability `ratio` (0 to 1), independently of all others. Equal seeds
/// give equal blocks.
[[nodiscard]] CsrBlock random_block(std::size_t rows, std::size_t columns, double ratio, std::uint64_t seed);

/// y[r] += A[r, :] x for rows `begin` to `end`. `x` has as many elements as the block has columns, `y` as
/// many as rows.
void multiply(const CsrBlock& block, std::span<const double> x, std::span<double> y, std::size_t begin,
              std::size_t end);

}  // namespace stretto::probe
