// SPDX-License-Identifier: BSD-3-Clause
// The memory of a region and the windows over it: who allocates, whose part is mapped where. Moves no data.
#pragma once

#include <mpi.h>

#include <cstddef>
#include <vector>

#include "rma/memory/node_sharing.hpp"

namespace stretto::rma {

class RegionMemory {
 public:
  /// `nodes` as from find_nodes, for the ranks of `team`; with_window: MPI_Put and MPI_Get will be used.
  /// Collective.
  RegionMemory(MPI_Comm team, const std::vector<int>& nodes, std::size_t size_bytes, Sharing sharing,
               bool with_window);
  RegionMemory(const RegionMemory&) = delete;
  RegionMemory& operator=(const RegionMemory&) = delete;
  /// Frees nothing: that is collective, and release()'s.
  ~RegionMemory() = default;

  /// Collective.
  void release();

  [[nodiscard]] std::byte* mine() const { return mine_; }
  [[nodiscard]] std::size_t size_bytes(int rank) const { return parts_[static_cast<std::size_t>(rank)].size; }
  /// Where a rank's part is in this process, or nullptr.
  [[nodiscard]] std::byte* neighbour(int rank) const { return neighbours_[static_cast<std::size_t>(rank)]; }
  /// Where a rank's part is in this process, else where its owner has it.
  [[nodiscard]] std::byte* address(int rank) const {
    std::byte* const here = neighbour(rank);
    return here != nullptr ? here : parts_[static_cast<std::size_t>(rank)].address;
  }
  /// For Put and Get, locked for all; MPI_WIN_NULL without.
  [[nodiscard]] MPI_Win window() const { return window_; }
  /// The displacement in window() of a place in a rank's part.
  [[nodiscard]] MPI_Aint displacement(int rank, std::size_t offset) const {
    return static_cast<MPI_Aint>(parts_[static_cast<std::size_t>(rank)].shift + offset);
  }
  /// What others have put is seen by loads of this rank, and its stores by others' gets.
  void synchronise() const;

 private:
  struct Part {
    std::size_t size = 0;
    std::size_t shift = 0;  // from the window's base to the first aligned place
    std::byte* address = nullptr;
  };

  void allocate_one(MPI_Comm team, std::size_t size_bytes);
  void allocate_shared(MPI_Comm node, std::size_t size_bytes, MPI_Win& window);
  void allocate_two(MPI_Comm team, int node, std::size_t size_bytes, bool with_window);
  void map_neighbours(MPI_Comm team, const std::vector<int>& nodes, Sharing sharing);
  [[nodiscard]] std::byte* base_of(int rank, int node_rank, Sharing sharing) const;

  MPI_Comm node_ = MPI_COMM_NULL;
  MPI_Win shared_ = MPI_WIN_NULL;  // with two windows, the one a node
  MPI_Win window_ = MPI_WIN_NULL;
  std::byte* unshared_ = nullptr;  // with two windows, the part of a rank that is alone on its node
  std::byte* base_ = nullptr;
  std::byte* mine_ = nullptr;
  std::vector<Part> parts_;
  std::vector<std::byte*> neighbours_;
};

}  // namespace stretto::rma
