// SPDX-License-Identifier: BSD-3-Clause
// The functions that code compiled with -fsanitize=thread calls (gcc's and clang's names), in place of the
// sanitizer's own. Accesses are filtered; atomics and the rest only do their operation.
// They are linked into every instrumented program and library, so that no call goes through a PLT. They do
// not use the C++ library, which a program in C or Fortran does not have.
// The shared library records the accesses that pass the filter.
#include <cstddef>
#include <cstdint>

#include "memory/entry_points.hpp"
#include "memory/filter.hpp"

#define STRETTO_CALLBACK extern "C" __attribute__((visibility("hidden")))

namespace {

using stretto::memory::may_be_watched;
using stretto::memory::page_bytes;

std::uintptr_t number(const volatile void* address) { return reinterpret_cast<std::uintptr_t>(address); }

void loads(const void* address, std::size_t bytes) { stretto_memory_loads(number(address), bytes); }
void stores(const void* address, std::size_t bytes) { stretto_memory_stores(number(address), bytes); }

// An access that loads and stores one address: only the load is recorded, because it comes first.
__attribute__((noinline, cold)) void both(const void* address, std::size_t bytes) {
  loads(address, bytes);
  stores(address, bytes);
}

}  // namespace

// Most accesses do not pass the filter: the return from these needs no stack frame.
#define ACCESS_THEN(name, what, bytes)                        \
  STRETTO_CALLBACK void __tsan_##name##bytes(void* address) { \
    if (may_be_watched(number(address))) [[unlikely]]         \
      what(address, bytes);                                   \
  }
