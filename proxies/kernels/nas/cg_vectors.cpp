// SPDX-License-Identifier: BSD-3-Clause
#include "kernels/nas/cg_vectors.hpp"

#include <array>
#include <numeric>

#include "kernels/processors.hpp"

namespace stretto::kernel::nas {
namespace {

// Independent accumulators, enough to hide the latency of an addition.
constexpr std::size_t width = 16;
using Sums = std::array<double, width>;

inline double total(const Sums& sums) { return std::accumulate(sums.begin(), sums.end(), 0.0); }

}  // namespace

STRETTO_FOR_PROCESSORS
double dot(const double* a, const double* b, std::size_t count) {
  Sums sums{};
  std::size_t i = 0;
  for (; i + width <= count; i += width) {
    for (std::size_t lane = 0; lane < width; ++lane) sums[lane] += a[i + lane] * b[i + lane];
  }
  for (std::size_t lane = 0; i < count; ++i, ++lane) sums[lane] += a[i] * b[i];
  return total(sums);
}

STRETTO_FOR_PROCESSORS
double step_along(double alpha, const double* p, const double* q, double* z, double* r, std::size_t count) {
  STRETTO_INDEPENDENT
  for (std::size_t i = 0; i < count; ++i) {
    z[i] += alpha * p[i];
    r[i] -= alpha * q[i];
  }
  return dot(r, r, count);
}

}  // namespace stretto::kernel::nas
