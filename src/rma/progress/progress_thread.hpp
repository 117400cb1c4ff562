// SPDX-License-Identifier: BSD-3-Clause
// The progress thread. It polls at an interval that adapts to the traffic, and sleeps between polls. It knows
// neither the runtime nor MPI, so that a library for unmodified programs can use it, too.
#pragma once

#include <atomic>
#include <chrono>
#include <functional>
#include <thread>

#include "rma/progress/adaptive_backoff.hpp"
#include "rma/progress/traffic_watch.hpp"

namespace stretto::rma {

/// What one poll found.
struct PollResult {
  bool progressed = false;  // something moved
  bool unserved = false;    // requests are left, and the next poll serves more of them
  bool bulk = false;  // a packet's worth of data moved, and the program made no call since the last poll
  bool program_bulk = false;  // the program itself has moved as much since the last poll
  double buffer_use = 0;      // buffers that were used up, as a share of their pool: the largest of all pools
};

class ProgressThread {
 public:
  /// Polls on a thread of its own; `poll` must not throw. `poll_interval_s` is in seconds, above 0.
  ProgressThread(std::function<PollResult()> poll, double poll_interval_s);
  ProgressThread(const ProgressThread&) = delete;
  ProgressThread& operator=(const ProgressThread&) = delete;
  /// Wakes the thread at once and waits for its end.
  ~ProgressThread();

  /// Shortens a long backoff, because the program has started an operation that takes long.
  void wake();

 private:
  using Clock = std::chrono::steady_clock;

  void run();
  void back_off(std::chrono::nanoseconds duration);

  std::function<PollResult()> poll_;
  std::chrono::nanoseconds poll_interval_;
  AdaptiveBackoff backoff_;
  TrafficWatch traffic_;
  std::atomic<Clock::time_point> backing_off_until_{};
  std::atomic<bool> stop_{false};
  std::thread thread_;
};

}  // namespace stretto::rma
