// SPDX-License-Identifier: BSD-3-Clause
// What the wrapped allocation functions do besides allocating.
#pragma once

#include <cstddef>
#include <cstdint>

#include "memory/entry_points.hpp"

#define STRETTO_ALLOCATES extern "C" __attribute__((visibility("hidden")))
#define STRETTO_CALLED_AT reinterpret_cast<std::uintptr_t>(__builtin_return_address(0))

namespace stretto::memory {

inline void* noted(void* made, std::size_t bytes, std::uintptr_t place) {
  if (made != nullptr && bytes >= min_allocation) {
    stretto_memory_allocated(reinterpret_cast<std::uintptr_t>(made), bytes, place);
  }
  return made;
}

}  // namespace stretto::memory
