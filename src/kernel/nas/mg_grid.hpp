// SPDX-License-Identifier: BSD-3-Clause
// Which rank has which part of the levels of NAS MG: the ranks are a grid over y and z, and a level is cut
// evenly; one that is too coarse for that, or small, is whole on every rank. x is not cut: rows stay long,
// and an exchange has two axes instead of three.
#pragma once

#include <stdexcept>
#include <string>

#include "kernel/nas/mg_field.hpp"

namespace stretto::kernel::nas {

struct MgGrid {
  int ranks_y = 1;
  int ranks_z = 1;
  int y = 0;  ///< of this rank
  int z = 0;

  /// Rank `rank` of `ranks`, a power of two, for a finest level of `points` along each axis; twice as many
  /// ranks along z as along y where no square will do. Throws std::invalid_argument for what the user must
  /// mend.
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

  /// The rank so many places away.
  [[nodiscard]] int neighbour(int dy, int dz) const {
    return (z + dz + ranks_z) % ranks_z * ranks_y + (y + dy + ranks_y) % ranks_y;
  }

  [[nodiscard]] int rank() const { return neighbour(0, 0); }

  /// Whether a level of so many points along each axis is cut: every rank must have two rows along y and z.
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
  /// Points along an axis up to which it costs less to gather a level once than to exchange its borders, and
  /// those of all that are coarser, over any network: 16^3 values are 32 KiB.
  static constexpr int largest_whole = 16;
};

}  // namespace stretto::kernel::nas
