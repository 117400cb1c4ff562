// SPDX-License-Identifier: BSD-3-Clause
// The linear system of the Jacobi kernel. A formula gives its entries, so that every rank computes its part,
// and rank 0 the whole, without communication. It is strictly diagonally dominant, so that the iteration
// converges.
#pragma once

#include <cstdint>
#include <vector>

namespace stretto::kernel {

class JacobiSystem {
 public:
  /// A system of n >= 2 equations.
  explicit JacobiSystem(std::int64_t n) : n_(n) {}

  [[nodiscard]] std::int64_t n() const { return n_; }
  /// a_ij for i != j: between -1 and 1, not symmetric.
  [[nodiscard]] static double off_diagonal(std::int64_t i, std::int64_t j) {
    return static_cast<double>((i * 131 + j * 71 + (i ^ j)) % 257 - 128) / 128.0;
  }
  /// a_ii: twice the bound of the sum of the other entries in a row, so that each step at least halves the
  /// error.
  [[nodiscard]] double diagonal() const { return 2.0 * static_cast<double>(n_ - 1); }
  [[nodiscard]] double right_side(std::int64_t i) const {
    return diagonal() * static_cast<double>(i % 101 - 50) / 50.0;
  }

 private:
  std::int64_t n_;
};

/// A block of rows or columns of the matrix with a zero diagonal. Its lines of n entries are stored, or
/// computed at each use.
class JacobiBlock {
 public:
  enum class Lines { rows, columns };

  /// Lines `first` to `first + count` - 1.
  JacobiBlock(const JacobiSystem& system, Lines lines, std::int64_t first, std::int64_t count, bool stored);

  /// The n entries of a line, valid until the next call. `line` counts from 0 within the block.
  [[nodiscard]] const double* line(std::int64_t line);

 private:
  void make(std::int64_t line, double* entries) const;

  const JacobiSystem& system_;
  Lines lines_;
  std::int64_t first_;
  bool stored_;
  std::vector<double> entries_;
};

/// The iterate after `iterations` steps from zero, n values, by one process.
[[nodiscard]] std::vector<double> jacobi_serial(const JacobiSystem& system, int iterations);

}  // namespace stretto::kernel
