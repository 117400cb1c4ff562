// SPDX-License-Identifier: BSD-3-Clause
// The helper thread of progress `thread`: paced, never spinning. It only looks at the engine when nobody else
// does, and sleeps between.
#pragma once

#include <condition_variable>
#include <mutex>
#include <thread>

#include "rma/engine.hpp"

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
  double pace_s_;
  std::mutex mutex_;
  std::condition_variable wake_;
  bool stop_ = false;
  std::thread thread_;
};

}  // namespace stretto::rma
