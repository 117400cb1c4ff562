// SPDX-License-Identifier: BSD-3-Clause
// libstretto_sleep.so, preloaded into ranks of emulated hosts that have more ranks than this machine has
// cores: a rank that waits for a message sleeps.
//
// MPI libraries poll their files without waiting, and call sched_yield() when that found nothing. The kernel
// gives such a rank as much of a core as one that computes, so that each rank would run a part of the time
// only. Here sched_yield() sleeps until one of these files is ready. Messages through shared memory make no
// file ready, so the sleep is short. A thread that has not polled since its last call does not sleep.
#include <poll.h>
#include <sched.h>
#include <sys/epoll.h>
#include <sys/prctl.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <ctime>

#include "mpi/next_function.hpp"

namespace {

constexpr timespec longest_sleep{.tv_sec = 0, .tv_nsec = 200'000};
constexpr nfds_t max_files = 256;  // of more files none is watched

/// The files that a thread has polled without success since its last sleep.
struct Polled {
  std::array<pollfd, max_files> files;
  nfds_t count;
  bool precise;  // its sleeps end when they should, and not 50 us later
};

thread_local Polled polled;

void note(const pollfd* files, nfds_t count, int timeout_ms, int found) {
  polled.count = timeout_ms == 0 && found == 0 && count <= max_files ? count : 0;
  std::copy_n(files, polled.count, polled.files.begin());
}

}  // namespace

#define STRETTO_INTERPOSED extern "C" __attribute__((visibility("default")))

// NOLINTBEGIN(readability-inconsistent-declaration-parameter-name): libc's own are reserved words
STRETTO_INTERPOSED int epoll_wait(int file, epoll_event* events, int most, int timeout_ms) {
  const int found = NEXT(epoll_wait)(file, events, most, timeout_ms);
  const pollfd itself{.fd = file, .events = POLLIN, .revents = 0};
  note(&itself, 1, timeout_ms, found);
  return found;
}

STRETTO_INTERPOSED int poll(pollfd* files, nfds_t count, int timeout_ms) {
  const int found = NEXT(poll)(files, count, timeout_ms);
  note(files, count, timeout_ms, found);
  return found;
}
// NOLINTEND(readability-inconsistent-declaration-parameter-name)

STRETTO_INTERPOSED int sched_yield() noexcept {
  if (polled.count == 0) return NEXT(sched_yield)();
  const int before = errno;
  if (!polled.precise) polled.precise = prctl(PR_SET_TIMERSLACK, 1UL, 0UL, 0UL, 0UL) == 0;
  ppoll(polled.files.data(), polled.count, &longest_sleep, nullptr);
  polled.count = 0;
  errno = before;
  return 0;
}
