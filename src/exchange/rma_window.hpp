// SPDX-License-Identifier: BSD-3-Clause
// An MPI window in a permanent lock epoch: the calls of transport `mpi-rma`, shared by its channel and its
// exchanges.
#pragma once

#include <mpi.h>

#include <cstddef>

#include "mpi/check.hpp"

namespace stretto::exchange {

class RmaWindow {
 public:
  RmaWindow() = default;
  /// Collective.
  RmaWindow(MPI_Comm communicator, std::size_t size_bytes) {
    mpi::check(MPI_Win_allocate(static_cast<MPI_Aint>(size_bytes), 1, MPI_INFO_NULL, communicator,
                                static_cast<void*>(&memory_), &window_),
               "MPI_Win_allocate");
    mpi::check(MPI_Win_set_errhandler(window_, MPI_ERRORS_RETURN), "MPI_Win_set_errhandler");
    mpi::check(MPI_Win_lock_all(MPI_MODE_NOCHECK, window_), "MPI_Win_lock_all");
  }
  RmaWindow(const RmaWindow&) = delete;
  RmaWindow& operator=(const RmaWindow&) = delete;
  /// Collective. Errors are ignored, because a caller cannot act on an error of a window that is freed.
  ~RmaWindow() {
    if (window_ == MPI_WIN_NULL) return;
    MPI_Win_unlock_all(window_);
    MPI_Win_free(&window_);
  }

  /// This rank's part of the window. MPI chooses its alignment.
  [[nodiscard]] std::byte* memory() const { return memory_; }

  /// Puts data that has the same type at both ends. `offset` is in bytes of the target's part.
  void put(const void* from, int count, MPI_Datatype type, int target, std::size_t offset) const {
    mpi::check(MPI_Put(from, count, type, target, static_cast<MPI_Aint>(offset), count, type, window_),
               "MPI_Put");
  }
  void get(void* to, int count, MPI_Datatype type, int target, std::size_t offset) const {
    mpi::check(MPI_Get(to, count, type, target, static_cast<MPI_Aint>(offset), count, type, window_),
               "MPI_Get");
  }
  void flush(int target) const { mpi::check(MPI_Win_flush(target, window_), "MPI_Win_flush"); }
  void flush_local(int target) const {
    mpi::check(MPI_Win_flush_local(target, window_), "MPI_Win_flush_local");
  }
  void synchronise() const {
#ifndef STRETTO_SIMGRID  // SimGrid has no MPI_Win_sync: all its ranks live in one process
    mpi::check(MPI_Win_sync(window_), "MPI_Win_sync");
#endif
  }

 private:
  MPI_Win window_ = MPI_WIN_NULL;
  std::byte* memory_ = nullptr;
};

}  // namespace stretto::exchange
