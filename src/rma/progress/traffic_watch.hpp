// SPDX-License-Identifier: BSD-3-Clause
// Sleeps until something moves on a TCP connection of this process, whoever made it: how a helper learns of
// a request before its next turn. Reads nothing from the connections. Knows no MPI.
#pragma once

#include <chrono>

namespace stretto::rma {

class TrafficWatch {
 public:
  /// Throws std::system_error where the kernel has no epoll left for us.
  TrafficWatch();
  TrafficWatch(const TrafficWatch&) = delete;
  TrafficWatch& operator=(const TrafficWatch&) = delete;
  ~TrafficWatch();

  /// Until there is traffic that came after the last return, until `most` has passed, or until stop(). What
  /// came while nobody waited counts. True when it was traffic.
  bool wait(std::chrono::nanoseconds most);

  /// Until `duration` has passed or until stop(), whatever the traffic. True where hurry() ended it.
  bool rest(std::chrono::nanoseconds duration);

  /// Ends rest(), this one or the next; from any thread.
  void hurry();

  /// Ends wait() and rest(), now and for ever; from any thread.
  void stop();

 private:
  void look_for_connections();

  int traffic_ = -1;  // epoll of all connections
  int stopped_ = -1;  // eventfd
  int hurried_ = -1;  // eventfd
  std::chrono::steady_clock::time_point looked_;
};

}  // namespace stretto::rma
