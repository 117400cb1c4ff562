// SPDX-License-Identifier: BSD-3-Clause
// The allocation functions of C, which the compiler wrappers have the linker turn into these. Fortran's
// ALLOCATE calls them, too. They do not use the C++ library (callbacks.cpp).
#include "memory/allocation_note.hpp"

// NOLINTBEGIN(bugprone-reserved-identifier): the linker's names
extern "C" {
void* __real_malloc(std::size_t bytes);
void* __real_calloc(std::size_t count, std::size_t bytes);
void* __real_realloc(void* memory, std::size_t bytes);
void* __real_aligned_alloc(std::size_t alignment, std::size_t bytes);
int __real_posix_memalign(void** made, std::size_t alignment, std::size_t bytes);
}
// NOLINTEND(bugprone-reserved-identifier)

STRETTO_ALLOCATES void* __wrap_malloc(std::size_t bytes) {
  return stretto::memory::noted(__real_malloc(bytes), bytes, STRETTO_CALLED_AT);
}
STRETTO_ALLOCATES void* __wrap_calloc(std::size_t count, std::size_t bytes) {
  return stretto::memory::noted(__real_calloc(count, bytes), count * bytes, STRETTO_CALLED_AT);
}
STRETTO_ALLOCATES void* __wrap_realloc(void* memory, std::size_t bytes) {
  return stretto::memory::noted(__real_realloc(memory, bytes), bytes, STRETTO_CALLED_AT);
}
STRETTO_ALLOCATES void* __wrap_aligned_alloc(std::size_t alignment, std::size_t bytes) {
  return stretto::memory::noted(__real_aligned_alloc(alignment, bytes), bytes, STRETTO_CALLED_AT);
}
STRETTO_ALLOCATES int __wrap_posix_memalign(void** made, std::size_t alignment, std::size_t bytes) {
  const int error = __real_posix_memalign(made, alignment, bytes);
  if (error == 0) stretto::memory::noted(*made, bytes, STRETTO_CALLED_AT);
  return error;
}
