// SPDX-License-Identifier: BSD-3-Clause
// Waits for traffic on the TCP connections of this process, whichever library opened them. A progress thread
// thus learns of a request before its next poll. Reads nothing from the connections. Knows no MPI.
#pragma once

#include <chrono>
#include <cstdint>

namespace stretto::rma {

/// What ended a wait: its time, traffic, or a call of wake(). The end by stop() counts as time.
enum class WakeUp : std::uint8_t { timeout, traffic, call };

class TrafficWatch {
 public:
  /// Throws std::system_error where the kernel has no epoll left for us.
  TrafficWatch();
  TrafficWatch(const TrafficWatch&) = delete;
  TrafficWatch& operator=(const TrafficWatch&) = delete;
  ~TrafficWatch();

  /// Waits for traffic that came after the last return of wait(), at most for `timeout`. Ended by wake(), and
  /// by stop() for good.
  WakeUp wait(std::chrono::nanoseconds timeout);

  /// Sleeps for `duration`, whatever the traffic, and not after stop(). True where wake() ended it.
  bool sleep(std::chrono::nanoseconds duration);

  /// Ends a wait() or sleep(), this one or the next; from any thread.
  void wake();

  /// Ends wait() and sleep(), these and all later ones; from any thread.
  void stop();

 private:
  void add_new_connections();

  int traffic_ = -1;  // epoll of all connections
  int stopped_ = -1;  // eventfd
  int woken_ = -1;    // eventfd
  std::chrono::steady_clock::time_point connections_read_;
};

}  // namespace stretto::rma
