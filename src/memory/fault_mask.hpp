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

/// The signals that may wait: all but those of faults.
[[nodiscard]] sigset_t signals_that_wait() noexcept;

/// Those signals wait while it lives. Within another one it changes nothing.
class SignalsWait {
 public:
  SignalsWait() noexcept;
  ~SignalsWait();
  SignalsWait(const SignalsWait&) = delete;
  SignalsWait& operator=(const SignalsWait&) = delete;

 private:
  sigset_t before_{};
};

/// The program's handler of SIGSEGV runs while it lives: the thread has the mask of the moment of the fault
/// and the handler's, and the program believes that it blocks SIGSEGV or not.
class InFaultHandler {
 public:
  InFaultHandler(const sigset_t& at_fault, const sigset_t& of_handler, bool blocks) noexcept;
  ~InFaultHandler();
  InFaultHandler(const InFaultHandler&) = delete;
  InFaultHandler& operator=(const InFaultHandler&) = delete;

 private:
  bool before_;
};

/// The thread leaves its signal handlers by siglongjmp, which restores the mask from before them.
void fault_handlers_are_left() noexcept;

/// A SIGSEGV that was sent while the program blocks it waits until the program unblocks it.
void keep_fault_pending() noexcept;
[[nodiscard]] bool fault_is_pending() noexcept;

/// The mask for sigsuspend and the like: handlers that run in that time may touch protected pages.
[[nodiscard]] sigset_t without_faults(const sigset_t& mask) noexcept;

/// Makes SIGSEGV deliverable in the calling thread, which may have blocked it before this library was there.
void unblock_faults() noexcept;

/// Creates a thread by `next`, libc's pthread_create. Pages with libc's table of its variables are not
/// watched once it ends. The thread has a stack for faults, and inherits the program's view of its mask.
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

 private:
  bool unblocked_ = false;
  sigset_t before_{};
};

}  // namespace stretto::memory
