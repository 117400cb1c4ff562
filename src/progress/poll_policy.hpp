// SPDX-License-Identifier: BSD-3-Clause
// When the progress thread polls, and how long it sleeps between two polls. Knows no MPI and no clock.
#pragma once

#include <algorithm>
#include <chrono>
#include <cstdint>

#include "rma/progress/adaptive_backoff.hpp"

namespace stretto::progress {

/// What the thread sees when it wakes.
struct Observation {
  bool traffic = false;      ///< something moved on a TCP connection
  bool inside = false;       ///< the application is inside a call that makes progress
  bool outstanding = false;  ///< requests of the application are outstanding
  bool windows = false;      ///< others may access memory of this rank
  std::int64_t starts = 0;   ///< requests started until now
};

/// What the thread does next: poll or not, sleep whatever comes, then sleep until traffic comes.
struct Step {
  bool poll = false;
  std::chrono::nanoseconds rest{0};
  std::chrono::nanoseconds listen{0};
  bool until_start = false;  ///< a request that starts ends `listen`, too
};

/// Polls once per interval while requests are outstanding and the application computes. After traffic the
/// first rests are shorter, for a rendezvous is several short messages. While nothing is outstanding, the
/// sleeps double; after `idle_rounds` of them only a start or traffic ends them.
class PollPolicy {
 public:
  explicit PollPolicy(std::chrono::nanoseconds interval) : interval_(interval), backoff_(interval) {}

  [[nodiscard]] Step next(const Observation& seen) {
    const bool started = seen.starts != starts_;
    starts_ = seen.starts;
    if (seen.inside) return while_inside();
    inside_rounds_ = 0;
    if (seen.outstanding) return while_outstanding(seen.traffic);
    if (seen.windows) return while_open(seen.traffic);
    return while_idle(seen.traffic, started);
  }

 private:
  static constexpr int idle_rounds = 8;
  static constexpr std::chrono::milliseconds longest_sleep{100};

  /// The call polls by itself; this thread would only compete for its lock.
  Step while_inside() {
    idle_ = 0;
    inside_rounds_ = std::min(inside_rounds_ + 1, 2);
    return {.rest = inside_rounds_ * interval_};
  }

  Step while_outstanding(bool traffic) {
    idle_ = 0;
    if (traffic) return {.poll = true, .rest = backoff_.next(0, false), .listen = interval_};
    backoff_.reset();
    return {.poll = true, .listen = interval_};
  }

  Step while_open(bool traffic) {
    if (traffic) {
      idle_ = 0;
      return while_outstanding(true);
    }
    idle_ = std::min(idle_ + 1, idle_rounds);
    backoff_.reset();
    return {.poll = true, .listen = idle_ < 4 ? interval_ : 4 * interval_};
  }

  Step while_idle(bool traffic, bool started) {
    idle_ = started ? 0 : idle_ + 1;
    backoff_.reset();
    if (idle_ <= idle_rounds) {
      return {.poll = traffic, .rest = interval_, .listen = interval_ * (1 << std::min(idle_, 3))};
    }
    idle_ = idle_rounds;
    return {.poll = traffic, .rest = interval_, .listen = longest_sleep, .until_start = true};
  }

  std::chrono::nanoseconds interval_;
  rma::AdaptiveBackoff backoff_;
  std::int64_t starts_ = 0;
  int inside_rounds_ = 0;
  int idle_ = 0;
};

}  // namespace stretto::progress
