// SPDX-License-Identifier: BSD-3-Clause
// The progress thread of an unmodified program: it observes the activity, asks the policy, polls and sleeps.
// Knows no MPI.
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <functional>
#include <thread>

#include "progress/poll_policy.hpp"
#include "rma/progress/traffic_watch.hpp"

namespace stretto::progress {

/// What the thread did, for the statistics.
struct PollCounts {
  std::int64_t wakes = 0;           ///< times that the thread ran
  std::int64_t polls = 0;           ///< of those, how many polled
  std::int64_t while_inside = 0;    ///< of those, how many found the application inside MPI
  std::chrono::nanoseconds cpu{0};  ///< processor time of the thread
};

class Poller {
 public:
  /// Polls on a thread of its own; `poll` must not throw. Throws std::system_error where the kernel has no
  /// thread or no epoll left.
  Poller(std::function<void()> poll, std::chrono::nanoseconds interval);
  Poller(const Poller&) = delete;
  Poller& operator=(const Poller&) = delete;
  /// Wakes the thread and waits for its end.
  ~Poller();

  /// The counts after the thread has ended.
  PollCounts stop();

 private:
  void run();
  [[nodiscard]] bool sleep(const Step& step);

  std::function<void()> poll_;
  PollPolicy policy_;
  rma::TrafficWatch traffic_;
  std::atomic<bool> stop_{false};
  PollCounts counts_;
  std::thread thread_;
};

}  // namespace stretto::progress
