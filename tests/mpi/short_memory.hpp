// SPDX-License-Identifier: BSD-3-Clause
// Lets MPI_Alloc_mem of this process answer as MPICH's does when memory is short: success, and an address
// near 0.
#pragma once

namespace stretto::testing {

/// Whether the allocation that is asked for now gets no memory: MPI_Alloc_mem of counted_memory.cpp asks.
[[nodiscard]] bool memory_is_short();

/// While it lives, from the allocation after `before` more on.
class ShortMemory {
 public:
  explicit ShortMemory(int before = 0);
  ShortMemory(const ShortMemory&) = delete;
  ShortMemory& operator=(const ShortMemory&) = delete;
  ~ShortMemory();
};

}  // namespace stretto::testing
