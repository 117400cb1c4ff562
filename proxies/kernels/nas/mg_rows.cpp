// SPDX-License-Identifier: BSD-3-Clause
#include "kernels/nas/mg_rows.hpp"

#include <cstddef>

#include "kernels/processors.hpp"

namespace stretto::kernel::nas {
namespace {

/// The values to add to a fine row: at even indices the mean of two coarse points, at odd ones the coarse
/// point itself.
inline void mean_of_rows(const MgCoarseRows& z, double* mean, int nx) {
  const auto [z0, z1, z2, z3] = z;
  STRETTO_INDEPENDENT
  for (std::ptrdiff_t i = 0; i < nx; ++i) mean[i] = 0.25 * ((z0[i] + z1[i]) + (z2[i] + z3[i]));
  mean[-1] = mean[nx - 1];
}

}  // namespace

// First all sums across rows, in two rows: contributions at the same index, and contributions to both
// neighbours along x. So each of the 27 points is added once.
STRETTO_FOR_PROCESSORS
void stencil_row(const MgStencil& stencil, const MgNeighbourhood& f, const double* from, double* to, int nx,
                 MgScratch& scratch) {
  const auto [f0, f1, f2, f3, f4, f5, f6, f7, f8] = f;
  const auto [centre, face, edge, corner] = stencil;
  double* here = scratch.first();
  double* adjacent = scratch.second();
  STRETTO_INDEPENDENT
  for (std::ptrdiff_t i = 0; i < nx; ++i) {
    const double faces = (f1[i] + f7[i]) + (f3[i] + f5[i]);
    const double edges = (f0[i] + f2[i]) + (f6[i] + f8[i]);
    here[i] = centre * f4[i] + face * faces + edge * edges;
    adjacent[i] = face * f4[i] + edge * faces + corner * edges;
  }
  adjacent[-1] = adjacent[nx - 1];
  adjacent[nx] = adjacent[0];
  STRETTO_INDEPENDENT
  for (std::ptrdiff_t i = 0; i < nx; ++i) to[i] = from[i] + (here[i] + (adjacent[i - 1] + adjacent[i + 1]));
}

STRETTO_FOR_PROCESSORS
void restrict_row(const MgNeighbourhood& f, double* to, int nx, MgScratch& scratch) {
  const auto [f0, f1, f2, f3, f4, f5, f6, f7, f8] = f;
  double* sum = scratch.first();
  const std::ptrdiff_t fine = 2 * std::ptrdiff_t{nx};
  STRETTO_INDEPENDENT
  for (std::ptrdiff_t i = 0; i < fine; ++i) {
    sum[i] = 0.5 * f4[i] + 0.25 * ((f1[i] + f7[i]) + (f3[i] + f5[i])) +
             0.125 * ((f0[i] + f2[i]) + (f6[i] + f8[i]));
  }
  sum[fine] = sum[0];
  STRETTO_INDEPENDENT
  for (std::ptrdiff_t i = 0; i < nx; ++i) to[i] = sum[2 * i + 1] + 0.5 * (sum[2 * i] + sum[2 * i + 2]);
}

STRETTO_FOR_PROCESSORS
void set_interpolated_row(const MgCoarseRows& z, double* fine, int nx, MgScratch& scratch) {
  double* mean = scratch.first();
  mean_of_rows(z, mean, nx);
  STRETTO_INDEPENDENT
  for (std::ptrdiff_t i = 0; i < nx; ++i) {
    fine[2 * i] = 0.5 * (mean[i - 1] + mean[i]);
    fine[2 * i + 1] = mean[i];
  }
}

STRETTO_FOR_PROCESSORS
void add_interpolated_row(const MgCoarseRows& z, double* fine, int nx, MgScratch& scratch) {
  double* mean = scratch.first();
  mean_of_rows(z, mean, nx);
  STRETTO_INDEPENDENT
  for (std::ptrdiff_t i = 0; i < nx; ++i) {
    fine[2 * i] += 0.5 * (mean[i - 1] + mean[i]);
    fine[2 * i + 1] += mean[i];
  }
}

double squares_of_row(const double* row, int nx) {
  double sum = 0;
  for (std::ptrdiff_t i = 0; i < nx; ++i) sum += row[i] * row[i];
  return sum;
}

}  // namespace stretto::kernel::nas
