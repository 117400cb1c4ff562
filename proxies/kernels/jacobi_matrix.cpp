// SPDX-License-Identifier: BSD-3-Clause
#include "kernels/jacobi_matrix.hpp"

namespace stretto::kernel {

JacobiBlock::JacobiBlock(const JacobiSystem& system, Lines lines, std::int64_t first, std::int64_t count,
                         bool stored)
    : system_(system), lines_(lines), first_(first), stored_(stored) {
  const std::int64_t kept = stored ? count : 1;
  entries_.resize(static_cast<std::size_t>(kept * system.n()));
  for (std::int64_t i = 0; stored && i < count; ++i) make(i, entries_.data() + i * system.n());
}

const double* JacobiBlock::line(std::int64_t line) {
  if (stored_) return entries_.data() + line * system_.n();
  make(line, entries_.data());
  return entries_.data();
}

void JacobiBlock::make(std::int64_t line, double* entries) const {
  const std::int64_t own = first_ + line;
  for (std::int64_t k = 0; k < system_.n(); ++k) {
    const bool row = lines_ == Lines::rows;
    entries[k] = row ? JacobiSystem::off_diagonal(own, k) : JacobiSystem::off_diagonal(k, own);
  }
  entries[own] = 0;
}

std::vector<double> jacobi_serial(const JacobiSystem& system, int iterations) {
  const std::int64_t n = system.n();
  std::vector<double> x(static_cast<std::size_t>(n), 0.0);
  std::vector<double> next(x.size());
  JacobiBlock rows(system, JacobiBlock::Lines::rows, 0, n, false);
  for (int step = 0; step < iterations; ++step) {
    for (std::int64_t i = 0; i < n; ++i) {
      const double* row = rows.line(i);
      double sum = 0;
      for (std::int64_t j = 0; j < n; ++j) sum += row[j] * x[static_cast<std::size_t>(j)];
      next[static_cast<std::size_t>(i)] = (system.right_side(i) - sum) / system.diagonal();
    }
    x.swap(next);
  }
  return x;
}

}  // namespace stretto::kernel
