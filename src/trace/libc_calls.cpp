// SPDX-License-Identifier: BSD-3-Clause
// Wrappers of system and libc calls that access memory which may be protected. The kernel does not fault at
// a protected page of read() or write(): the call fails with EFAULT. So the pages are made accessible for
// its duration (memory::PageWatch; without one the wrappers only pass on). dlclose() is wrapped because code
// addresses may then change their meaning.
#include <dlfcn.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <atomic>
#include <cstdarg>
#include <cstdio>
#include <cstdlib>

#include "memory/fault_mask.hpp"
#include "memory/pages.hpp"
#include "memory/reserved.hpp"
#include "mpi/next_function.hpp"
#include "trace/sites.hpp"

#define STRETTO_TRACED __attribute__((visibility("default")))

namespace {

using stretto::memory::KernelAccess;

/// Of another memory there, nothing is known.
void* map(void* memory, std::size_t bytes, int protection, int flags, int file, off64_t offset) noexcept {
  static constinit std::atomic<decltype(&::mmap64)> next_map = nullptr;
  static constinit thread_local bool looking_up = false;
  auto* next_one = next_map.load(std::memory_order_relaxed);
  if (next_one == nullptr && !looking_up) {  // an allocator that dlsym calls maps memory, too
    looking_up = true;
    next_one = reinterpret_cast<decltype(&::mmap64)>(stretto::mpi::next_symbol("mmap64"));
    next_map.store(next_one, std::memory_order_relaxed);
    looking_up = false;
  }
  if ((flags & MAP_FIXED) != 0) stretto::memory::memory_is_remapped(memory, bytes);
  if (next_one != nullptr) return next_one(memory, bytes, protection, flags, file, offset);
  // NOLINTNEXTLINE(performance-no-int-to-ptr): the system's result
  return reinterpret_cast<void*>(::syscall(SYS_mmap, memory, bytes, protection, flags, file, offset));
}

/// A call that stores to `bytes` at `buffer`.
template <typename Call, typename... Arguments>
auto stores_to(const void* buffer, std::size_t bytes, Call* call, Arguments... arguments) {
  const KernelAccess access(buffer, bytes, true);
  return call(arguments...);
}

/// A call that loads `bytes` from `buffer`.
template <typename Call, typename... Arguments>
auto loads_from(const void* buffer, std::size_t bytes, Call* call, Arguments... arguments) {
  const KernelAccess access(buffer, bytes, false);
  return call(arguments...);
}

}  // namespace

