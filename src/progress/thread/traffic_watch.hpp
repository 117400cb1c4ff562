// SPDX-License-Identifier: BSD-3-Clause
// Waits for traffic on the TCP connections of this process, whichever library opened them. A progress thread
// thus learns of a request before its next poll. Reads nothing from the connections. Knows no MPI.
#pragma once

#include <sys/epoll.h>

#include <array>
#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "progress/thread/own_descriptor.hpp"

namespace stretto::progress {

/// What ended a wait: its time, traffic, or a call of wake(). The end by stop() counts as time.
enum class WakeUp : std::uint8_t { timeout, traffic, call };

/// What a buffer of the kernel holds.
struct BufferUse {
  std::int64_t bytes = 0;
  double share = 0;  ///< of what the buffer may hold, with the kernel's overhead
};

/// Both buffers of a connection.
struct Buffered {
  BufferUse unread;
  BufferUse unsent;
};

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

  /// The largest values of the connections with the traffic that ended the last wait(). 0 where the kernel
  /// does not say.
  [[nodiscard]] Buffered buffered() const;

  /// Whether a connection holds data that its peer has not acknowledged. False where there are too many
  /// connections to ask each.
  [[nodiscard]] bool sending() const;

  /// Sleeps for `duration`, whatever the traffic, and not after stop(). True where wake() ended it.
  bool sleep(std::chrono::nanoseconds duration);

  /// Ends a wait() or sleep(), this one or the next; from any thread.
  void wake();

  /// Ends wait() and sleep(), these and all later ones; from any thread.
  void stop();

 private:
  void add_new_connections();
  /// Whether the program has closed none of the descriptors.
  [[nodiscard]] bool is_whole() const;
  /// Sleeps for `duration` where it has.
  void sleep_alone(std::chrono::nanoseconds duration) const;

  OwnDescriptor traffic_;                 // epoll of all connections
  OwnDescriptor stopped_;                 // eventfd
  OwnDescriptor woken_;                   // eventfd
  std::atomic<bool> is_stopped_ = false;  // where the program has closed `stopped_`
  std::vector<int> connections_;          // at the last search; some may be closed since then
  std::chrono::steady_clock::time_point connections_read_;
  std::array<epoll_event, 64> events_{};  // of the last wait
  std::size_t event_count_ = 0;
};

}  // namespace stretto::progress