#define ACCESS_NAMED(middle, bytes)         \
  ACCESS_THEN(middle##read, loads, bytes)   \
  ACCESS_THEN(middle##write, stores, bytes) \
  ACCESS_THEN(middle##read_write, both, bytes)
#define ACCESS(bytes)             \
  ACCESS_NAMED(, bytes)           \
  ACCESS_NAMED(unaligned_, bytes) \
  ACCESS_NAMED(volatile_, bytes)  \
  ACCESS_NAMED(unaligned_volatile_, bytes)
ACCESS(1)
ACCESS(2)
ACCESS(4)
ACCESS(8)
ACCESS(16)

STRETTO_CALLBACK void __tsan_init() {}
STRETTO_CALLBACK void __tsan_func_entry(void*) {}
STRETTO_CALLBACK void __tsan_func_exit() {}
STRETTO_CALLBACK void __tsan_ignore_thread_begin() {}
STRETTO_CALLBACK void __tsan_ignore_thread_end() {}
STRETTO_CALLBACK void __tsan_read_range(void* address, std::size_t bytes) {
  if (bytes > page_bytes || may_be_watched(number(address))) loads(address, bytes);
}
STRETTO_CALLBACK void __tsan_write_range(void* address, std::size_t bytes) {
  if (bytes > page_bytes || may_be_watched(number(address))) stores(address, bytes);
}
STRETTO_CALLBACK void __tsan_vptr_read(void** address) { loads(address, sizeof *address); }
STRETTO_CALLBACK void __tsan_vptr_update(void** address, void*) { stores(address, sizeof *address); }

// Block copies are not instrumented: the compiler wrappers have the linker turn them into these.
// NOLINTBEGIN(bugprone-reserved-identifier): the linker's names
extern "C" void* __real_memcpy(void* to, const void* from, std::size_t bytes);
extern "C" void* __real_memmove(void* to, const void* from, std::size_t bytes);
extern "C" void* __real_memset(void* to, int value, std::size_t bytes);
// NOLINTEND(bugprone-reserved-identifier)

STRETTO_CALLBACK void* __wrap_memcpy(void* to, const void* from, std::size_t bytes) {
  loads(from, bytes);
  stores(to, bytes);
  return __real_memcpy(to, from, bytes);
}
STRETTO_CALLBACK void* __wrap_memmove(void* to, const void* from, std::size_t bytes) {
  loads(from, bytes);
  stores(to, bytes);
  return __real_memmove(to, from, bytes);
}
STRETTO_CALLBACK void* __wrap_memset(void* to, int value, std::size_t bytes) {
  stores(to, bytes);
  return __real_memset(to, value, bytes);
}
// Clang's names.
STRETTO_CALLBACK void* __tsan_memcpy(void* to, const void* from, std::size_t bytes) {
  return __wrap_memcpy(to, from, bytes);
}
STRETTO_CALLBACK void* __tsan_memmove(void* to, const void* from, std::size_t bytes) {
  return __wrap_memmove(to, from, bytes);
}
STRETTO_CALLBACK void* __tsan_memset(void* to, int value, std::size_t bytes) {
  return __wrap_memset(to, value, bytes);
}

// Always sequentially consistent, whatever order the program requests.
#define FETCH(bits, name, builtin)                                             \
  STRETTO_CALLBACK std::uint##bits##_t __tsan_atomic##bits##_fetch_##name(     \
      volatile std::uint##bits##_t* address, std::uint##bits##_t value, int) { \
    return builtin(address, value, __ATOMIC_SEQ_CST);                          \
  }
#define ATOMIC(bits)                                                                                         \
  STRETTO_CALLBACK std::uint##bits##_t __tsan_atomic##bits##_load(                                           \
      const volatile std::uint##bits##_t* address, int) {                                                    \
    return __atomic_load_n(address, __ATOMIC_SEQ_CST);                                                       \
  }                                                                                                          \
  STRETTO_CALLBACK void __tsan_atomic##bits##_store(volatile std::uint##bits##_t* address,                   \
                                                    std::uint##bits##_t value, int) {                        \
    __atomic_store_n(address, value, __ATOMIC_SEQ_CST);                                                      \
  }                                                                                                          \
  STRETTO_CALLBACK std::uint##bits##_t __tsan_atomic##bits##_exchange(volatile std::uint##bits##_t* address, \
                                                                      std::uint##bits##_t value, int) {      \
    return __atomic_exchange_n(address, value, __ATOMIC_SEQ_CST);                                            \
  }                                                                                                          \
  STRETTO_CALLBACK bool __tsan_atomic##bits##_compare_exchange_strong(volatile std::uint##bits##_t* address, \
                                                                      std::uint##bits##_t* expected,         \
                                                                      std::uint##bits##_t value, int, int) { \
    return __atomic_compare_exchange_n(address, expected, value, false, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST); \
  }                                                                                                          \
  STRETTO_CALLBACK bool __tsan_atomic##bits##_compare_exchange_weak(volatile std::uint##bits##_t* address,   \
                                                                    std::uint##bits##_t* expected,           \
                                                                    std::uint##bits##_t value, int, int) {   \
    return __atomic_compare_exchange_n(address, expected, value, false, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST); \
  }                                                                                                          \
  STRETTO_CALLBACK std::uint##bits##_t __tsan_atomic##bits##_compare_exchange_val(                           \
      volatile std::uint##bits##_t* address, std::uint##bits##_t expected, std::uint##bits##_t value, int,   \
      int) {                                                                                                 \
    __atomic_compare_exchange_n(address, &expected, value, false, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);       \
    return expected;                                                                                         \
  }                                                                                                          \
  FETCH(bits, add, __atomic_fetch_add)                                                                       \
  FETCH(bits, sub, __atomic_fetch_sub)                                                                       \
  FETCH(bits, and, __atomic_fetch_and)                                                                       \
  FETCH(bits, or, __atomic_fetch_or)                                                                         \
  FETCH(bits, xor, __atomic_fetch_xor)                                                                       \
  FETCH(bits, nand, __atomic_fetch_nand)
// NOLINTBEGIN(readability-non-const-parameter): the compiler's builtins store to them
ATOMIC(8)
ATOMIC(16)
ATOMIC(32)
ATOMIC(64)
// NOLINTEND(readability-non-const-parameter)

STRETTO_CALLBACK void __tsan_atomic_thread_fence(int) { __atomic_thread_fence(__ATOMIC_SEQ_CST); }
STRETTO_CALLBACK void __tsan_atomic_signal_fence(int) { __atomic_signal_fence(__ATOMIC_SEQ_CST); }
