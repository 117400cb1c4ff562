// SPDX-License-Identifier: BSD-3-Clause
#include "measure/stopping.hpp"

#include <gtest/gtest.h>

#include <optional>
#include <stdexcept>

namespace stretto::measure {
namespace {

constexpr StoppingRule rule{.max_noise = 0.05, .min_rounds = 5, .max_rounds = 50, .budget_s = 1.0};

TEST(Stopping, QuietValuesEndByNoiseAfterTheLeastRounds) {
  Stopper stopper(rule, 2);
  for (int round = 0; round < 4; ++round) {
    stopper.add_round({1.0, 2.0});
    EXPECT_FALSE(stopper.decide(0));
  }
  stopper.add_round({1.0, 2.0});
  EXPECT_EQ(stopper.decide(0), StopReason::noise);
}

TEST(Stopping, OneNoisyQuantityKeepsTheCaseGoing) {
  Stopper stopper(rule, 2);
  for (int round = 0; round < 20; ++round) stopper.add_round({1.0, round % 2 == 0 ? 1.0 : 3.0});
  EXPECT_FALSE(stopper.decide(0));
}

TEST(Stopping, NoisyValuesEndByBudgetOrByRounds) {
  Stopper stopper(rule, 1);
  for (int round = 0; round < 49; ++round) stopper.add_round({round % 2 == 0 ? 1.0 : 3.0});
  EXPECT_EQ(stopper.decide(1.0), StopReason::budget);
  EXPECT_FALSE(stopper.decide(0.5));
  stopper.add_round({1.0});
  EXPECT_EQ(stopper.decide(0.5), StopReason::rounds);
}

TEST(Stopping, TheBudgetDoesNotTakeTheLeastRoundsUnlessFarOverspent) {
  Stopper stopper(rule, 1);
  for (int round = 0; round < 3; ++round) stopper.add_round({1.0});
  EXPECT_FALSE(stopper.decide(2.0));
  EXPECT_EQ(stopper.decide(5.0), StopReason::budget);
  stopper.add_round({1.0});
  EXPECT_FALSE(stopper.decide(2.0)) << "one round before the least";
}

/// The decision after values whose median has an interval of twice `half_width`.
std::optional<StopReason> ended_with(double half_width) {
  Stopper stopper(rule, 1);
  for (int round = 0; round < 20; ++round)
    stopper.add_round({1 + (round % 2 == 0 ? half_width : -half_width)});
  return stopper.decide(0);
}

TEST(Stopping, TheNoiseIsTheHalfWidthOfTheInterval) {
  EXPECT_EQ(ended_with(0.04), StopReason::noise);
  EXPECT_FALSE(ended_with(0.06));
}

TEST(Stopping, TheIntervalIsTestedAgainAfterAQuarterMoreRounds) {
  Stopper stopper({.max_noise = 0.05, .min_rounds = 40, .max_rounds = 100, .budget_s = 1.0}, 1);
  for (int round = 0; round < 40; ++round) stopper.add_round({round < 23 ? 1.0 : 3.0});
  EXPECT_FALSE(stopper.decide(0));
  while (stopper.rounds() < 49) {
    stopper.add_round({1.0});
    EXPECT_FALSE(stopper.decide(0)) << stopper.rounds();
  }
  stopper.add_round({1.0});
  EXPECT_EQ(stopper.decide(0), StopReason::noise);
}

TEST(Stopping, ARoundHasOneValueAQuantity) {
  Stopper stopper(rule, 2);
  EXPECT_THROW(stopper.add_round({1.0}), std::invalid_argument);
}

const Figure overlap{.signs = {1, 1, -1}, .least = -0.2, .most = 1.2};

TEST(Stopping, AFigureEndsACaseWhoseQuantitiesAreNoisy) {
  // T_c and T_w are far from precise, but what they add up to is the same in every round.
  const StoppingRule by_figure{.max_noise = 0.01, .min_rounds = 5, .budget_s = 1, .max_error = 0.03};
  Stopper by_quantities({.max_noise = 0.01, .min_rounds = 5, .budget_s = 1}, 3, overlap);
  Stopper by_overlap(by_figure, 3, overlap);
  Stopper without_figure(by_figure, 3);
  for (int round = 0; round < 20; ++round) {
    const double off = round % 2 == 0 ? 0.3 : -0.3;
    for (Stopper* stopper : {&by_quantities, &by_overlap, &without_figure}) {
      stopper->add_round({1 + off, 1.0, 1.2 + off});
    }
  }
  EXPECT_FALSE(by_quantities.decide(0));
  EXPECT_EQ(by_overlap.decide(0), StopReason::noise);
  EXPECT_FALSE(without_figure.decide(0));
}

TEST(Stopping, AFigureThatIsNotPreciseKeepsTheCaseGoing) {
  Stopper stopper({.min_rounds = 5, .max_rounds = 50, .budget_s = 1, .max_error = 0.03}, 3, overlap);
  for (int round = 0; round < 20; ++round) stopper.add_round({1, 1, round % 2 == 0 ? 1.0 : 1.2});
  EXPECT_FALSE(stopper.decide(0));
}

TEST(Stopping, AnImplausibleFigureIsMeasuredOnceMore) {
  for (const double together : {0.7, 2.3}) {  // overlaps of 1.3 and -0.3
    Stopper stopper(rule, 3, overlap);
    for (int round = 0; round < 5; ++round) stopper.add_round({1, 1, together});
    for (int round = 5; round < 10; ++round) {
      EXPECT_FALSE(stopper.decide(9)) << "also when the time is up";
      stopper.add_round({1, 1, together});
    }
    EXPECT_TRUE(stopper.decide(9));
  }
  Stopper plausible(rule, 3, overlap);
  for (int round = 0; round < 5; ++round) plausible.add_round({1, 1, 1.1});
  EXPECT_TRUE(plausible.decide(9));
}

TEST(Stopping, PrecisionIsNoReasonBeforeAllVisits) {
  Stopper stopper(rule, 1);
  for (int round = 0; round < 20; ++round) stopper.add_round({1});
  EXPECT_FALSE(stopper.decide(0, false));
  EXPECT_TRUE(stopper.decide(2, false)) << "the budget is one";
}

TEST(Stopping, AFigureHasASignForEveryQuantity) {
  EXPECT_THROW((void)Stopper(rule, 2, overlap), std::invalid_argument);
}

}  // namespace
}  // namespace stretto::measure
