// SPDX-License-Identifier: BSD-3-Clause
// The data of one rank of the SPMV probe: its blocks of the matrix, both vectors, and what must have arrived.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "probe/spmv_matrix.hpp"
#include "probe/spmv_schedule.hpp"

namespace stretto::probe {

class SpmvData {
 public:
  SpmvData(const SpmvProblem& problem, double nonzero_ratio, std::size_t rank);

  [[nodiscard]] std::size_t nonzeros() const;

  /// Element `index` of the source vector of `owner`'s block.
  [[nodiscard]] static double source(std::size_t owner, std::size_t index, std::uint32_t seed);
  /// This rank's block of the source vector; the destination vector becomes 0.
  void fill(std::span<double> own, std::uint32_t seed);

  /// y += A(me, owner) x for a slice of the rows: slice `index` of `slices`.
  void multiply(std::size_t owner, std::span<const double> x, std::size_t index, std::size_t slices);

  /// Whether `x` is the block that `owner` has filled with `seed`.
  [[nodiscard]] bool arrived(std::span<const double> x, std::size_t owner, std::uint32_t seed) const;
  /// Whether the destination vector is what one multiplication with each block, the own one first, makes of
  /// 0.
  [[nodiscard]] bool product_is_right(std::uint32_t seed) const;

 private:
  SpmvProblem problem_;
  std::size_t rank_;
  std::vector<CsrBlock> blocks_;  // one a rank
  std::vector<double> destination_;
};

}  // namespace stretto::probe
