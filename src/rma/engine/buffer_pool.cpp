// SPDX-License-Identifier: BSD-3-Clause
#include "rma/engine/buffer_pool.hpp"

#include <mpi.h>

#include "mpi/check.hpp"
#include "rma/memory/cache_lines.hpp"

namespace stretto::rma {

BufferPool::BufferPool(int slots, std::size_t slot_bytes, std::size_t first_request)
    : slots_(slots), slot_bytes_(round_up_to_lines(slot_bytes)), first_request_(first_request) {
  const auto size = static_cast<MPI_Aint>(slot_bytes_ * static_cast<std::size_t>(slots));
  if (size > 0) mpi::check(MPI_Alloc_mem(size, MPI_INFO_NULL, static_cast<void*>(&memory_)), "MPI_Alloc_mem");
  for (int slot = slots; slot > 0; --slot) free_.push_back(slot - 1);
}

BufferPool::~BufferPool() {
  if (memory_ != nullptr) MPI_Free_mem(memory_);
}

int BufferPool::take() {
  const int slot = free_.back();
  free_.pop_back();
  return slot;
}

}  // namespace stretto::rma
