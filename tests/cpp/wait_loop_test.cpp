// SPDX-License-Identifier: BSD-3-Clause
// A wait reports the rank without a reply, and times out, after the times of its limits.
#include "onesided/engine/wait_loop.hpp"

#include <gtest/gtest.h>

#include <chrono>
#include <regex>
#include <stretto/error.hpp>
#include <stretto/wait_check.hpp>
#include <string>
#include <thread>

#include "refusal.hpp"

namespace stretto::onesided {
namespace {

/// A report without its seconds: the machine may be busy.
std::string without_seconds(const std::string& report) {
  return std::regex_replace(report, std::regex("waited [0-9]+ s"), "waited N s");
}

/// Runs an endless wait until it times out or `most` rounds are done; returns its error, or "".
std::string wait_for_ever(const WaitLimits& limits, int target, int most = 1'000'000'000) {
  return stretto::testing::refusal_of<TimeoutError>([&] {
    WaitLoop loop(limits, "a reply", target);
    for (int round = 0; round < most; ++round) loop.end_round(false);
  });
}

TEST(WaitLoop, TimesOutNamingTheRankWithoutReply) {
  const WaitLimits limits{.timeout_s = 0.01, .rank = 3, .context = " (progress poll)"};
  EXPECT_EQ(without_seconds(wait_for_ever(limits, 7)),
            "rank 3 has waited N s for rank 7: a reply (progress poll)");
  EXPECT_EQ(without_seconds(wait_for_ever(limits, -1)),
            "rank 3 has waited N s for all ranks: a reply (progress poll)");
}

TEST(WaitLoop, ReportsOnceAndContinues) {
  constexpr int several_clock_checks = 1000;
  ::testing::internal::CaptureStderr();
  const WaitLimits limits{.report_after_s = 0.01, .rank = 1};
  WaitLoop loop(limits, "a reply", 0);
  loop.end_round(false);
  std::this_thread::sleep_for(std::chrono::milliseconds(20));
  for (int round = 0; round < several_clock_checks; ++round) loop.end_round(false);
  EXPECT_EQ(without_seconds(::testing::internal::GetCapturedStderr()),
            "stretto: rank 1 has waited N s for rank 0: a reply\n");
}

TEST(WaitLoop, EndsWhereTheCheckOfItsThreadSaysSo) {
  int calls = 0;
  check_in_waits([&calls] { return ++calls == 2; });
  EXPECT_EQ(without_seconds(wait_for_ever({.rank = 1}, 0)), "rank 1 has waited N s for rank 0: a reply");
  EXPECT_EQ(calls, 2);
  std::thread other([] { EXPECT_EQ(wait_for_ever({.timeout_s = 0.3}, 0).empty(), false); });
  other.join();
  check_in_waits({});
  const WaitLimits none;
  EXPECT_THROW(
      {
        check_in_waits([] { return true; });
        WaitLoop loop(none, "a reply", 0);
        for (;;) loop.end_round(false);
      },
      InterruptedError);
  check_in_waits({});
  EXPECT_EQ(calls, 2);
}

TEST(WaitLoop, WithoutLimitsDoesNeither) {
  ::testing::internal::CaptureStderr();
  EXPECT_EQ(wait_for_ever({}, 0, 100'000), "");
  EXPECT_EQ(::testing::internal::GetCapturedStderr(), "");
}

}  // namespace
}  // namespace stretto::onesided
