// SPDX-License-Identifier: BSD-3-Clause
// A step first computes the rows that other ranks need, the boundary of this rank's part. It computes the
// core, plane by plane, while the boundary is in flight. Two consecutive steps process the planes together,
// so that the second finds them in the cache.
#include "kernels/nas/mg_cycle.hpp"

#include <algorithm>
#include <bit>

#include "kernels/nas/mg_boundary.hpp"
#include "plan/platform.hpp"

namespace stretto::kernel::nas {
namespace {

/// A, the operator to invert, negated for r = v - A u.
constexpr MgStencil minus_operator{8.0 / 3, 0, -1.0 / 6, -1.0 / 12};

/// S, the smoother; small classes use other coefficients.
MgStencil smoother_of(const MgClass& size) {
  if (size.name == "S" || size.name == "W" || size.name == "A") return {-3.0 / 8, 1.0 / 32, -1.0 / 64, 0};
  return {-3.0 / 17, 1.0 / 33, -1.0 / 61, 0};
}

void computed_rows(MgRange rows, int nx, double flops) {
  if (rows.end > rows.begin) plan::computed(flops * static_cast<double>(rows.end - rows.begin) * nx);
}

MgNeighbourhood neighbourhood(const MgField& field, int y, int z) {
  return {field.row(y - 1, z - 1), field.row(y, z - 1), field.row(y + 1, z - 1),
          field.row(y - 1, z),     field.row(y, z),     field.row(y + 1, z),
          field.row(y - 1, z + 1), field.row(y, z + 1), field.row(y + 1, z + 1)};
}

bool has(MgRange range, int place) { return place >= range.begin && place < range.end; }

int levels_of(const MgClass& size) { return std::bit_width(size.points) - 1; }

}  // namespace

MgCycle::MgCycle(Runtime& runtime, const MgClass& size, const MgGrid& grid, const ExchangeMode& mode)
    : grid_(grid),
      overlap_(mode.overlap),
      smoother_(smoother_of(size)),
      right_side_({.nx = static_cast<int>(size.points),
                   .ny = grid_.extent(static_cast<int>(size.points)).ny,
                   .nz = grid_.extent(static_cast<int>(size.points)).nz}),
      zeros_(size.points),
      scratch_(static_cast<int>(size.points)),
      exchange_(runtime, grid_, levels_of(size), mode) {
  for (int level = 0; level < levels_of(size); ++level) levels_.emplace_back(grid_.extent(2 << level));
}

void MgCycle::compute_residual() {
  const MgExtent& extent = finest().extent();
  for (int z = 0; z < extent.nz; ++z) subtract_operator(top(), {0, extent.ny}, z);
}

void MgCycle::cycle() {
  at(0).solution.clear();
  for (const MgStep& step : v_cycle(top())) take(step);
}

void MgCycle::take(const MgStep& step) {
  switch (step.kind) {
    case MgStep::Kind::restriction:
      return restrict_residual(step.level);
    case MgStep::Kind::prolongation:
      return prolong(step.level);
    case MgStep::Kind::correction:
      return step.level == top() ? correct_finest() : correct(step.level);
  }
}

double MgCycle::squares() const {
  const MgField& residual = levels_.back().residual;
  const MgExtent& extent = residual.extent();
  double sum = 0;
  for (int z = 0; z < extent.nz; ++z) {
    for (int y = 0; y < extent.ny; ++y) sum += squares_of_row(residual.row(y, z), extent.nx);
  }
  return sum;
}

MgCycle::Coarse MgCycle::coarse(int level, MgField Level::*field) {
  const MgExtent& fine = at(level).extent();
  Level& below = at(level - 1);
  if (below.extent().split_z || !fine.split_z) return {below.*field};
  return {below.*field, grid_.y * fine.ny / 2, grid_.z * fine.nz / 2};
}

/// Computes sums for rows of the ranks below first. Each rank sums the contributions of its own rows to a
/// coarse row. So a quarter of the data travels, and the fine residual needs no ghost rows.
void MgCycle::restrict_residual(int level) {
  const MgExtent& fine = at(level).extent();
  const Coarse to = coarse(level, &Level::residual);
  const int first_y = fine.split_y ? -1 : 0;
  if (fine.split_z) {
    for (int y = first_y; y < fine.ny / 2; ++y) restrict_row_of(level, to, y, -1);
    for (int z = 0; fine.split_y && z < fine.nz / 2; ++z) restrict_row_of(level, to, -1, z);
    if (overlap_) exchange_.start_fold(level);
  }
  for (int z = 0; z < fine.nz / 2; ++z) {
    for (int y = 0; y < fine.ny / 2; ++y) restrict_row_of(level, to, y, z);
    computed_rows({0, fine.ny / 2}, fine.nx / 2, restriction_flops);
  }
  if (!fine.split_z) return;
  if (!overlap_) exchange_.start_fold(level);
  exchange_.finish_fold(level, to.field, to.y, to.z);
  if (!at(level - 1).extent().split_z) exchange_.gather(to.field);
}

/// Computes a coarse row from those of its nine fine rows that belong to this rank.
void MgCycle::restrict_row_of(int level, const Coarse& to, int y, int z) {
  const MgField& from = at(level).residual;
  const MgExtent& fine = from.extent();
  MgNeighbourhood rows{};
  for (int i = 0; i < 9; ++i) {
    const int fine_y = 2 * y + i % 3;
    const int fine_z = 2 * z + i / 3;
    const bool own =
        (!fine.split_y || has({0, fine.ny}, fine_y)) && (!fine.split_z || has({0, fine.nz}, fine_z));
    rows[static_cast<std::size_t>(i)] = own ? from.row(fine_y, fine_z) : zeros_.data();
  }
  double* row = y < 0 || z < 0 ? exchange_.fold_row(level, y, z) : to.field.row(to.y + y, to.z + z);
  restrict_row(rows, row, fine.nx / 2, scratch_);
}

/// Interpolates: u += P z, on coarser levels u = P z. Then r = v - A u, where v is the restricted r on
/// coarser levels.
void MgCycle::prolong(int level) {
  const MgExtent& extent = at(level).extent();
  const MgBoundary inner(extent, 1, 0);
  const MgBoundary outer(extent, 2, 1);  // the rows that the residual of the inner boundary needs
  for_boundary(outer, [&](MgRange rows, int z) { interpolate(level, rows, z); });
  for_boundary(inner, [&](MgRange rows, int z) { subtract_operator(level, rows, z); });
  start_early(MgHalo::residual, level);
  for (int z = inner.z.core.begin; z < inner.z.core.end; ++z) {
    if (has(outer.z.core, z + 1)) interpolate(level, outer.y.core, z + 1);
    subtract_operator(level, inner.y.core, z);
  }
  complete(MgHalo::residual, level);
}

/// Smooths: u += S r.
void MgCycle::correct(int level) {
  const MgBoundary boundary(at(level).extent(), 1, 0);
  for_boundary(boundary, [&](MgRange rows, int z) { smooth(level, rows, z); });
  start_early(MgHalo::solution, level);
  for (int z = boundary.z.core.begin; z < boundary.z.core.end; ++z) smooth(level, boundary.y.core, z);
  complete(MgHalo::solution, level);
}

/// The same on the finest level, then r = v - A u. The residual of a plane follows as soon as the next plane
/// is smooth, because smoothing needs the old r of the previous plane only.
void MgCycle::correct_finest() {
  const int level = top();
  const MgBoundary boundary(at(level).extent(), 1, 0);
  const MgRange planes = boundary.z.core;
  for_boundary(boundary, [&](MgRange rows, int z) { smooth(level, rows, z); });
  start_early(MgHalo::solution, level);
  for (int z = planes.begin; z < planes.end; ++z) {
    smooth(level, boundary.y.core, z);
    if (z > planes.begin) subtract_operator(level, boundary.y.core, z - 1);
  }
  if (planes.begin < planes.end) subtract_operator(level, boundary.y.core, planes.end - 1);
  complete(MgHalo::solution, level);
  for_boundary(boundary, [&](MgRange rows, int z) { subtract_operator(level, rows, z); });
}

void MgCycle::interpolate(int level, MgRange rows, int z) {
  const Coarse from = coarse(level, &Level::solution);
  MgField& to = at(level).solution;
  const int nx = to.extent().nx / 2;
  const auto row = [&from](int y, int z) { return from.field.row(from.y + y, from.z + z); };
  for (int y = rows.begin; y < rows.end; ++y) {
    // An odd point lies on a coarse one, an even one between two; shifts round down, also from -1.
    const MgCoarseRows coarse_rows{row((y - 1) >> 1, (z - 1) >> 1), row(y >> 1, (z - 1) >> 1),
                                   row((y - 1) >> 1, z >> 1), row(y >> 1, z >> 1)};
    if (level == top()) {
      add_interpolated_row(coarse_rows, to.row(y, z), nx, scratch_);
    } else {
      set_interpolated_row(coarse_rows, to.row(y, z), nx, scratch_);
    }
  }
  computed_rows(rows, 2 * nx, interpolation_flops);
}

void MgCycle::subtract_operator(int level, MgRange rows, int z) {
  const MgField& u = at(level).solution;
  MgField& r = at(level).residual;
  const MgField& v = level == top() ? right_side_ : r;
  for (int y = rows.begin; y < rows.end; ++y) {
    stencil_row(minus_operator, neighbourhood(u, y, z), v.row(y, z), r.row(y, z), r.extent().nx, scratch_);
  }
  computed_rows(rows, r.extent().nx, stencil_flops);
}

void MgCycle::smooth(int level, MgRange rows, int z) {
  const MgField& r = at(level).residual;
  MgField& u = at(level).solution;
  for (int y = rows.begin; y < rows.end; ++y) {
    stencil_row(smoother_, neighbourhood(r, y, z), u.row(y, z), u.row(y, z), u.extent().nx, scratch_);
  }
  computed_rows(rows, u.extent().nx, stencil_flops);
}

MgField& MgCycle::field_of(MgHalo halo, int level) {
  return halo == MgHalo::residual ? at(level).residual : at(level).solution;
}

/// Starts sending ghost rows before this rank computes on.
void MgCycle::start_early(MgHalo halo, int level) {
  MgField& field = field_of(halo, level);
  if (overlap_ && field.extent().split_z) exchange_.start_halo(halo, level, field);
}

void MgCycle::complete(MgHalo halo, int level) {
  MgField& field = field_of(halo, level);
  if (!field.extent().split_z) return;
  if (!overlap_) exchange_.start_halo(halo, level, field);
  exchange_.finish_halo(halo, level, field);
}

}  // namespace stretto::kernel::nas
