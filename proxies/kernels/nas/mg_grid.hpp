// SPDX-License-Identifier: BSD-3-Clause
// The distribution of the levels of NAS MG: the ranks form a grid over y and z, and each level is distributed
// evenly. A level that is too coarse or small is replicated on every rank. x is not distributed, so that rows
// stay long and exchanges have two axes instead of three.
#pragma once

#include <stdexcept>
#include <string>

#include "kernels/nas/mg_field.hpp"

namespace stretto::kernel::nas {

struct MgGrid {
  int ranks_y = 1;
  int ranks_z = 1;
  int y = 0;  ///< coordinates of this rank
  int z = 0;

  /// The grid of `ranks` ranks, a power of two, for a finest level of `points` along each axis. Without a
  /// square there are twice as many ranks along z as along y. Throws std::invalid_argument for errors that
  /// the user must correct.
  MgGrid(int rank, int ranks, int points) {
    if ((ranks & (ranks - 1)) != 0) {
      throw std::invalid_argument("-n " + std::to_string(ranks) + ": mg takes a power of two of ranks");
    }
    while (4 * ranks_y * ranks_y <= ranks) ranks_y *= 2;
    ranks_z = ranks / ranks_y;
    y = rank % ranks_y;
    z = rank / ranks_y;
    if (ranks > 1 && !cuts(points)) {
      throw std::invalid_argument("-n " + std::to_string(ranks) + ": mg on " + std::to_string(points) +
                                  "^3 points takes fewer ranks, or a larger class: each has two planes");
    }
  }

  /// The rank at this distance in the grid.
  [[nodiscard]] int neighbour(int dy, int dz) const {
    return (z + dz + ranks_z) % ranks_z * ranks_y + (y + dy + ranks_y) % ranks_y;
  }

  [[nodiscard]] int rank() const { return neighbour(0, 0); }

  /// Whether a level of `points` along each axis is distributed: every rank must have two rows along y and z.
  [[nodiscard]] bool cuts(int points) const {
    return ranks_z > 1 && points > largest_whole && points >= 2 * ranks_z;
  }

  /// This rank's part of a level.
  [[nodiscard]] MgExtent extent(int points) const {
    if (!cuts(points)) return {.nx = points, .ny = points, .nz = points};
    return {.nx = points,
            .ny = points / ranks_y,
            .nz = points / ranks_z,
            .split_y = ranks_y > 1,
            .split_z = ranks_z > 1};
  }

 private:
  /// The largest replicated level, in points along each axis. Up to this size one gather costs less than
  /// exchanging the borders of this level and all coarser ones, over any network: 16^3 values are 32 KiB.
  static constexpr int largest_whole = 16;
};

}  // namespace stretto::kernel::nas
