// SPDX-License-Identifier: BSD-3-Clause
// The division of CG among a grid of ranks, and the operations of a step of inverse iteration. CgGrid
// exchanges by it; `stretto-kernel-plans` takes the number and sizes of messages from here.
#pragma once

#include <cstddef>

#include "kernels/nas/classes.hpp"
#include "plan/block_distribution.hpp"

namespace stretto::kernel::nas {

/// Steps of conjugate gradients per step of inverse iteration.
constexpr int cg_steps = 25;
/// Products with the matrix per step of inverse iteration: one a step, and one for the residual.
constexpr int cg_products = cg_steps + 1;
/// Sums over all ranks per step of inverse iteration: r r at first, p q and r r in each step, the residual's
/// r r, x z and z z.
constexpr int cg_sums = 2 * cg_steps + 4;

/// Nonzeros of a row of the matrix, as the benchmark counts them.
[[nodiscard]] inline double cg_nonzeros_of_row(const CgClass& size) {
  return static_cast<double>(size.nonzeros * (size.nonzeros + 1));
}

struct CgLayout {
  CgLayout(std::size_t matrix_rows, int ranks, bool overlap);

  /// Of the grid: as square as possible, with at least as many columns as rows, as in the benchmark.
  int rows;
  int columns;
  plan::BlockDistribution pieces;  ///< of a vector, one per rank
  int chunks;                      ///< of a piece in the fold; each is sent as soon as its sums are complete
  bool split;                      ///< multiply own columns while others arrive
};

}  // namespace stretto::kernel::nas
