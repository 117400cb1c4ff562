// SPDX-License-Identifier: BSD-3-Clause
// Trials on synthetic programs: what the thread saves is known.
#include "progress/trial.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>

namespace stretto::progress {
namespace {

using namespace std::chrono_literals;

constexpr TrialTimes times{.begin = 1s, .window = 64ms};

/// The rates of a program with `per_ms` requests each millisecond, `slower` times as long without the thread.
Trial::Rates rates_of(double slower, double noise, unsigned seed, double per_ms = 10) {
  std::mt19937 random(seed);
  std::normal_distribution<double> disturbance(1, std::max(noise, 1e-12));
  Trial trial(times);
  double starts = 0;
  for (std::chrono::nanoseconds now = 990ms; !trial.has_ended(now); now += 1ms) {
    trial.observe(now, std::lround(starts), std::lround(starts / 4));
    starts += per_ms * disturbance(random) / (trial.pauses(now) ? slower : 1);
  }
  trial.observe(times.begin + static_cast<int>(Trial::windows) * times.window, std::lround(starts),
                std::lround(starts / 4));
  return trial.rates();
}

TEST(Trial, PausesInAThirdOfItsWindowsAndNotOutside) {
  const Trial trial(times);
  EXPECT_FALSE(trial.pauses(0s));
  EXPECT_FALSE(trial.pauses(1h));
  EXPECT_TRUE(trial.has_ended(1h));
  int pauses = 0;
  for (std::size_t window = 0; window < Trial::windows; ++window) {
    const auto middle = times.begin + static_cast<int>(window) * times.window + times.window / 2;
    EXPECT_EQ(trial.pauses(middle), Trial::pauses_in(window));
    pauses += Trial::pauses_in(window) ? 1 : 0;
  }
  EXPECT_EQ(pauses, static_cast<int>(Trial::windows) / 3);
}

TEST(Trial, SaysWhenItMustBeObservedNext) {
  const Trial trial(times);
  EXPECT_EQ(trial.until_next(400ms), 600ms);
  EXPECT_EQ(trial.until_next(1s), 64ms);
  EXPECT_EQ(trial.until_next(1s + 70ms), 58ms);
}

TEST(Trial, FindsWhatTheThreadSaves) {
  const Saved saved = saved_of(rates_of(1.25, 0.05, 1));
  EXPECT_NEAR(saved.value, 0.2, 0.01);
  EXPECT_LT(saved.low, saved.value);
  EXPECT_GT(saved.low, 0.15);
  EXPECT_LT(saved.high, 0.25);
  EXPECT_EQ(verdict_of(saved), Verdict::gains);
}

TEST(Trial, FindsThatTheThreadSavesNothing) {
  EXPECT_EQ(verdict_of(saved_of(rates_of(1.0, 0.02, 2))), Verdict::gains_nothing);
  EXPECT_EQ(verdict_of(saved_of(rates_of(0.9, 0.02, 3))), Verdict::gains_nothing) << "it costs time";
}

TEST(Trial, NoiseLeavesItUndecided) {
  int decided_wrongly = 0;
  for (unsigned seed = 0; seed < 100; ++seed) {
    // As of a program whose iterations differ by half: one observation a window, not 64.
    std::mt19937 random(seed);
    std::normal_distribution<double> disturbance(1, 0.5);
    Trial::Rates rates{};
    for (std::size_t i = 0; i < Trial::windows; ++i) {
      rates[i] = std::max(disturbance(random), 0.0) / (Trial::pauses_in(i) ? 1.1 : 1);
    }
    rates[Trial::counted] = 1;
    if (verdict_of(saved_of(rates)) == Verdict::gains_nothing) ++decided_wrongly;
  }
  EXPECT_LE(decided_wrongly, 10) << "a thread that saves 10 % must not be switched off by noise";
}

TEST(Trial, FewIterationsSayNothing) {
  const Trial::Rates rates = rates_of(1.25, 0, 1, 0.23);  // 3.7 iterations in a window without pauses
  EXPECT_EQ(rates, Trial::Rates{});
  EXPECT_EQ(verdict_of(saved_of(rates)), Verdict::undecided);
}

TEST(Trial, IsGivenUpAfterAFewWindowsOfLongIterations) {
  constexpr auto iteration = 40ms;  // 1.6 in a window
  Trial trial(times);
  int pauses = 0;
  for (std::chrono::nanoseconds now = 990ms; !trial.has_ended(now); now += 1ms) {
    trial.observe(now, 2 * (now / iteration), now / iteration);
    pauses += trial.pauses(now) ? 1 : 0;
  }
  EXPECT_NEAR(pauses, 64, 1) << "one of the first four windows";
  const Trial::Rates own = trial.rates();
  EXPECT_EQ(own[Trial::gave_up], 1);
  EXPECT_EQ(own[Trial::counted], 0);
  // Another rank saw no difference, because this one did not pause.
  Trial::Rates sums = rates_of(1.0, 0.02, 2);
  ASSERT_EQ(verdict_of(saved_of(sums)), Verdict::gains_nothing);
  for (std::size_t i = 0; i < sums.size(); ++i) sums[i] += own[i];
  EXPECT_EQ(verdict_of(saved_of(sums)), Verdict::undecided);
}

TEST(Trial, OfARankThatStartsNothingLeavesTheVerdictToOthers) {
  Trial trial(times);
  for (std::chrono::nanoseconds now = 990ms; !trial.has_ended(now); now += 1ms) trial.observe(now, 0, 0);
  EXPECT_EQ(trial.rates(), Trial::Rates{});
}

TEST(Trial, AWindowThatTheThreadSleptThroughSpoilsTheTrial) {
  Trial trial(times);
  trial.observe(times.begin, 0, 0);
  trial.observe(times.begin + static_cast<int>(Trial::windows) * times.window, 100'000, 100'000);
  EXPECT_EQ(trial.rates()[Trial::counted], 0);
  EXPECT_EQ(saved_of(trial.rates()).value, 0);
}

TEST(Trial, RatesOfRanksAddUp) {
  Trial::Rates sums = rates_of(1.25, 0.05, 1);
  const Trial::Rates other = rates_of(1.25, 0.05, 2, 200);
  for (std::size_t i = 0; i < sums.size(); ++i) sums[i] += other[i];
  EXPECT_NEAR(saved_of(sums).value, 0.2, 0.01);
}

}  // namespace
}  // namespace stretto::progress
