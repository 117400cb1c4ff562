// SPDX-License-Identifier: BSD-3-Clause
// The helper thread of progress `thread`: paced, never spinning. It only looks at the engine when nobody else
// does, and sleeps between.
#pragma once

#include <atomic>
#include <chrono>
#include <thread>

#include "rma/engine.hpp"
#include "rma/traffic_watch.hpp"

namespace stretto::rma {

class Helper {
 public:
  Helper(Engine& engine, double pace_s);
  Helper(const Helper&) = delete;
  Helper& operator=(const Helper&) = delete;
  /// Wakes it at once and waits for its end.
  ~Helper();

 private:
  void run();

  Engine& engine_;
  std::chrono::nanoseconds pace_;
  TrafficWatch traffic_;
  std::atomic<bool> stop_{false};
  std::thread thread_;
};

}  // namespace stretto::rma
