// SPDX-License-Identifier: BSD-3-Clause
// The functions that code compiled with -fsanitize=thread calls (gcc's and clang's names), in place of the
// sanitizer's own. Accesses are looked at; atomics and the rest only do what they must.
#include <cstddef>
#include <cstdint>
#include <cstring>

#include "memory/granules.hpp"

#define STRETTO_CALLBACK extern "C" __attribute__((visibility("default")))

namespace {

using stretto::memory::note_load;
using stretto::memory::note_store;
using stretto::memory::on_aligned;

std::uintptr_t number(const volatile void* address) { return reinterpret_cast<std::uintptr_t>(address); }
void loads(const void* address, std::size_t bytes) { stretto::memory::on_loads(number(address), bytes); }
void stores(const void* address, std::size_t bytes) { stretto::memory::on_stores(number(address), bytes); }

}  // namespace

#define ACCESS_NAMED(middle, bytes)                                                                      \
  STRETTO_CALLBACK void __tsan_##middle##read##bytes(void* address) {                                    \
    on_aligned<note_load>(number(address), bytes);                                                       \
  }                                                                                                      \
  STRETTO_CALLBACK void __tsan_##middle##write##bytes(void* address) {                                   \
    on_aligned<note_store>(number(address), bytes);                                                      \
  }                                                                                                      \
  STRETTO_CALLBACK void __tsan_unaligned_##middle##read##bytes(void* address) { loads(address, bytes); } \
  STRETTO_CALLBACK void __tsan_unaligned_##middle##write##bytes(void* address) { stores(address, bytes); }
// A load and a store of one place: of interest is that it is read first.
#define ACCESS_BOTH(bytes)                                                  \
  STRETTO_CALLBACK void __tsan_read_write##bytes(void* address) {           \
    on_aligned<note_load>(number(address), bytes);                          \
    on_aligned<note_store>(number(address), bytes);                         \
  }                                                                         \
  STRETTO_CALLBACK void __tsan_unaligned_read_write##bytes(void* address) { \
    loads(address, bytes);                                                  \
    stores(address, bytes);                                                 \
  }
#define ACCESS(bytes)            \
  ACCESS_NAMED(, bytes)          \
  ACCESS_NAMED(volatile_, bytes) \
  ACCESS_BOTH(bytes)
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
STRETTO_CALLBACK void __tsan_read_range(void* address, std::size_t bytes) { loads(address, bytes); }
STRETTO_CALLBACK void __tsan_write_range(void* address, std::size_t bytes) { stores(address, bytes); }
STRETTO_CALLBACK void __tsan_vptr_read(void** address) { loads(address, sizeof *address); }
STRETTO_CALLBACK void __tsan_vptr_update(void** address, void*) { stores(address, sizeof *address); }

// Block copies are not instrumented: the compiler wrappers have the linker turn them into these.
STRETTO_CALLBACK void* __wrap_memcpy(void* to, const void* from, std::size_t bytes) {
  loads(from, bytes);
  stores(to, bytes);
  return std::memcpy(to, from, bytes);
}
STRETTO_CALLBACK void* __wrap_memmove(void* to, const void* from, std::size_t bytes) {
  loads(from, bytes);
  stores(to, bytes);
  return std::memmove(to, from, bytes);
}
STRETTO_CALLBACK void* __wrap_memset(void* to, int value, std::size_t bytes) {
  stores(to, bytes);
  return std::memset(to, value, bytes);
}
// As clang calls them.
STRETTO_CALLBACK void* __tsan_memcpy(void* to, const void* from, std::size_t bytes) {
  return __wrap_memcpy(to, from, bytes);
}
STRETTO_CALLBACK void* __tsan_memmove(void* to, const void* from, std::size_t bytes) {
  return __wrap_memmove(to, from, bytes);
}
STRETTO_CALLBACK void* __tsan_memset(void* to, int value, std::size_t bytes) {
  return __wrap_memset(to, value, bytes);
}

// Always in the strongest order: nobody asks here whether a weaker one would do.
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
