// SPDX-License-Identifier: BSD-3-Clause
// The progress thread: its loop, its sleep, and how it is scheduled. What a turn does, and when the next one
// is due, is the policy of the user: the runtime (service_policy.hpp), or the library for unmodified programs
// (src/progress). Knows neither the runtime nor MPI.
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <functional>
#include <thread>

#include "progress/thread/traffic_watch.hpp"

namespace stretto::progress {

/// How the thread sleeps between two turns.
struct Sleep {
  std::chrono::nanoseconds rest{0};    ///< whatever the traffic
  std::chrono::nanoseconds listen{0};  ///< then until traffic comes; 0: not at all
};

/// What the thread used, after its end.
struct ThreadUse {
  std::int64_t turns = 0;
  std::chrono::nanoseconds cpu{0};  ///< processor time
};

class ProgressThread {
 public:
  /// What a thread does when it wakes, given what woke it. It must not throw.
  using Turn = std::function<Sleep(WakeUp)>;

  /// Takes turns on a thread of its own, the first one at once. Throws std::system_error where the kernel has
  /// no thread or no epoll left.
  explicit ProgressThread(Turn turn);
  ProgressThread(const ProgressThread&) = delete;
  ProgressThread& operator=(const ProgressThread&) = delete;
  /// As stop().
  ~ProgressThread();

  /// What the kernel's buffers hold of the connections with the traffic that woke the thread; from a turn.
  [[nodiscard]] Buffered buffered() const { return traffic_.buffered(); }

  /// Whether a connection holds data that its peer has not acknowledged; from a turn.
  [[nodiscard]] bool sending() const { return traffic_.sending(); }

  /// Ends the current sleep, or the next one; from any thread.
  void wake() { traffic_.wake(); }

  /// Ends a rest that would last longer than `longest` from now; from any thread.
  void shorten_rest(std::chrono::nanoseconds longest);

  /// Wakes the thread at once and waits for its end.
  ThreadUse stop();

 private:
  using Clock = std::chrono::steady_clock;

  void run();
  [[nodiscard]] WakeUp sleep(const Sleep& sleep);

  Turn turn_;
  TrafficWatch traffic_;
  std::atomic<Clock::time_point> resting_until_{};
  std::atomic<bool> stop_{false};
  ThreadUse use_;
  std::thread thread_;
};

}  // namespace stretto::progress
