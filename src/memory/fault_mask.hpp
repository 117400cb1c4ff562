// SPDX-License-Identifier: BSD-3-Clause
// Keeps SIGSEGV deliverable where pages are protected: a fault of a thread that blocks it ends the program,
// and no handler is called. Programs block all signals in threads that should not handle any, and libc does
// while a thread ends, when it reads and frees the thread's tables, which may be next to a message. The
// program's own view of its masks stays as it has set them. Knows no MPI.
#pragma once

#include <pthread.h>

#include <csignal>

namespace stretto::memory {

// libc's functions that are replaced.
using ChangeMask = int (*)(int, const sigset_t*, sigset_t*) noexcept;
using ChangeAction = int (*)(int, const struct sigaction*, struct sigaction*) noexcept;
using CreateThread = int (*)(pthread_t*, const pthread_attr_t*, void* (*)(void*), void*) noexcept;

/// Whether the process watches its messages by page. What a program sets before MPI is initialised counts as
/// well.
[[nodiscard]] bool pages_are_watched() noexcept;

/// The thread's mask is changed by `next`, libc's sigprocmask or pthread_sigmask, without SIGSEGV.
int change_mask(int how, const sigset_t* requested, sigset_t* before, ChangeMask next) noexcept;

/// Sets or asks for the action of a signal other than SIGSEGV by `next`, libc's sigaction: its handler runs
/// with SIGSEGV deliverable.
int change_action(int number, const struct sigaction* requested, struct sigaction* before,
                  ChangeAction next) noexcept;

/// Whether the program believes that this thread blocks SIGSEGV: a fault of its own then ends it.
[[nodiscard]] bool program_blocks_faults() noexcept;

/// Makes SIGSEGV deliverable in the calling thread, which may have blocked it before this library was there.
void unblock_faults() noexcept;

/// Creates a thread by `next`, libc's pthread_create. Pages with libc's table of its variables are not
/// watched once it ends. The thread has a stack for faults.
int create_thread(pthread_t* thread, const pthread_attr_t* attributes, void* (*start)(void*), void* argument,
                  CreateThread next) noexcept;

/// The same as unblock_faults while it lives, where `caller` is in the dynamic linker: it frees the tables of
/// a thread that ends, when all signals are blocked.
class FaultsWhileLinking {
 public:
  explicit FaultsWhileLinking(const void* caller) noexcept;
  ~FaultsWhileLinking();
  FaultsWhileLinking(const FaultsWhileLinking&) = delete;
  FaultsWhileLinking& operator=(const FaultsWhileLinking&) = delete;
  FaultsWhileLinking(FaultsWhileLinking&&) = delete;
  FaultsWhileLinking& operator=(FaultsWhileLinking&&) = delete;

 private:
  bool unblocked_ = false;
  sigset_t before_{};
};

}  // namespace stretto::memory
