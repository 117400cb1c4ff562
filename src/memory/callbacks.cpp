// SPDX-License-Identifier: BSD-3-Clause
// The functions that code compiled with -fsanitize=thread calls for its accesses (gcc's and clang's names),
// instead of the sanitizer's own:
//
//   program, compiled with -fsanitize=thread
//      |  __tsan_read8(address), or the inline test of in_line.s
//      v
//   this file, linked into each program and library: is the shadow byte of the address zero?
//      |  yes: return                    |  no, or the store is a sample
//      v                                 v
//   program                            libstretto_memory.so (accesses.cpp): record the access
//
// Being linked in, they are called without a PLT. They use no C++ library: a program in C or Fortran has
// none. Atomics and the sanitizer's other functions only do their operation.
#include <cstddef>
#include <cstdint>

#include "memory/entry_points.hpp"
#include "memory/shadow.hpp"
#include "memory/thread_state.hpp"

#define STRETTO_CALLBACK extern "C" __attribute__((visibility("hidden")))
#define STRETTO_PC reinterpret_cast<std::uintptr_t>(__builtin_return_address(0))

namespace {

using stretto::memory::granule_bytes;
using stretto::memory::granule_of;
using stretto::memory::loads_mask;
using stretto::memory::shadow_of;

std::uintptr_t number(const volatile void* address) { return reinterpret_cast<std::uintptr_t>(address); }

/// Whether the shadow of an access has any of these bits.
inline bool is_marked(std::uintptr_t address, std::size_t bytes, std::uint8_t mask) {
  if ((shadow_of(granule_of(address)) & mask) != 0) return true;
  return address % granule_bytes + bytes > granule_bytes &&
         ((shadow_of(granule_of(address) + 1) | shadow_of(granule_of(address + bytes - 1))) & mask) != 0;
}

inline void load(const void* address, std::size_t bytes, std::uintptr_t pc) {
  stretto_memory_thread.last_load = number(address);
  if (is_marked(number(address), bytes, loads_mask)) [[unlikely]] {
    stretto_memory_loads(number(address), bytes, pc);
  }
}

inline void store(const void* address, std::size_t bytes, std::uintptr_t pc) {
  if (--stretto_memory_thread.left < 0 || is_marked(number(address), bytes, 0xFF)) [[unlikely]] {
    stretto_memory_stores(number(address), bytes, pc);
  }
}

}  // namespace

#define ACCESS_NAMED(middle, bytes)                                                                         \
  STRETTO_CALLBACK void __tsan_##middle##read##bytes(void* address) { load(address, bytes, STRETTO_PC); }   \
  STRETTO_CALLBACK void __tsan_##middle##write##bytes(void* address) { store(address, bytes, STRETTO_PC); } \
  STRETTO_CALLBACK void __tsan_##middle##read_write##bytes(void* address) {                                 \
    load(address, bytes, STRETTO_PC);                                                                       \
    store(address, bytes, STRETTO_PC);                                                                      \
  }
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
// gcc reports a copy of an object as a store and then a load, before the copy. A block copy follows as a
// call, too.
STRETTO_CALLBACK void __tsan_read_range(void* address, std::size_t bytes) {
  stretto_memory_thread.last_load = number(address);
  stretto_memory_range_loads(number(address), bytes, STRETTO_PC);
}
STRETTO_CALLBACK void __tsan_write_range(void* address, std::size_t bytes) {
  stretto_memory_range_stores(number(address), bytes, STRETTO_PC);
}
STRETTO_CALLBACK void __tsan_vptr_read(void** address) { load(address, sizeof *address, STRETTO_PC); }
STRETTO_CALLBACK void __tsan_vptr_update(void** address, void*) {
  store(address, sizeof *address, STRETTO_PC);
}

// Block copies are not instrumented: the compiler wrappers have the linker turn them into these.
// NOLINTBEGIN(bugprone-reserved-identifier): the linker's names
extern "C" void* __real_memcpy(void* to, const void* from, std::size_t bytes);
extern "C" void* __real_memmove(void* to, const void* from, std::size_t bytes);
extern "C" void* __real_memset(void* to, int value, std::size_t bytes);
// NOLINTEND(bugprone-reserved-identifier)

#define BLOCK(to, from, bytes, call)                                \
  const std::uintptr_t pc = STRETTO_PC;                             \
  stretto_memory_block_begins(number(to), number(from), bytes, pc); \
  void* result = call;                                              \
  stretto_memory_block_ends(bytes, pc);                             \
  return result
STRETTO_CALLBACK void* __wrap_memcpy(void* to, const void* from, std::size_t bytes) {
  BLOCK(to, from, bytes, __real_memcpy(to, from, bytes));
}
STRETTO_CALLBACK void* __wrap_memmove(void* to, const void* from, std::size_t bytes) {
  BLOCK(to, from, bytes, __real_memmove(to, from, bytes));
}
STRETTO_CALLBACK void* __wrap_memset(void* to, int value, std::size_t bytes) {
  BLOCK(to, nullptr, bytes, __real_memset(to, value, bytes));
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
