// SPDX-License-Identifier: BSD-3-Clause
// C++'s allocation functions, wrapped as those of allocation_calls.cpp. A file of its own: programs in other
// languages do not link it, and so need no C++ library.
#include <new>

#include "memory/allocation_note.hpp"

// The mangled names of operator new and new[], without and with an alignment.
// NOLINTBEGIN(bugprone-reserved-identifier): the linker's names
extern "C" {
void* __real__Znwm(std::size_t bytes);
void* __real__Znam(std::size_t bytes);
void* __real__ZnwmSt11align_val_t(std::size_t bytes, std::align_val_t alignment);
void* __real__ZnamSt11align_val_t(std::size_t bytes, std::align_val_t alignment);
}
// NOLINTEND(bugprone-reserved-identifier)

STRETTO_ALLOCATES void* __wrap__Znwm(std::size_t bytes) {
  return stretto::memory::noted(__real__Znwm(bytes), bytes, STRETTO_CALLED_AT);
}
STRETTO_ALLOCATES void* __wrap__Znam(std::size_t bytes) {
  return stretto::memory::noted(__real__Znam(bytes), bytes, STRETTO_CALLED_AT);
}
STRETTO_ALLOCATES void* __wrap__ZnwmSt11align_val_t(std::size_t bytes, std::align_val_t alignment) {
  return stretto::memory::noted(__real__ZnwmSt11align_val_t(bytes, alignment), bytes, STRETTO_CALLED_AT);
}
STRETTO_ALLOCATES void* __wrap__ZnamSt11align_val_t(std::size_t bytes, std::align_val_t alignment) {
  return stretto::memory::noted(__real__ZnamSt11align_val_t(bytes, alignment), bytes, STRETTO_CALLED_AT);
}
