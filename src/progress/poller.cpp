// SPDX-License-Identifier: BSD-3-Clause
#include "progress/poller.hpp"

#include <pthread.h>
#include <sys/prctl.h>

#include <csignal>
#include <ctime>

#include "progress/activity.hpp"
#include "rma/progress/time_slice.hpp"

namespace stretto::progress {
namespace {

/// Blocks all signals while it lives. A thread that starts in that time leaves them to the program's threads.
class SignalsBlocked {
 public:
  SignalsBlocked() {
    sigset_t all;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before_);
  }
  SignalsBlocked(const SignalsBlocked&) = delete;
  SignalsBlocked& operator=(const SignalsBlocked&) = delete;
  ~SignalsBlocked() { pthread_sigmask(SIG_SETMASK, &before_, nullptr); }

 private:
  sigset_t before_{};
};

std::chrono::nanoseconds cpu_of_this_thread() {
  timespec time{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
  return std::chrono::seconds(time.tv_sec) + std::chrono::nanoseconds(time.tv_nsec);
}

}  // namespace

Poller::Poller(std::function<void()> poll, std::chrono::nanoseconds interval)
    : poll_(std::move(poll)), policy_(interval) {
  activity.on_wake([](void* traffic) { static_cast<rma::TrafficWatch*>(traffic)->wake(); }, &traffic_);
  const SignalsBlocked blocked;
  thread_ = std::thread([this] { run(); });
}

Poller::~Poller() { stop(); }

PollCounts Poller::stop() {
  if (thread_.joinable()) {
    activity.on_wake(nullptr, nullptr);
    stop_ = true;
    traffic_.stop();
    thread_.join();
  }
  return counts_;
}

// True where traffic ended the sleep.
bool Poller::sleep(const Step& step) {
  if (step.rest.count() > 0) traffic_.sleep(step.rest);
  if (stop_ || step.listen.count() == 0) return false;
  if (!step.until_start) return traffic_.wait(step.listen);
  const std::int64_t starts = activity.starts();
  activity.set_asleep(true);
  // A start between the observation and the store above woke no thread.
  const bool traffic = activity.starts() == starts && traffic_.wait_or_wake(step.listen);
  activity.set_asleep(false);
  return traffic;
}

void Poller::run() {
  prctl(PR_SET_NAME, "stretto-poll", 0UL, 0UL, 0UL);
  prctl(PR_SET_TIMERSLACK, 1UL, 0UL, 0UL, 0UL);  // the default lengthens every sleep by 50 us
  rma::request_short_time_slice();
  bool traffic = false;
  while (!stop_) {
    const Observation seen{.traffic = traffic,
                           .inside = activity.inside(),
                           .outstanding = activity.outstanding(),
                           .windows = activity.windows(),
                           .starts = activity.starts()};
    const Step step = policy_.next(seen);
    ++counts_.wakes;
    counts_.while_inside += seen.inside ? 1 : 0;
    if (step.poll) {
      ++counts_.polls;
      poll_();
    }
    traffic = sleep(step);
  }
  counts_.cpu = cpu_of_this_thread();
}

}  // namespace stretto::progress
