// SPDX-License-Identifier: BSD-3-Clause
// The progress thread takes turns by itself, and ends at once. tests/mpi/onesided_progress_test.cpp tests it
// in a runtime.
#include "progress/thread/progress_thread.hpp"

#include <gtest/gtest.h>
#include <pthread.h>

#include <csignal>

namespace stretto::progress::progress_thread_test {
namespace {

using Clock = std::chrono::steady_clock;
using namespace std::chrono_literals;

/// Waits until `done`; fails after a minute.
template <typename Done>
void wait_until(Done&& done) {
  const auto deadline = Clock::now() + 60s;
  while (!done() && Clock::now() < deadline) std::this_thread::yield();
  EXPECT_TRUE(done());
}

TEST(ProgressThread, TakesTurnsWithoutBeingCalled) {
  std::atomic<int> turns{0};
  ProgressThread thread([&](WakeUp) {
    ++turns;
    return Sleep{.listen = 100us};
  });
  wait_until([&] { return turns >= 10; });
  const ThreadUse use = thread.stop();
  EXPECT_EQ(use.turns, turns);
  EXPECT_GT(use.cpu.count(), 0);
}

TEST(ProgressThread, EndsWithoutWaitingForItsSleep) {
  for (const Sleep& longer_than_any_test : {Sleep{.rest = 24h}, Sleep{.listen = 24h}}) {
    ProgressThread thread([=](WakeUp) { return longer_than_any_test; });
    EXPECT_LE(thread.stop().turns, 1);
  }
}

TEST(ProgressThread, AWakeEndsASleepAndIsReported) {
  for (const Sleep& sleep : {Sleep{.rest = 24h, .listen = 24h}, Sleep{.listen = 24h}}) {
    std::atomic<int> turns{0};
    std::atomic<WakeUp> last{WakeUp::timeout};
    ProgressThread thread([&](WakeUp woken) {
      last = woken;
      ++turns;
      return sleep;
    });
    wait_until([&] { return turns == 1; });
    thread.wake();
    wait_until([&] { return turns == 2; });
    EXPECT_EQ(last.load(), WakeUp::call);
  }
}

TEST(ProgressThread, OnlyALongRestIsShortened) {
  std::atomic<int> turns{0};
  ProgressThread thread([&](WakeUp) {
    ++turns;
    return Sleep{.rest = 24h};
  });
  wait_until([&] { return turns == 1; });
  for (int i = 0; i < 1000; ++i) thread.shorten_rest(48h);
  EXPECT_EQ(turns, 1);
  wait_until([&] {
    thread.shorten_rest(1h);  // again, because the rest begins a moment after the turn
    return turns > 1;
  });
}

TEST(ProgressThread, LeavesSignalsToTheProgram) {
  std::atomic<int> blocked{-1};
  ProgressThread thread([&](WakeUp) {
    sigset_t set;
    pthread_sigmask(SIG_SETMASK, nullptr, &set);
    blocked = sigismember(&set, SIGALRM);
    return Sleep{.listen = 1ms};
  });
  wait_until([&] { return blocked >= 0; });
  EXPECT_EQ(blocked, 1);
  sigset_t own;
  pthread_sigmask(SIG_SETMASK, nullptr, &own);
  EXPECT_EQ(sigismember(&own, SIGALRM), 0);
}

}  // namespace
}  // namespace stretto::progress::progress_thread_test