// NOLINTBEGIN(bugprone-reserved-identifier,readability-inconsistent-declaration-parameter-name): libc's own
extern "C" {

ssize_t __read_chk(int file, void* buffer, std::size_t bytes, std::size_t size);
ssize_t __pread_chk(int file, void* buffer, std::size_t bytes, off_t offset, std::size_t size);
ssize_t __pread64_chk(int file, void* buffer, std::size_t bytes, off64_t offset, std::size_t size);
ssize_t __recv_chk(int file, void* buffer, std::size_t bytes, std::size_t size, int flags);
std::size_t __fread_chk(void* buffer, std::size_t bytes, std::size_t size, std::size_t count,
                        std::FILE* file);
std::size_t __fread_unlocked_chk(void* buffer, std::size_t bytes, std::size_t size, std::size_t count,
                                 std::FILE* file);

STRETTO_TRACED ssize_t read(int file, void* buffer, std::size_t bytes) {
  return stores_to(buffer, bytes, NEXT(read), file, buffer, bytes);
}

STRETTO_TRACED ssize_t pread(int file, void* buffer, std::size_t bytes, off_t offset) {
  return stores_to(buffer, bytes, NEXT(pread), file, buffer, bytes, offset);
}

STRETTO_TRACED ssize_t recv(int file, void* buffer, std::size_t bytes, int flags) {
  return stores_to(buffer, bytes, NEXT(recv), file, buffer, bytes, flags);
}

// The same calls with 64-bit offsets, with _FORTIFY_SOURCE and without a lock have names of their own.

STRETTO_TRACED ssize_t pread64(int file, void* buffer, std::size_t bytes, off64_t offset) {
  return stores_to(buffer, bytes, NEXT(pread64), file, buffer, bytes, offset);
}

STRETTO_TRACED ssize_t __read_chk(int file, void* buffer, std::size_t bytes, std::size_t size) {
  return stores_to(buffer, bytes, NEXT(__read_chk), file, buffer, bytes, size);
}

STRETTO_TRACED ssize_t __pread_chk(int file, void* buffer, std::size_t bytes, off_t offset,
                                   std::size_t size) {
  return stores_to(buffer, bytes, NEXT(__pread_chk), file, buffer, bytes, offset, size);
}

STRETTO_TRACED ssize_t __pread64_chk(int file, void* buffer, std::size_t bytes, off64_t offset,
                                     std::size_t size) {
  return stores_to(buffer, bytes, NEXT(__pread64_chk), file, buffer, bytes, offset, size);
}

STRETTO_TRACED ssize_t __recv_chk(int file, void* buffer, std::size_t bytes, std::size_t size, int flags) {
  return stores_to(buffer, bytes, NEXT(__recv_chk), file, buffer, bytes, size, flags);
}

STRETTO_TRACED ssize_t pwrite64(int file, const void* buffer, std::size_t bytes, off64_t offset) {
  return loads_from(buffer, bytes, NEXT(pwrite64), file, buffer, bytes, offset);
}

STRETTO_TRACED std::size_t __fread_chk(void* buffer, std::size_t bytes, std::size_t size, std::size_t count,
                                       std::FILE* file) {
  return stores_to(buffer, size * count, NEXT(__fread_chk), buffer, bytes, size, count, file);
}

STRETTO_TRACED std::size_t __fread_unlocked_chk(void* buffer, std::size_t bytes, std::size_t size,
                                                std::size_t count, std::FILE* file) {
  return stores_to(buffer, size * count, NEXT(__fread_unlocked_chk), buffer, bytes, size, count, file);
}

STRETTO_TRACED std::size_t fread_unlocked(void* buffer, std::size_t size, std::size_t count,
                                          std::FILE* file) {
  return stores_to(buffer, size * count, NEXT(fread_unlocked), buffer, size, count, file);
}

STRETTO_TRACED std::size_t fwrite_unlocked(const void* buffer, std::size_t size, std::size_t count,
                                           std::FILE* file) {
  return loads_from(buffer, size * count, NEXT(fwrite_unlocked), buffer, size, count, file);
}

STRETTO_TRACED ssize_t write(int file, const void* buffer, std::size_t bytes) {
  return loads_from(buffer, bytes, NEXT(write), file, buffer, bytes);
}

STRETTO_TRACED ssize_t pwrite(int file, const void* buffer, std::size_t bytes, off_t offset) {
  return loads_from(buffer, bytes, NEXT(pwrite), file, buffer, bytes, offset);
}

STRETTO_TRACED ssize_t send(int file, const void* buffer, std::size_t bytes, int flags) {
  return loads_from(buffer, bytes, NEXT(send), file, buffer, bytes, flags);
}

STRETTO_TRACED std::size_t fread(void* buffer, std::size_t size, std::size_t count, std::FILE* file) {
  return stores_to(buffer, size * count, NEXT(fread), buffer, size, count, file);
}

STRETTO_TRACED std::size_t fwrite(const void* buffer, std::size_t size, std::size_t count, std::FILE* file) {
  return loads_from(buffer, size * count, NEXT(fwrite), buffer, size, count, file);
}

STRETTO_TRACED void free(void* memory) noexcept {
  static std::atomic<decltype(&::free)> next_free = nullptr;
  auto* next_one = next_free.load(std::memory_order_relaxed);
  if (next_one == nullptr) {
    static thread_local bool looking_up = false;
    if (looking_up) return;  // dlsym itself frees memory, once
    looking_up = true;
    next_one = reinterpret_cast<decltype(&::free)>(stretto::mpi::next_symbol("free"));
    next_free.store(next_one, std::memory_order_relaxed);
    looking_up = false;
  }
  const stretto::memory::FaultsWhileLinking deliverable(__builtin_return_address(0));
  stretto::memory::memory_is_freed(memory);
  next_one(memory);
}

STRETTO_TRACED void* realloc(void* memory, std::size_t bytes) noexcept {
  auto* const next_one = NEXT(realloc);
  stretto::memory::memory_is_freed(memory);
  return next_one(memory, bytes);
}

// The kernel moves, unmaps and protects memory by its own protection, not by ours.

STRETTO_TRACED int munmap(void* memory, std::size_t bytes) noexcept {
  auto* const next_one = NEXT(munmap);
  stretto::memory::memory_is_remapped(memory, bytes);
  return next_one(memory, bytes);
}

STRETTO_TRACED int mprotect(void* memory, std::size_t bytes, int protection) noexcept {
  auto* const next_one = NEXT(mprotect);
  stretto::memory::memory_is_remapped(memory, bytes);
  return next_one(memory, bytes, protection);
}

STRETTO_TRACED void* mremap(void* memory, std::size_t bytes, std::size_t new_bytes, int flags, ...) noexcept {
  auto* const next_one = NEXT(mremap);
  stretto::memory::memory_is_remapped(memory, bytes);
  if ((flags & MREMAP_FIXED) == 0) return next_one(memory, bytes, new_bytes, flags);
  std::va_list rest;
  va_start(rest, flags);
  void* const target = va_arg(rest, void*);
  va_end(rest);
  stretto::memory::memory_is_remapped(target, new_bytes);
  return next_one(memory, bytes, new_bytes, flags, target);
}

STRETTO_TRACED void* mmap(void* memory, std::size_t bytes, int protection, int flags, int file,
                          off_t offset) noexcept {
  return map(memory, bytes, protection, flags, file, offset);
}

STRETTO_TRACED void* mmap64(void* memory, std::size_t bytes, int protection, int flags, int file,
                            off64_t offset) noexcept {
  return map(memory, bytes, protection, flags, file, offset);
}

STRETTO_TRACED int mlockall(int flags) noexcept {
  auto* const next_one = NEXT(mlockall);
  return stretto::memory::lock_all(flags, next_one);
}

/// Another module may get the addresses of the one that the program closes.
STRETTO_TRACED int dlclose(void* handle) {
  auto* const next_one = NEXT(dlclose);
  const int error = next_one(handle);
  stretto::trace::Sites::forget_addresses();
  return error;
}

STRETTO_TRACED int pthread_create(pthread_t* thread, const pthread_attr_t* attributes, void* (*start)(void*),
                                  void* argument) noexcept {
  return stretto::memory::create_thread(thread, attributes, start, argument, NEXT(pthread_create));
}

}  // extern "C"
// NOLINTEND(bugprone-reserved-identifier,readability-inconsistent-declaration-parameter-name)
