// SPDX-License-Identifier: BSD-3-Clause
// The parts of NAS FT on a rank, in slabs and on a grid of ranks, and the steps of a transform on them.
#pragma once

#include <cstdint>
#include <vector>

#include "network/kernel_variants.hpp"

namespace stretto::network {

struct FtSize {
  std::int64_t nx;
  std::int64_t ny;
  std::int64_t nz;
  std::int64_t iterations;
};

using Groups = std::vector<std::vector<std::uint32_t>>;

struct FtLayout {
  /// Messages by the piece of a plane that they carry.
  using Groups = std::vector<std::vector<std::uint32_t>>;

  FtSize size;
  std::int64_t ranks;
  std::int64_t rows = 0;  ///< of the grid; 0: there is none
  std::int64_t columns = 0;

  /// The points of a rank.
  [[nodiscard]] double points() const;
  /// The flops of a rank, including the time step before the transform.
  [[nodiscard]] double transform_flops() const;
  [[nodiscard]] std::int64_t planes_of_y() const { return divided_up(size.ny, rows); }
  [[nodiscard]] std::int64_t planes_of_z() const { return divided_up(size.nz, rows); }

  /// In slabs: transforms along z and x, exchanges one block with each rank, transforms along y.
  void packed(KernelProgram& program) const;
  /// In slabs: transforms along z, then each piece along x and sends it; transforms lines along y as groups
  /// arrive.
  void overlapped_slabs(KernelProgram& program, std::int64_t pieces) const;
  /// On the grid: transforms planes of y along z and sends them along the column. Returns the messages of
  /// each group of planes of z.
  [[nodiscard]] Groups column_phase(KernelProgram& program, std::int64_t pieces) const;
  /// On the grid: transforms each plane of z along y when it has arrived, exchanges it along the row, and
  /// transforms it along x. `puts`: to another rank of the row, per plane.
  void row_phase(KernelProgram& program, const Groups& groups, std::int64_t puts) const;

 private:
  [[nodiscard]] double along(std::int64_t count) const;
  [[nodiscard]] std::int64_t plane_bytes(std::int64_t planes, std::int64_t rows_of_plane) const;
  void send_along_column(KernelProgram& program, std::int64_t count, std::vector<std::uint32_t>& group) const;
};

}  // namespace stretto::network
