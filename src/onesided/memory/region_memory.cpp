// SPDX-License-Identifier: BSD-3-Clause
#include "onesided/memory/region_memory.hpp"

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <new>
#include <stretto/checked_size.hpp>
#include <stretto/error.hpp>
#include <string>
#include <utility>

#include "mpi/check.hpp"
#include "onesided/api/agreement.hpp"
#include "onesided/memory/cache_lines.hpp"

namespace stretto::onesided {

using mpi::check;

namespace {

constexpr std::size_t alignment = line_bytes;  // more than any element needs

void open(MPI_Win window) {
  check(MPI_Win_set_errhandler(window, MPI_ERRORS_RETURN), "MPI_Win_set_errhandler");
  check(MPI_Win_lock_all(MPI_MODE_NOCHECK, window), "MPI_Win_lock_all");
}

void close(MPI_Win& window) {
  if (window == MPI_WIN_NULL) return;
  check(MPI_Win_unlock_all(window), "MPI_Win_unlock_all");
  check(MPI_Win_free(&window), "MPI_Win_free");
}

}  // namespace

void RegionMemory::check_size(std::size_t size_bytes) {
  // With what rounds it up, and holds a lock.
  constexpr std::size_t besides = 2 * line_bytes + alignment;
  const std::size_t all = stretto::detail::checked_sum("size_bytes", size_bytes, besides);
  stretto::detail::check_object_size("size_bytes", all);
  if (!mpi::machine_has(all)) throw std::bad_alloc();
}

RegionMemory::RegionMemory(MPI_Comm team, const std::vector<int>& nodes, std::size_t size_bytes,
                           NodeSharing sharing, bool with_window, const WindowLockFile& lock)
    : parts_(nodes.size()), node_local_(nodes.size(), nullptr) {
  int rank = 0;
  check(MPI_Comm_rank(team, &rank), "MPI_Comm_rank");
  const auto self = static_cast<std::size_t>(rank);
  const std::size_t used = round_up_to_lines(size_bytes) + line_bytes;  // the part and its lock
  const std::size_t rounded = used + alignment;
  // Open MPI 4 creates no window for a single rank, which has no memory to share either.
  if (nodes.size() == 1) sharing = NodeSharing::one_window;
  [[maybe_unused]] const WindowCreationLock turn(team, lock);
  const bool one_node = std::all_of(nodes.begin(), nodes.end(), [&](int node) { return node == nodes[0]; });
  if (sharing == NodeSharing::two_windows && one_node) {
    allocate_shared(team, rounded, window_);
    sharing = NodeSharing::one_window;
  } else if (sharing == NodeSharing::two_windows) {
    allocate_two(team, nodes[self], rounded, with_window);
  } else {
    allocate_one(team, rounded);
  }
  const auto address = reinterpret_cast<std::uintptr_t>(base_);
  const std::size_t shift = (alignment - address % alignment) % alignment;
  mine_ = base_ + shift;
  const bool usable = mpi::is_mapped(base_, rounded) && mpi::make_present(mine_, used);
  if (usable) std::memset(mine_, 0, used);
  const RankMemory part{.size = size_bytes, .shift = shift, .address = mine_, .usable = usable};
  check(MPI_Allgather(&part, sizeof part, MPI_BYTE, parts_.data(), sizeof part, MPI_BYTE, team),
        "MPI_Allgather");
  check_usable();
  map_node_local(team, nodes, sharing);
}

RegionMemory::RegionMemory(MPI_Comm team, std::span<std::byte> own, NodeSharing sharing, bool with_window,
                           const WindowLockFile& lock)
    : users_(true), base_(own.data()), mine_(own.data()) {
  int rank = 0;
  int ranks = 0;
  check(MPI_Comm_rank(team, &rank), "MPI_Comm_rank");
  check(MPI_Comm_size(team, &ranks), "MPI_Comm_size");
  parts_.resize(static_cast<std::size_t>(ranks));
  node_local_.assign(parts_.size(), nullptr);
  if (with_window) {
    [[maybe_unused]] const WindowCreationLock turn(team, lock);
    const int error =
        MPI_Win_create(base_, static_cast<MPI_Aint>(own.size()), 1, MPI_INFO_NULL, team, &window_);
    // Open MPI 4 creates no window for a single rank, which reaches its memory without one.
    if (error != MPI_SUCCESS && ranks == 1) {
      window_ = MPI_WIN_NULL;
    } else {
      check(error, "MPI_Win_create");
      open(window_);
    }
  }
  const RankMemory part{.size = own.size(), .address = mine_};
  check(MPI_Allgather(&part, sizeof part, MPI_BYTE, parts_.data(), sizeof part, MPI_BYTE, team),
        "MPI_Allgather");
  for (std::size_t other = 0; other < parts_.size(); ++other) {
    if (static_cast<int>(other) == rank || sharing == NodeSharing::one_process)
      node_local_[other] = parts_[other].address;
  }
}

void RegionMemory::check_usable() {
  const auto lacking =
      std::find_if(parts_.begin(), parts_.end(), [](const RankMemory& one) { return !one.usable; });
  if (lacking == parts_.end()) return;
  const std::string rank = std::to_string(lacking - parts_.begin());
  release();
  throw MemoryError("rank " + rank + " of the team has no memory for the " + std::to_string(lacking->size) +
                    " bytes of its part");
}

void RegionMemory::allocate_one(MPI_Comm team, std::size_t size_bytes) {
  check(MPI_Win_allocate(static_cast<MPI_Aint>(size_bytes), 1, MPI_INFO_NULL, team,
                         static_cast<void*>(&base_), &window_),
        "MPI_Win_allocate");
  open(window_);
}

void RegionMemory::allocate_shared(MPI_Comm node, std::size_t size_bytes, MPI_Win& window) {
  MPI_Info info = MPI_INFO_NULL;
  check(MPI_Info_create(&info), "MPI_Info_create");
  check(MPI_Info_set(info, "alloc_shared_noncontig", "true"), "MPI_Info_set");  // each part near its rank
  check(MPI_Win_allocate_shared(static_cast<MPI_Aint>(size_bytes), 1, info, node, static_cast<void*>(&base_),
                                &window),
        "MPI_Win_allocate_shared");
  check(MPI_Info_free(&info), "MPI_Info_free");
  open(window);
}

void RegionMemory::allocate_two(MPI_Comm team, int node, std::size_t size_bytes, bool with_window) {
  node_ = split_nodes(team, node);
  int ranks = 0;
  check(MPI_Comm_size(node_, &ranks), "MPI_Comm_size");
  if (ranks > 1) allocate_shared(node_, size_bytes, shared_);
  try {
    agree(team, [&] {
      // Open MPI 5 may refuse a shared window of a single rank.
      if (ranks == 1) unshared_.reset(mpi::allocate(size_bytes));
    });
  } catch (const std::exception&) {
    release();
    throw;
  }
  if (ranks == 1) base_ = unshared_.get();
  if (!with_window) return;
  check(MPI_Win_create(base_, static_cast<MPI_Aint>(size_bytes), 1, MPI_INFO_NULL, team, &window_),
        "MPI_Win_create");
  open(window_);
}

std::byte* RegionMemory::base_of(int rank, int node_rank, NodeSharing sharing) const {
  MPI_Aint size = 0;
  int unit = 0;
  std::byte* base = nullptr;
  const bool two = sharing == NodeSharing::two_windows;
  check(MPI_Win_shared_query(two ? shared_ : window_, two ? node_rank : rank, &size, &unit,
                             static_cast<void*>(&base)),
        "MPI_Win_shared_query");
  return base;
}

void RegionMemory::map_node_local(MPI_Comm team, const std::vector<int>& nodes, NodeSharing sharing) {
  int self = 0;
  check(MPI_Comm_rank(team, &self), "MPI_Comm_rank");
  int node_rank = 0;
  for (int rank = 0; rank < static_cast<int>(nodes.size()); ++rank) {
    const auto place = static_cast<std::size_t>(rank);
    if (nodes[place] != nodes[static_cast<std::size_t>(self)]) continue;
    if (rank == self || sharing == NodeSharing::one_process) {
      node_local_[place] = parts_[place].address;
    } else {
      node_local_[place] = base_of(rank, node_rank, sharing) + parts_[place].shift;
    }
    ++node_rank;
  }
}

void RegionMemory::release() {
  close(window_);
  close(shared_);
  unshared_.reset();
  if (node_ != MPI_COMM_NULL) check(MPI_Comm_free(&node_), "MPI_Comm_free");
}

void RegionMemory::synchronise() const {
#ifndef STRETTO_SIMGRID  // which has no MPI_Win_sync: all its ranks live in one process
  for (const MPI_Win window : {window_, shared_}) {
    if (window != MPI_WIN_NULL) check(MPI_Win_sync(window), "MPI_Win_sync");
  }
#endif
}

}  // namespace stretto::onesided
