// SPDX-License-Identifier: BSD-3-Clause
// The data of one rank of the SPMV probe: its blocks of the matrix, both vectors, and the check of received
// data.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "probe/schedule_names.hpp"
#include "probe/spmv_matrix.hpp"

namespace stretto::probe {

class SpmvData {
 public:
  SpmvData(const SpmvProblem& problem, double nonzero_ratio, std::size_t rank);

  [[nodiscard]] std::size_t nonzeros() const;

  /// Element `index` of the source vector of `owner`'s block.
  [[nodiscard]] static double source(std::size_t owner, std::size_t index, std::uint32_t seed);
  /// Fills this rank's block of the source vector, and sets the destination vector to 0.
  void fill(std::span<double> own, std::uint32_t seed);

  /// Computes y += A(me, owner) x for slice `index` of `slices` of the rows.
  void multiply(std::size_t owner, std::span<const double> x, std::size_t index, std::size_t slices);

  /// Whether `x` equals the block that `owner` filled with `seed`.
  [[nodiscard]] bool arrived(std::span<const double> x, std::size_t owner, std::uint32_t seed) const;
  /// Whether the destination vector equals one multiplication with each block, starting from 0 with this
  /// rank's own block.
  [[nodiscard]] bool product_is_right(std::uint32_t seed) const;

 private:
  SpmvProblem problem_;
  std::size_t rank_;
  std::vector<CsrBlock> blocks_;  // one per rank
  std::vector<double> destination_;
};

}  // namespace stretto::probe
