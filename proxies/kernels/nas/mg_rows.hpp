// SPDX-License-Identifier: BSD-3-Clause
// The operators of NAS MG on one row of a level (RNR-94-007, kernel MG): local computation, compiled for
// several kinds of processor, independent of ranks and levels. Rows are periodic along x.
#pragma once

#include <array>
#include <cstddef>

#include "kernels/aligned.hpp"

namespace stretto::kernel::nas {

// Floating-point operations per point, as they are executed.
constexpr double stencil_flops = 19;
constexpr double interpolation_flops = 5;
constexpr double restriction_flops = 15;  ///< per coarse point: twice the sums across rows, the sum along x

/// Coefficients of a 27-point operator: at the point, and at its neighbours across a face, an edge and a
/// corner.
struct MgStencil {
  double centre = 0;
  double face = 0;
  double edge = 0;
  double corner = 0;
};

/// The row at y + dy and z + dz is at 3 (dz + 1) + dy + 1.
using MgNeighbourhood = std::array<const double*, 9>;

/// Scratch memory of the operators, for rows of up to the given length.
class MgScratch {
 public:
  explicit MgScratch(int nx) : first_(padded(nx)), second_(padded(nx)) {}
  /// Scratch rows with valid indices from -1 to nx.
  [[nodiscard]] double* first() { return first_.data() + margin; }
  [[nodiscard]] double* second() { return second_.data() + margin; }

 private:
  static constexpr std::size_t margin = 8;
  static std::size_t padded(int nx) { return static_cast<std::size_t>(nx) + 2 * margin; }
  AlignedArray<double> first_;
  AlignedArray<double> second_;
};

/// Computes to = from + S f for nx points; `to` may be `from`, but no row of f.
void stencil_row(const MgStencil& stencil, const MgNeighbourhood& f, const double* from, double* to, int nx,
                 MgScratch& scratch);

/// Full weighting of nine fine rows to one coarse one of `nx` points: to = R f.
void restrict_row(const MgNeighbourhood& f, double* to, int nx, MgScratch& scratch);

/// The coarse rows around a fine row, `nx` points each. The same row stands several times where the fine one
/// lies on it.
using MgCoarseRows = std::array<const double*, 4>;
/// Trilinear interpolation from the mean of the coarse rows: fine = P z, or fine += P z.
void set_interpolated_row(const MgCoarseRows& z, double* fine, int nx, MgScratch& scratch);
void add_interpolated_row(const MgCoarseRows& z, double* fine, int nx, MgScratch& scratch);

/// The sum of the squares of a row.
[[nodiscard]] double squares_of_row(const double* row, int nx);

}  // namespace stretto::kernel::nas
