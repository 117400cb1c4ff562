// SPDX-License-Identifier: BSD-3-Clause
// When the progress thread of an unmodified program polls, and how long it sleeps between two polls. Knows no
// MPI and no clock.
#pragma once

#include <algorithm>
#include <chrono>
#include <cstdint>

#include "progress/thread/adaptive_backoff.hpp"
#include "progress/thread/progress_thread.hpp"

namespace stretto::progress {

/// What the thread sees when it wakes.
struct Observation {
  bool traffic = false;      ///< something moved on a TCP connection
  bool inside = false;       ///< the application is inside a call that makes progress
  bool outstanding = false;  ///< requests of the application are outstanding that need progress
  bool steps = false;        ///< one of them has several steps, and each waits for the one before
  bool short_only = false;   ///< requests are outstanding, and none of them needs progress
  Buffered buffered;         ///< of the connections with this traffic
  double left_unsent = 0;    ///< share of a send buffer that the last poll left in use
  bool sending = false;      ///< without traffic: connections hold unacknowledged data
  bool windows = false;      ///< others may access memory of this rank
  std::int64_t starts = 0;   ///< requests started until now that need progress
  std::int64_t tests = 0;    ///< tests of requests until now
};

/// What the thread does next: poll or not, then sleep.
struct Step {
  bool poll = false;
  Sleep sleep;
  bool until_start = false;  ///< a request that starts ends the sleep, too
};

/// Polls once per interval while requests are outstanding and the application computes. After traffic the
/// first rests are shorter, because a rendezvous is several short messages. Bulk traffic makes them longer,
/// up to four intervals, or eight for messages, while the kernel's buffers hold the data of that time. A
/// request that had traffic, and then none for four intervals, is polled every fourth interval, because
/// traffic ends the wait; so is one while connections hold data for their peers. While nothing is
/// outstanding, the sleeps double; after `idle_rounds` of them only a start or traffic ends them. Short
/// messages move without calls: it polls rarely for them, in case that a buffer is full. An application that
/// is inside MPI, or that tests its requests by itself, makes progress without this thread.
class PollPolicy {
 public:
  explicit PollPolicy(std::chrono::nanoseconds interval)
      : interval_(interval), backoff_(interval), silence_(interval) {}

  [[nodiscard]] Step next(const Observation& seen) {
    const bool started = seen.starts != starts_;
    const bool tested = seen.tests != tests_;
    starts_ = seen.starts;
    tests_ = seen.tests;
    const bool is_needed = seen.outstanding || seen.windows;
    if (!is_needed) return seen.short_only ? while_short(seen) : while_idle(seen, started);
    short_rounds_ = 0;
    if (seen.inside) return while_inside();
    inside_rounds_ = 0;
    if (seen.outstanding) return tested ? while_tested() : while_outstanding(seen, started);
    return while_open(seen);
  }

 private:
  static constexpr int idle_rounds = 8;
  /// The kernel passes on up to 64 KiB of segments at once (45 of Ethernet's), and often as much comes in one
  /// interval. So the limit must be clearly less.
  static constexpr std::int64_t bulk_bytes = 32 << 10;
  /// Of a send buffer: the rank has more to send than the buffer takes.
  static constexpr double full = 2.0 / 3;
  static constexpr std::chrono::milliseconds longest_sleep{100};

  /// The call polls by itself; this thread would only compete for its lock.
  Step while_inside() {
    idle_ = 0;
    inside_rounds_ = std::min(inside_rounds_ + 1, 2);
    return {.sleep = {.rest = inside_rounds_ * interval_}};
  }

  Step while_tested() {
    idle_ = 0;
    return {.sleep = {.rest = interval_}};
  }

  Step while_outstanding(const Observation& seen, bool started) {
    idle_ = 0;
    if (started) silence_ = IdlePolling(interval_);
    if (seen.traffic) {
      silence_.traffic_seen();
      const std::chrono::nanoseconds rest = backoff_.next(buffer_use(seen), traffic_of(seen));
      return {.poll = true, .sleep = {.rest = rest, .listen = interval_}};
    }
    backoff_.reset();
    if (seen.sending) {
      silence_.traffic_seen();
      return {.poll = true, .sleep = {.listen = 4 * interval_}};
    }
    silence_.timed_out(false);
    return {.poll = true, .sleep = {.listen = silence_.next()}};
  }

  static Traffic traffic_of(const Observation& seen) {
    const std::int64_t most = std::max(seen.buffered.unread.bytes, seen.buffered.unsent.bytes);
    if (most < bulk_bytes) return Traffic::small;
    return seen.steps || seen.windows ? Traffic::bulk : Traffic::bulk_messages;
  }

  /// The share of a buffer that the last rest used up: of unread data, or of a send buffer that was full.
  static double buffer_use(const Observation& seen) {
    const double sent = seen.left_unsent > full ? 1 - seen.buffered.unsent.share : 0;
    return std::max(seen.buffered.unread.share, sent);
  }

  Step while_open(const Observation& seen) {
    if (seen.traffic) return while_outstanding(seen, false);
    idle_ = std::min(idle_ + 1, idle_rounds);
    backoff_.reset();
    return {.poll = true, .sleep = {.listen = idle_ < 4 ? interval_ : 4 * interval_}};
  }

  Step while_short(const Observation& seen) {
    return {.poll = !seen.inside, .sleep = {.rest = short_rest()}, .until_start = true};
  }

  /// Doubles up to 16 intervals.
  std::chrono::nanoseconds short_rest() {
    short_rounds_ = std::min(short_rounds_ + 1, 5);
    return interval_ * (1 << (short_rounds_ - 1));
  }

  /// Traffic of a call needs no poll, and no wake-up for each of its messages; nor do short messages that
  /// come while the application computes. Longer ones fill the buffers.
  Step while_idle(const Observation& seen, bool started) {
    idle_ = started ? 0 : std::min(idle_ + 1, idle_rounds + 1);
    backoff_.reset();
    const bool long_idle = idle_ > idle_rounds;
    const bool bulk = seen.buffered.unread.bytes >= bulk_bytes;
    const bool is_short = seen.traffic && !bulk;
    std::chrono::nanoseconds rest = is_short ? short_rest() : interval_;
    if (seen.inside && long_idle) rest = longest_sleep;
    const std::chrono::nanoseconds listen =
        long_idle ? std::chrono::nanoseconds(longest_sleep) : interval_ * (1 << std::min(idle_, 3));
    return {.poll = seen.traffic && bulk && !seen.inside,
            .sleep = {.rest = rest, .listen = listen},
            .until_start = long_idle || is_short};
  }

  std::chrono::nanoseconds interval_;
  AdaptiveBackoff backoff_;
  std::int64_t starts_ = 0;
  std::int64_t tests_ = 0;
  int inside_rounds_ = 0;
  int idle_ = 0;
  int short_rounds_ = 0;
  IdlePolling silence_;  // since the last start of a request
};

}  // namespace stretto::progress
