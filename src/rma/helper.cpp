// SPDX-License-Identifier: BSD-3-Clause
#include "rma/helper.hpp"

#include <sys/prctl.h>

#include <chrono>

namespace stretto::rma {

Helper::Helper(Engine& engine, double pace_s)
    : engine_(engine), pace_s_(pace_s), thread_([this] { run(); }) {}

Helper::~Helper() {
  {
    const std::lock_guard lock(mutex_);
    stop_ = true;
  }
  wake_.notify_one();
  thread_.join();
}

// The thread inherits the rank's processors, so it stays beside it, and its scheduling class: a lower one
// would let the rank's own work keep it from serving others.
void Helper::run() {
  prctl(PR_SET_TIMERSLACK, 1UL, 0UL, 0UL, 0UL);  // the default lets every sleep last 50 us longer
  const std::chrono::duration<double> pace(pace_s_);
  std::unique_lock lock(mutex_);
  while (!wake_.wait_for(lock, pace, [this] { return stop_; })) {
    lock.unlock();
    engine_.try_progress();
    lock.lock();
  }
}

}  // namespace stretto::rma
