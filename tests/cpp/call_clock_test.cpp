// SPDX-License-Identifier: BSD-3-Clause
// The clock of calls is the system's, to within a microsecond.
#include "trace/call_clock.hpp"

#include <gtest/gtest.h>

#include <fstream>
#include <string>

#include "trace/stream.hpp"

namespace stretto::trace {
namespace {

constexpr std::uint64_t max_error_ns = 1000;

/// Reads both clocks for as long as given.
void compare(CallClock& clock, std::uint64_t for_ns) {
  std::uint64_t last_ns = 0;
  for (const std::uint64_t begin_ns = now_ns(); now_ns() - begin_ns < for_ns;) {
    const std::uint64_t before_ns = now_ns();
    const std::uint64_t ns = clock.now_ns();
    const std::uint64_t after_ns = now_ns();
    ASSERT_GE(ns, last_ns);
    ASSERT_GE(ns + max_error_ns, before_ns);
    ASSERT_LE(ns, after_ns + max_error_ns);
    last_ns = ns;
  }
}

#define SKIP_WITHOUT_A_COUNTER()                                                                        \
  if (!CallClock::has_steady_counter())                                                                 \
  GTEST_SKIP() << "THE KERNEL DOES NOT USE THE TIME STAMP COUNTER: the clock that continues it is not " \
                  "tested"

TEST(CallClock, ContinuesTheClockOfTheSystem) {
  SKIP_WITHOUT_A_COUNTER();
  CallClock clock(true);
  compare(clock, 100'000'000);
}

TEST(CallClock, BeginsAgainAfterAPause) {
  SKIP_WITHOUT_A_COUNTER();
  CallClock clock(true);
  for (int pause = 0; pause < 3; ++pause) {
    compare(clock, 12'000'000);
    for (const std::uint64_t begin_ns = now_ns(); now_ns() - begin_ns < 20'000'000;) {
    }
  }
}

TEST(CallClock, WithoutACounterIsThatOfTheSystem) {
  CallClock clock(false);
  for (int reading = 0; reading < 1000; ++reading) {
    const std::uint64_t before_ns = now_ns();
    const std::uint64_t ns = clock.now_ns();
    ASSERT_GE(ns, before_ns);
    ASSERT_LE(ns, now_ns());
  }
}

TEST(CallClock, HasACounterOnlyWhereTheKernelUsesIt) {
  std::ifstream file("/sys/devices/system/clocksource/clocksource0/current_clocksource");
  std::string source;
  file >> source;
  EXPECT_TRUE(source == "tsc" || !CallClock::has_steady_counter());
}

}  // namespace
}  // namespace stretto::trace
