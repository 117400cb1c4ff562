// SPDX-License-Identifier: BSD-3-Clause
#include "progress/thread/progress_thread.hpp"

#include <pthread.h>
#include <sys/prctl.h>

#include <csignal>
#include <ctime>
#include <utility>

#include "progress/thread/time_slice.hpp"

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

ProgressThread::ProgressThread(Turn turn) : turn_(std::move(turn)) {
  const SignalsBlocked blocked;
  thread_ = std::thread([this] { run(); });
  pthread_setname_np(thread_.native_handle(), "stretto-poll");  // known as soon as it exists
}

ProgressThread::~ProgressThread() { stop(); }

ThreadUse ProgressThread::stop() {
  if (thread_.joinable()) {
    stop_ = true;
    traffic_.stop();
    thread_.join();
  }
  return use_;
}

void ProgressThread::shorten_rest(std::chrono::nanoseconds longest) {
  if (resting_until_.load(std::memory_order_relaxed) - Clock::now() > longest) wake();
}

WakeUp ProgressThread::sleep(const Sleep& sleep) {
  if (sleep.rest.count() > 0) {
    resting_until_.store(Clock::now() + sleep.rest, std::memory_order_relaxed);
    if (traffic_.sleep(sleep.rest)) return WakeUp::call;
  }
  if (stop_ || sleep.listen.count() == 0) return WakeUp::timeout;
  return traffic_.wait(sleep.listen);
}

// The thread inherits the rank's processors and its scheduling class. In a lower class, or with a time slice
// as long as the computation's, it would not run while the rank computes.
void ProgressThread::run() {
  prctl(PR_SET_TIMERSLACK, 1UL, 0UL, 0UL, 0UL);  // the default lets every sleep last 50 us longer
  request_short_time_slice();
  for (WakeUp woken = WakeUp::timeout; !stop_;) {
    ++use_.turns;
    woken = sleep(turn_(woken));
  }
  use_.cpu = cpu_of_this_thread();
}

}  // namespace stretto::progress
