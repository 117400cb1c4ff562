// SPDX-License-Identifier: BSD-3-Clause
// The helper thread of progress `thread`: paced, never spinning. It only looks at the engine when nobody else
// does, and sleeps between.
#pragma once

#include <atomic>
#include <chrono>
#include <thread>

#include "rma/engine/engine.hpp"
#include "rma/progress/adaptive_backoff.hpp"
#include "rma/progress/traffic_watch.hpp"

namespace stretto::rma {

class Helper {
 public:
  Helper(Engine& engine, double pace_s);
  Helper(const Helper&) = delete;
  Helper& operator=(const Helper&) = delete;
  /// Wakes it at once and waits for its end.
  ~Helper();

  /// The rank has begun what will take long: the helper should not rest long from what was before.
  void hurry();

 private:
  using Clock = std::chrono::steady_clock;

  void run();
  void rest(std::chrono::nanoseconds duration);

  Engine& engine_;
  std::chrono::nanoseconds pace_;
  Rest rest_;
  TrafficWatch traffic_;
  std::atomic<Clock::time_point> resting_until_{};
  std::atomic<bool> stop_{false};
  std::thread thread_;
};

}  // namespace stretto::rma
