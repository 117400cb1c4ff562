// SPDX-License-Identifier: BSD-3-Clause
// When the runtime's progress thread polls again: after a poll, by what it found. Knows no MPI and no clock.
#pragma once

#include <chrono>

#include "progress/thread/adaptive_backoff.hpp"
#include "progress/thread/progress_thread.hpp"

namespace stretto::progress {

/// What one poll found.
struct PollResult {
  bool progressed = false;  // something moved
  bool unserved = false;    // requests are left, and the next poll serves more of them
  bool bulk = false;  // a packet's worth of data moved, and the program made no call since the last poll
  bool program_bulk = false;  // the program itself has moved as much since the last poll
  double buffer_use = 0;      // buffers that were used up, as a share of their pool: the largest of all pools
};

/// After traffic the thread rests for the backoff, however much more comes, because each wake-up costs the
/// processor. Without traffic it waits for some, so that a request wakes it.
class ServicePolicy {
 public:
  explicit ServicePolicy(std::chrono::nanoseconds poll_interval)
      : poll_interval_(poll_interval), backoff_(poll_interval), idle_(poll_interval) {}

  /// The sleep after a poll that found `found`.
  Sleep next(WakeUp woken, const PollResult& found) {
    const bool traffic = woken == WakeUp::traffic || traffic_before_;
    if (found.unserved && !again_) {
      again_ = true;
      traffic_before_ = traffic;
      return {.rest = poll_interval_ / 16};
    }
    again_ = traffic_before_ = false;
    if (woken == WakeUp::call) {
      backoff_.reset();
      return {.rest = backoff_.next(0, Traffic::small), .listen = idle_.next()};
    }
    if (!traffic) {
      idle_.timed_out(found.progressed);
      backoff_.reset();
      return {.listen = idle_.next()};
    }
    idle_.traffic_seen();
    const bool empty = !found.progressed && !found.program_bulk;
    const Traffic moved = found.bulk ? Traffic::bulk : Traffic::small;
    const auto rest = empty ? backoff_.next_after_empty_poll() : backoff_.next(found.buffer_use, moved);
    return {.rest = rest, .listen = idle_.next()};
  }

  /// A rest that the program may cut short when it starts an operation that takes long.
  [[nodiscard]] std::chrono::nanoseconds long_rest() const { return poll_interval_ / 2; }

 private:
  std::chrono::nanoseconds poll_interval_;
  AdaptiveBackoff backoff_;
  IdlePolling idle_;
  bool again_ = false;           // the last poll left requests, and this one is for them
  bool traffic_before_ = false;  // what woke the thread for that poll
};

}  // namespace stretto::progress
