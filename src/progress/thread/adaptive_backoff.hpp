// SPDX-License-Identifier: BSD-3-Clause
// How long a progress thread sleeps after traffic, and how long it waits for traffic. Knows no MPI, and no
// clock.
#pragma once

#include <algorithm>
#include <chrono>
#include <cstdint>

namespace stretto::progress {

/// What traffic means for the next poll.
enum class Traffic : std::uint8_t {
  small,          ///< an answer may be among it
  bulk,           ///< data; something waits for its end: the next step of a collective, a reply
  bulk_messages,  ///< data of messages; only the program waits for their end, and then it polls by itself
};

/// The sleep after traffic. It begins at a quarter of the poll interval, because what answers a request is a
/// few short messages back and forth. It doubles while more comes, up to one interval.
///
/// Bulk transfers raise that limit to four intervals, and to eight where they are messages: the program calls
/// nothing, so no one waits for a part of the data, and each wake-up costs the processor. From one interval
/// on the sleep grows by a quarter, so that it stays a small part of the transfer's time: what follows the
/// transfer waits for its end. Only the program waits for the end of messages, so for them the sleep is one
/// interval at least, and doubles. The sleep is halved where the buffers were nearly used up.
///
/// A few empty polls do not lengthen it. Ranks that are about to begin agree on that first, and the progress
/// thread must not sleep long when they begin.
class AdaptiveBackoff {
 public:
  explicit AdaptiveBackoff(std::chrono::nanoseconds poll_interval)
      : poll_interval_(poll_interval), next_(shortest()) {}

  /// The sleep after traffic that used up the share `buffer_use` of the buffers.
  std::chrono::nanoseconds next(double buffer_use, Traffic traffic) {
    empty_polls_ = 0;
    return lengthen(buffer_use, traffic);
  }

  /// The sleep after traffic that brought this poll nothing, and the program no bulk.
  std::chrono::nanoseconds next_after_empty_poll() {
    if (++empty_polls_ <= few_empty_polls) next_ = shortest();
    return lengthen(0, Traffic::small);
  }

  /// After a poll interval without traffic.
  void reset() {
    empty_polls_ = 0;
    next_ = shortest();
  }

 private:
  static constexpr int few_empty_polls = 8;  // they take two poll intervals

  [[nodiscard]] std::chrono::nanoseconds shortest() const { return poll_interval_ / 4; }

  [[nodiscard]] std::chrono::nanoseconds longest(Traffic traffic) const {
    if (traffic == Traffic::small) return poll_interval_;
    return (traffic == Traffic::bulk ? 4 : 8) * poll_interval_;
  }

  [[nodiscard]] std::chrono::nanoseconds longer(std::chrono::nanoseconds than, Traffic traffic) const {
    return traffic == Traffic::bulk && than >= poll_interval_ ? than + than / 4 : 2 * than;
  }

  std::chrono::nanoseconds lengthen(double buffer_use, Traffic traffic) {
    const bool grows = buffer_use <= 0.25;
    if (buffer_use > 0.5) next_ = std::max(next_ / 2, shortest());
    if (grows && traffic == Traffic::bulk_messages) next_ = std::max(next_, poll_interval_);
    const std::chrono::nanoseconds most = longest(traffic);
    const std::chrono::nanoseconds now = std::min(next_, most);
    next_ = grows ? std::min(longer(now, traffic), most) : now;
    return now;
  }

  std::chrono::nanoseconds poll_interval_;
  std::chrono::nanoseconds next_;
  int empty_polls_ = 0;
};

/// The longest wait for traffic: one poll interval. It becomes four after four intervals without traffic,
/// where the traffic watch has reported more of the traffic than polls found by themselves. A request then
/// wakes the thread anyway, and an idle thread costs next to nothing.
class IdlePolling {
 public:
  explicit IdlePolling(std::chrono::nanoseconds poll_interval) : poll_interval_(poll_interval) {}

  [[nodiscard]] std::chrono::nanoseconds next() const {
    return silent_intervals_ >= long_silence && notified_ > unnotified_ ? 4 * poll_interval_ : poll_interval_;
  }

  /// The wait ended with traffic, or with data under way, of which the watch will report the answer.
  void traffic_seen() {
    ++notified_;
    silent_intervals_ = 0;
  }

  /// The wait ended without traffic; `found`: the poll found something all the same.
  void timed_out(bool found) {
    unnotified_ += found ? 1 : 0;
    silent_intervals_ = found ? 0 : silent_intervals_ + 1;
  }

 private:
  static constexpr std::int64_t long_silence = 4;

  std::chrono::nanoseconds poll_interval_;
  std::int64_t notified_ = 0;
  std::int64_t unnotified_ = 0;
  std::int64_t silent_intervals_ = 0;
};

}  // namespace stretto::progress
