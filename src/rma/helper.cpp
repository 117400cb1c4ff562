// SPDX-License-Identifier: BSD-3-Clause
#include "rma/helper.hpp"

#include <sys/prctl.h>

#include "rma/rest.hpp"

namespace stretto::rma {

Helper::Helper(Engine& engine, double pace_s)
    : engine_(engine),
      pace_(static_cast<std::chrono::nanoseconds::rep>(pace_s * 1e9)),
      thread_([this] { run(); }) {}

Helper::~Helper() {
  stop_ = true;
  traffic_.stop();
  thread_.join();
}

// The thread inherits the rank's processors, so it stays beside it, and its scheduling class: a lower one
// would let the rank's own work keep it from serving others. After traffic it rests, however much more comes:
// wakes cost what they bring. After none it does not, so that a request finds it listening.
void Helper::run() {
  prctl(PR_SET_TIMERSLACK, 1UL, 0UL, 0UL, 0UL);  // the default lets every sleep last 50 us longer
  Rest rest(pace_);
  Listening listening(pace_);
  while (!stop_) {
    const bool came = traffic_.wait(listening.next());
    if (stop_) return;
    const Traffic found = engine_.try_progress();
    if (came) {
      listening.heard();
      traffic_.rest(rest.next(found.filled, found.bulk));
    } else {
      listening.silent(found.any);
      rest.begin_anew();
    }
  }
}

}  // namespace stretto::rma
