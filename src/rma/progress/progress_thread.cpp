// SPDX-License-Identifier: BSD-3-Clause
#include "rma/progress/progress_thread.hpp"

#include <sys/prctl.h>

#include "rma/progress/time_slice.hpp"

namespace stretto::rma {

Helper::Helper(Engine& engine, double pace_s)
    : engine_(engine),
      pace_(static_cast<std::chrono::nanoseconds::rep>(pace_s * 1e9)),
      rest_(pace_),
      thread_([this] { run(); }) {}

Helper::~Helper() {
  stop_ = true;
  traffic_.stop();
  thread_.join();
}

void Helper::hurry() {
  if (resting_until_.load(std::memory_order_relaxed) - Clock::now() > pace_ / 2) traffic_.hurry();
}

void Helper::rest(std::chrono::nanoseconds duration) {
  resting_until_.store(Clock::now() + duration, std::memory_order_relaxed);
  if (!traffic_.rest(duration)) return;
  rest_.begin_anew();
  traffic_.rest(rest_.next(0, false));
}

// The thread inherits the rank's processors, so it stays beside it, and its scheduling class: a lower one
// would let the rank's own work keep it from serving others. So would long turns of that work, where the
// helper's are as long. After traffic it rests, however much more comes: wakes cost what they bring. After
// none it does not, so that a request finds it listening.
void Helper::run() {
  prctl(PR_SET_TIMERSLACK, 1UL, 0UL, 0UL, 0UL);  // the default lets every sleep last 50 us longer
  ask_for_short_slices();
  Listening listening(pace_);
  while (!stop_) {
    const bool came = traffic_.wait(listening.next());
    if (stop_) return;
    Traffic found = engine_.try_progress();
    if (found.left) {
      traffic_.rest(pace_ / 16);
      found = engine_.try_progress();
    }
    if (came) {
      listening.heard();
      rest(found.any || found.taken ? rest_.next(found.filled, found.bulk) : rest_.next_in_vain());
    } else {
      listening.silent(found.any);
      rest_.begin_anew();
    }
  }
}

}  // namespace stretto::rma
