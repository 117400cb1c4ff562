// SPDX-License-Identifier: BSD-3-Clause
// The progress thread polls by itself, and ends at once. tests/mpi/rma_progress_test.cpp tests it in a
// runtime.
#include "rma/progress/progress_thread.hpp"

#include <gtest/gtest.h>

namespace stretto::rma {
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

TEST(ProgressThread, PollsByItself) {
  std::atomic<int> polls{0};
  ProgressThread thread(
      [&] {
        ++polls;
        return PollResult{};
      },
      1e-4);
  wait_until([&] { return polls >= 10; });
}

TEST(ProgressThread, EndsWithoutWaitingForItsInterval) {
  constexpr double longer_than_any_test_s = 1e5;
  ProgressThread thread([] { return PollResult{}; }, longer_than_any_test_s);
}

}  // namespace
}  // namespace stretto::rma
