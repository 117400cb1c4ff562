// SPDX-License-Identifier: BSD-3-Clause
#include "rma/progress/progress_thread.hpp"

#include <sys/prctl.h>

#include <utility>

#include "rma/progress/time_slice.hpp"

namespace stretto::rma {

ProgressThread::ProgressThread(std::function<PollResult()> poll, double poll_interval_s)
    : poll_(std::move(poll)),
      poll_interval_(static_cast<std::chrono::nanoseconds::rep>(poll_interval_s * 1e9)),
      backoff_(poll_interval_),
      thread_([this] { run(); }) {}

ProgressThread::~ProgressThread() {
  stop_ = true;
  traffic_.stop();
  thread_.join();
}

void ProgressThread::wake() {
  if (backing_off_until_.load(std::memory_order_relaxed) - Clock::now() > poll_interval_ / 2) traffic_.wake();
}

void ProgressThread::back_off(std::chrono::nanoseconds duration) {
  backing_off_until_.store(Clock::now() + duration, std::memory_order_relaxed);
  if (!traffic_.sleep(duration)) return;
  backoff_.reset();
  traffic_.sleep(backoff_.next(0, false));
}

// The thread inherits the rank's processors and its scheduling class. In a lower class, or with a time slice
// as long as the computation's, it would not run while the rank computes. After traffic it sleeps for the
// backoff, however much more comes, because each wake-up costs the processor. Without traffic it waits for
// some, so that a request wakes it.
void ProgressThread::run() {
  prctl(PR_SET_TIMERSLACK, 1UL, 0UL, 0UL, 0UL);  // the default lets every sleep last 50 us longer
  request_short_time_slice();
  IdlePolling idle(poll_interval_);
  while (!stop_) {
    const bool notified = traffic_.wait(idle.next());
    if (stop_) return;
    PollResult found = poll_();
    if (found.unserved) {
      traffic_.sleep(poll_interval_ / 16);
      found = poll_();
    }
    if (notified) {
      idle.traffic_seen();
      const bool empty = !found.progressed && !found.program_bulk;
      back_off(empty ? backoff_.next_after_empty_poll() : backoff_.next(found.buffer_use, found.bulk));
    } else {
      idle.timed_out(found.progressed);
      backoff_.reset();
    }
  }
}

}  // namespace stretto::rma
