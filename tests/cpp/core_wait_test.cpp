// SPDX-License-Identifier: BSD-3-Clause
// The time that a thread has waited for a core, as Linux counts it.
#include "trace/core_wait.hpp"

#include <gtest/gtest.h>
#include <sched.h>

#include <atomic>
#include <chrono>
#include <optional>
#include <thread>

namespace stretto::trace {
namespace {

using std::chrono::milliseconds;
using std::chrono::steady_clock;

void compute_for(milliseconds time) {
  const auto end = steady_clock::now() + time;
  while (steady_clock::now() < end) {
  }
}

TEST(CoreWait, IsTheSecondNumberOfALine) {
  EXPECT_EQ(waited_in("1234567 89012 345\n"), 89012U);
  EXPECT_EQ(waited_in("1234567 89012"), 89012U);
}

TEST(CoreWait, OfNoSuchLineIsNotKnown) {
  for (const char* text :
       {"", "12", "12 ", "a 5", "12  5", "12\n5", "0 0 0\n", "99999999999999999999999 5"}) {
    EXPECT_EQ(waited_in(text), std::nullopt) << text;
  }
}

TEST(CoreWait, OfAThreadGrowsWhereAnotherHasItsCore) {
  if (!waited_for_core_ns()) {
    GTEST_SKIP() << "NOT TESTED: this kernel does not count how long threads wait for a core";
  }
  std::uint64_t waited_ns = 0;
  std::thread([&waited_ns] {  // its own, so that only it and what it starts are bound
    cpu_set_t one;
    CPU_ZERO(&one);
    CPU_SET(::sched_getcpu(), &one);
    ASSERT_EQ(::sched_setaffinity(0, sizeof one, &one), 0);
    std::atomic<bool> ended = false;
    std::thread other([&ended] {
      while (!ended) {
      }
    });
    const std::uint64_t before_ns = waited_for_core_ns().value_or(0);
    compute_for(milliseconds{200});
    waited_ns = waited_for_core_ns().value_or(0) - before_ns;
    ended = true;
    other.join();
  })
      .join();
  EXPECT_GT(waited_ns, 50'000'000U);  // about half of the time
}

}  // namespace
}  // namespace stretto::trace
