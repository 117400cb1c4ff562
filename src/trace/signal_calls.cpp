// SPDX-License-Identifier: BSD-3-Clause
// Wrappers of libc's calls about signals. While pages are protected, the handler of SIGSEGV that is installed
// is the watch's, and the signal is not blocked; the program sees what it has set itself. Without a watch the
// wrappers only pass on.
#include <poll.h>
#include <sys/epoll.h>
#include <sys/select.h>

#include <csignal>

#include "memory/fault_action.hpp"
#include "memory/fault_mask.hpp"
#include "memory/fault_stack.hpp"
#include "memory/signal_flags.hpp"
#include "mpi/next_function.hpp"

#define STRETTO_TRACED __attribute__((visibility("default")))

namespace {

using namespace stretto::memory;

/// The program's action for the signal where that is kept; else null.
struct sigaction* kept_action(int number) {
  return number == SIGSEGV ? program_action() : nullptr;
}

sighandler_t replaced(struct sigaction& kept, sighandler_t requested, int flags) {
  const sighandler_t before = kept.sa_handler;
  kept = {};
  kept.sa_handler = requested;
  kept.sa_flags = flags;
  return before;
}

bool is_blocked_here(int number) { return number == SIGSEGV && pages_are_watched(); }

sigset_t only(int number) {
  sigset_t one;
  ::sigemptyset(&one);
  ::sigaddset(&one, number);
  return one;
}

/// A call that waits with another mask.
class WaitingMask {
 public:
  explicit WaitingMask(const sigset_t* mask) : given_(mask != nullptr) {
    if (given_) mask_ = without_faults(*mask);
  }
  operator const sigset_t*() const {
    return given_ ? &mask_ : nullptr;
  }  // NOLINT(google-explicit-constructor)

 private:
  bool given_;
  sigset_t mask_{};
};

}  // namespace

// Some of these are deprecated, and programs call them all the same.
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wdeprecated-declarations"
// NOLINTBEGIN(bugprone-reserved-identifier,readability-inconsistent-declaration-parameter-name): libc's own
extern "C" {

STRETTO_TRACED int sigaction(int number, const struct sigaction* requested,
                             struct sigaction* before) noexcept {
  auto* const next_one = NEXT(sigaction);
  struct sigaction* kept = kept_action(number);
  if (kept == nullptr) return change_action(number, requested, before, next_one);
  const struct sigaction old = *kept;
  if (requested != nullptr) *kept = *requested;
  if (before != nullptr) *before = old;
  return 0;
}

STRETTO_TRACED sighandler_t signal(int number, sighandler_t requested) noexcept {
  auto* const next_one = NEXT(signal);
  struct sigaction* kept = kept_action(number);
  return kept == nullptr ? next_one(number, requested) : replaced(*kept, requested, bsd_handler);
}

STRETTO_TRACED sighandler_t bsd_signal(int number, sighandler_t requested) noexcept {
  return signal(number, requested);
}

STRETTO_TRACED sighandler_t ssignal(int number, sighandler_t requested) noexcept {
  return signal(number, requested);
}

STRETTO_TRACED sighandler_t __sysv_signal(int number, sighandler_t requested) noexcept {
  auto* const next_one = NEXT(__sysv_signal);
  struct sigaction* kept = kept_action(number);
  return kept == nullptr ? next_one(number, requested) : replaced(*kept, requested, sysv_handler);
}

STRETTO_TRACED sighandler_t sysv_signal(int number, sighandler_t requested) noexcept {
  return __sysv_signal(number, requested);
}

// The program may block all signals, but not those of our protection.

STRETTO_TRACED int sigprocmask(int how, const sigset_t* requested, sigset_t* before) noexcept {
  return change_mask(how, requested, before, NEXT(sigprocmask));
}

STRETTO_TRACED int pthread_sigmask(int how, const sigset_t* requested, sigset_t* before) noexcept {
  return change_mask(how, requested, before, NEXT(pthread_sigmask));
}

STRETTO_TRACED int sighold(int number) noexcept {
  const sigset_t one = only(number);
  return is_blocked_here(number) ? sigprocmask(SIG_BLOCK, &one, nullptr) : NEXT(sighold)(number);
}

STRETTO_TRACED int sigrelse(int number) noexcept {
  const sigset_t one = only(number);
  return is_blocked_here(number) ? sigprocmask(SIG_UNBLOCK, &one, nullptr) : NEXT(sigrelse)(number);
}

STRETTO_TRACED int sigignore(int number) noexcept {
  struct sigaction* kept = kept_action(number);
  if (kept == nullptr) return NEXT(sigignore)(number);
  replaced(*kept, SIG_IGN, 0);
  return 0;
}

STRETTO_TRACED sighandler_t sigset(int number, sighandler_t requested) noexcept {
  auto* const next_one = NEXT(sigset);
  struct sigaction* kept = kept_action(number);
  if (kept == nullptr) return next_one(number, requested);
  const bool holds = requested == SIG_HOLD;
  const sigset_t one = only(number);
  const bool held = program_blocks_faults();
  const sighandler_t before = holds ? kept->sa_handler : replaced(*kept, requested, 0);
  sigprocmask(holds ? SIG_BLOCK : SIG_UNBLOCK, &one, nullptr);
  return held ? SIG_HOLD : before;
}

STRETTO_TRACED int sigpending(sigset_t* set) noexcept {
  const int error = NEXT(sigpending)(set);
  if (error == 0 && fault_is_pending()) ::sigaddset(set, SIGSEGV);
  return error;
}

STRETTO_TRACED int sigsuspend(const sigset_t* mask) { return NEXT(sigsuspend)(WaitingMask(mask)); }

STRETTO_TRACED int ppoll(pollfd* files, nfds_t count, const timespec* timeout, const sigset_t* mask) {
  return NEXT(ppoll)(files, count, timeout, WaitingMask(mask));
}

STRETTO_TRACED int pselect(int count, fd_set* reads, fd_set* writes, fd_set* others, const timespec* timeout,
                           const sigset_t* mask) {
  return NEXT(pselect)(count, reads, writes, others, timeout, WaitingMask(mask));
}

STRETTO_TRACED int epoll_pwait(int file, epoll_event* events, int count, int timeout, const sigset_t* mask) {
  return NEXT(epoll_pwait)(file, events, count, timeout, WaitingMask(mask));
}

STRETTO_TRACED int sigaltstack(const stack_t* requested, stack_t* before) noexcept {
  return change_fault_stack(requested, before, NEXT(sigaltstack));
}

}  // extern "C"
// NOLINTEND(bugprone-reserved-identifier,readability-inconsistent-declaration-parameter-name)
#pragma GCC diagnostic pop
