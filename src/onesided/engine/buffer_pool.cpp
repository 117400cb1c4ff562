// SPDX-License-Identifier: BSD-3-Clause
#include "onesided/engine/buffer_pool.hpp"

#include "onesided/memory/cache_lines.hpp"

namespace stretto::onesided {

BufferPool::BufferPool(int slots, std::size_t slot_bytes, std::size_t first_request)
    : slots_(slots), slot_bytes_(round_up_to_lines(slot_bytes)), first_request_(first_request) {
  for (int slot = slots; slot > 0; --slot) free_.push_back(slot - 1);
}

void BufferPool::allocate() {
  const std::size_t size = slot_bytes_ * static_cast<std::size_t>(slots_);  // of checked options: it fits
  if (size > 0) memory_.reset(mpi::allocate(size));
}

int BufferPool::take() {
  const int slot = free_.back();
  free_.pop_back();
  return slot;
}

}  // namespace stretto::onesided
