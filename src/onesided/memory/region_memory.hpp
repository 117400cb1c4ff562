// SPDX-License-Identifier: BSD-3-Clause
// The memory of a region and the windows over it: how it is allocated, and where each part is mapped. Moves
// no data.
#pragma once

#include <mpi.h>

#include <cstddef>
#include <span>
#include <vector>

#include "mpi/memory.hpp"
#include "onesided/memory/memory_operations.hpp"
#include "onesided/memory/node_sharing.hpp"
#include "onesided/memory/window_lock.hpp"

namespace stretto::onesided {

class RegionMemory {
 public:
  /// `nodes` is the result of find_nodes for the ranks of `team`. `with_window`: MPI_Put and MPI_Get will be
  /// used. Collective.
  RegionMemory(MPI_Comm team, const std::vector<int>& nodes, std::size_t size_bytes, NodeSharing sharing,
               bool with_window, const WindowLockFile& lock);
  /// Over memory of the program, which no other process maps. Collective.
  RegionMemory(MPI_Comm team, std::span<std::byte> own, NodeSharing sharing, bool with_window,
               const WindowLockFile& lock);
  /// Throws ArgumentError `size_bytes` for more than an address can reach, and std::bad_alloc for more than
  /// the machine has.
  static void check_size(std::size_t size_bytes);
  RegionMemory(const RegionMemory&) = delete;
  RegionMemory& operator=(const RegionMemory&) = delete;
  /// Frees nothing, because that is collective: see release().
  ~RegionMemory() = default;

  /// Frees the memory and the windows. Collective.
  void release();

  [[nodiscard]] std::byte* mine() const { return mine_; }
  [[nodiscard]] bool is_of_program() const { return users_; }
  [[nodiscard]] std::size_t size_bytes(int rank) const { return parts_[static_cast<std::size_t>(rank)].size; }
  /// The address of a rank's part in this process where it is node-local, else nullptr.
  [[nodiscard]] std::byte* node_local(int rank) const { return node_local_[static_cast<std::size_t>(rank)]; }
  /// The node-local address of a rank's part, else its owner's address.
  [[nodiscard]] std::byte* address(int rank) const {
    std::byte* const here = node_local(rank);
    return here != nullptr ? here : parts_[static_cast<std::size_t>(rank)].address;
  }
  /// The lock for updates of a node-local part that are not aligned.
  [[nodiscard]] int& lock_of(int rank) const {
    return users_ ? user_lock_ : update_lock(node_local(rank), size_bytes(rank));
  }
  /// The window for MPI_Put and MPI_Get, locked for all ranks; MPI_WIN_NULL where there is none.
  [[nodiscard]] MPI_Win window() const { return window_; }
  /// The displacement in window() of an offset in a rank's part.
  [[nodiscard]] MPI_Aint displacement(int rank, std::size_t offset) const {
    return static_cast<MPI_Aint>(parts_[static_cast<std::size_t>(rank)].shift + offset);
  }
  /// Makes puts of other ranks visible to this rank's loads, and its stores to their gets.
  void synchronise() const;

 private:
  struct RankMemory {
    std::size_t size = 0;
    std::size_t shift = 0;  // from the window's base to the first aligned byte
    std::byte* address = nullptr;
    bool usable = true;  // there was enough memory
  };

  void allocate_one(MPI_Comm team, std::size_t size_bytes);
  void allocate_shared(MPI_Comm node, std::size_t size_bytes, MPI_Win& window);
  void allocate_two(MPI_Comm team, int node, std::size_t size_bytes, bool with_window);
  void map_node_local(MPI_Comm team, const std::vector<int>& nodes, NodeSharing sharing);
  /// Throws MemoryError, the same on all ranks, where one has no memory; releases the others' first.
  void check_usable();
  [[nodiscard]] std::byte* base_of(int rank, int node_rank, NodeSharing sharing) const;

  MPI_Comm node_ = MPI_COMM_NULL;
  MPI_Win shared_ = MPI_WIN_NULL;  // with two windows, the one of the node
  MPI_Win window_ = MPI_WIN_NULL;
  mpi::Memory unshared_;       // with two windows, the part of a rank that is alone on its node
  bool users_ = false;         // memory of the program
  mutable int user_lock_ = 0;  // of this rank's part, which no other process updates
  std::byte* base_ = nullptr;
  std::byte* mine_ = nullptr;
  std::vector<RankMemory> parts_;
  std::vector<std::byte*> node_local_;
};

}  // namespace stretto::onesided
