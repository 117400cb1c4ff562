// SPDX-License-Identifier: BSD-3-Clause
// Wrappers of system and libc calls that access memory which may be protected. The kernel does not fault at
// a protected page of read() or write(): the call fails with EFAULT. So the pages are made accessible for
// its duration (memory::PageWatch; without one the wrappers only pass on). dlclose() is wrapped because code
// addresses may then change their meaning.
#include <dlfcn.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <unistd.h>

#include <atomic>
#include <csignal>
#include <cstdarg>
#include <cstdio>
#include <cstdlib>

#include "memory/fault_mask.hpp"
#include "memory/fault_stack.hpp"
#include "memory/pages.hpp"
#include "memory/reserved.hpp"
#include "mpi/next_function.hpp"
#include "trace/sites.hpp"

#define STRETTO_TRACED __attribute__((visibility("default")))

namespace {

using stretto::memory::KernelAccess;

}  // namespace

// NOLINTBEGIN(readability-inconsistent-declaration-parameter-name): libc's own are reserved words
extern "C" {

STRETTO_TRACED ssize_t read(int file, void* buffer, std::size_t bytes) {
  auto* const next_one = NEXT(read);
  const KernelAccess access(buffer, bytes, true);
  return next_one(file, buffer, bytes);
}

STRETTO_TRACED ssize_t pread(int file, void* buffer, std::size_t bytes, off_t offset) {
  auto* const next_one = NEXT(pread);
  const KernelAccess access(buffer, bytes, true);
  return next_one(file, buffer, bytes, offset);
}

STRETTO_TRACED ssize_t recv(int file, void* buffer, std::size_t bytes, int flags) {
  auto* const next_one = NEXT(recv);
  const KernelAccess access(buffer, bytes, true);
  return next_one(file, buffer, bytes, flags);
}

STRETTO_TRACED ssize_t write(int file, const void* buffer, std::size_t bytes) {
  auto* const next_one = NEXT(write);
  const KernelAccess access(buffer, bytes, false);
  return next_one(file, buffer, bytes);
}

STRETTO_TRACED ssize_t pwrite(int file, const void* buffer, std::size_t bytes, off_t offset) {
  auto* const next_one = NEXT(pwrite);
  const KernelAccess access(buffer, bytes, false);
  return next_one(file, buffer, bytes, offset);
}

STRETTO_TRACED ssize_t send(int file, const void* buffer, std::size_t bytes, int flags) {
  auto* const next_one = NEXT(send);
  const KernelAccess access(buffer, bytes, false);
  return next_one(file, buffer, bytes, flags);
}

STRETTO_TRACED std::size_t fread(void* buffer, std::size_t size, std::size_t count, std::FILE* file) {
  auto* const next_one = NEXT(fread);
  const KernelAccess access(buffer, size * count, true);
  return next_one(buffer, size, count, file);
}

STRETTO_TRACED std::size_t fwrite(const void* buffer, std::size_t size, std::size_t count, std::FILE* file) {
  auto* const next_one = NEXT(fwrite);
  const KernelAccess access(buffer, size * count, false);
  return next_one(buffer, size, count, file);
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

/// A SIGSEGV handler that the program installs is called after ours, which stays installed.
STRETTO_TRACED int sigaction(int number, const struct sigaction* requested,
                             struct sigaction* before) noexcept {
  auto* const next_one = NEXT(sigaction);
  struct sigaction* stored = number == SIGSEGV ? stretto::memory::program_handler() : nullptr;
  if (stored == nullptr) return stretto::memory::change_action(number, requested, before, next_one);
  const struct sigaction old = *stored;
  if (requested != nullptr) *stored = *requested;
  if (before != nullptr) *before = old;
  return 0;
}

STRETTO_TRACED sighandler_t signal(int number, sighandler_t requested) noexcept {
  auto* const next_one = NEXT(signal);
  struct sigaction* stored = number == SIGSEGV ? stretto::memory::program_handler() : nullptr;
  if (stored == nullptr) return next_one(number, requested);
  const sighandler_t before = stored->sa_handler;
  *stored = {};
  stored->sa_handler = requested;
  return before;
}

// The program may block all signals, but not those of our protection.

STRETTO_TRACED int sigprocmask(int how, const sigset_t* requested, sigset_t* before) noexcept {
  return stretto::memory::change_mask(how, requested, before, NEXT(sigprocmask));
}

STRETTO_TRACED int pthread_sigmask(int how, const sigset_t* requested, sigset_t* before) noexcept {
  return stretto::memory::change_mask(how, requested, before, NEXT(pthread_sigmask));
}

STRETTO_TRACED int sigaltstack(const stack_t* requested, stack_t* before) noexcept {
  return stretto::memory::change_fault_stack(requested, before, NEXT(sigaltstack));
}

STRETTO_TRACED int pthread_create(pthread_t* thread, const pthread_attr_t* attributes, void* (*start)(void*),
                                  void* argument) noexcept {
  return stretto::memory::create_thread(thread, attributes, start, argument, NEXT(pthread_create));
}

}  // extern "C"
// NOLINTEND(readability-inconsistent-declaration-parameter-name)
