// SPDX-License-Identifier: BSD-3-Clause
// The ranks that run next, against a plain list of the ranks' events.
#include "replay/time_windows.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <limits>
#include <random>
#include <set>
#include <vector>

namespace stretto::replay {
namespace {

constexpr double never = std::numeric_limits<double>::infinity();

/// Random events: each event that runs makes further ones, of its own rank at once or later, and of other
/// ranks after one window at the earliest; some lie beyond the calendar's last page.
class RandomEvents {
 public:
  RandomEvents(TimeWindows& windows, double window_s, std::uint64_t seed)
      : windows_(windows), window_s_(window_s), random_(seed) {
    for (std::uint32_t rank = 0; rank < ranks; rank += 1 + seed % 3) add(rank, seed % 2 == 0 ? 0 : after(0));
  }

  [[nodiscard]] double first_s() const {
    double first_s = never;
    for (const std::multiset<double>& times : of_rank_) {
      if (!times.empty()) first_s = std::min(first_s, *times.begin());
    }
    return first_s;
  }
  [[nodiscard]] double first_s(std::uint32_t rank) const {
    return of_rank_[rank].empty() ? never : *of_rank_[rank].begin();
  }

  void run(std::uint32_t rank, double until_s) {
    std::multiset<double>& mine = of_rank_[rank];
    do {
      const double now_s = *mine.begin();
      mine.erase(mine.begin());
      if (left_ == 0) continue;
      --left_;
      if (left_ % 2 == 0) mine.insert(after(now_s));
      const std::uint32_t other = random_() % ranks;
      if (other != rank) add(other, after(now_s) + window_s_);
    } while (!mine.empty() && *mine.begin() < until_s);
    if (!mine.empty()) windows_.put(rank, *mine.begin());
  }

  static constexpr std::uint32_t ranks = 50;

 private:
  void add(std::uint32_t rank, double time_s) {
    of_rank_[rank].insert(time_s);
    windows_.put(rank, time_s);
  }
  double after(double time_s) {
    constexpr std::array<double, 5> scales_s{0, 0, 1, 3, 5000};
    return time_s + scales_s[random_() % scales_s.size()] * std::exponential_distribution<double>(1)(random_);
  }

  TimeWindows& windows_;
  double window_s_;
  std::mt19937_64 random_;
  std::vector<std::multiset<double>> of_rank_ = std::vector<std::multiset<double>>(ranks);
  int left_ = 2000;
};

class RandomWindows : public ::testing::TestWithParam<double> {};

TEST_P(RandomWindows, NoRankRunsBeyondTheEarliestEffectOfAnother) {
  const double window_s = GetParam();
  TimeWindows windows(RandomEvents::ranks);
  for (std::uint64_t seed = 0; seed < 30; ++seed) {
    windows.reset(window_s);
    RandomEvents events(windows, window_s, seed);
    double before_s = 0;
    for (TimeWindows::Window window = windows.next(); !window.ranks.empty(); window = windows.next()) {
      const double first_s = events.first_s();
      ASSERT_GE(first_s, before_s);
      before_s = first_s;
      bool first_runs = false;
      for (const std::uint32_t rank : window.ranks) {
        first_runs = first_runs || events.first_s(rank) == first_s;
        ASSERT_TRUE(events.first_s(rank) == first_s || events.first_s(rank) < window.until_s);
      }
      ASSERT_TRUE(first_runs);
      ASSERT_LE(window.until_s, first_s + window_s);
      for (const std::uint32_t rank : window.ranks) events.run(rank, window.until_s);
    }
    EXPECT_EQ(events.first_s(), never);
  }
}

INSTANTIATE_TEST_SUITE_P(Windows, RandomWindows, ::testing::Values(0.0, 1e-30, 0.01, 1.0, 1e9));

TEST(TimeWindows, ThereAreNoEventsAtFirst) {
  TimeWindows windows(3);
  windows.reset(1);
  EXPECT_TRUE(windows.next().ranks.empty());
}

TEST(TimeWindows, TheEarlierOfTwoTimesCounts) {
  TimeWindows windows(2);
  windows.reset(1);
  windows.put(1, 5000.5);
  windows.put(1, 3.5);
  windows.put(1, 7.5);
  const TimeWindows::Window window = windows.next();
  ASSERT_EQ(window.ranks.size(), 1U);
  EXPECT_EQ(window.ranks[0], 1U);
  EXPECT_NEAR(window.until_s, 4.5, 1e-12);
  EXPECT_TRUE(windows.next().ranks.empty());
}

TEST(TimeWindows, AnEventWithinRoundingOfTheWindowsEndWaitsForTheNext) {
  TimeWindows windows(2);
  windows.reset(1);
  windows.put(0, 2.0);
  windows.put(1, std::nextafter(3.0, 0.0));
  const TimeWindows::Window window = windows.next();
  ASSERT_EQ(window.ranks.size(), 1U);
  EXPECT_EQ(window.ranks[0], 0U);
  EXPECT_EQ(windows.next().ranks.size(), 1U);
}

TEST(TimeWindows, ARankRunsOnceForEachOfItsEvents) {
  TimeWindows windows(1);
  windows.reset(1);
  windows.put(0, 7.5);
  windows.put(0, 3.5);
  EXPECT_NEAR(windows.next().until_s, 4.5, 1e-12);
  windows.put(0, 9.5);
  EXPECT_NEAR(windows.next().until_s, 10.5, 1e-12) << "the event at 7.5 was replaced";
  EXPECT_TRUE(windows.next().ranks.empty());
}

TEST(TimeWindows, RanksWhoseEventsLieWithinOneWindowRunTogether) {
  TimeWindows windows(3);
  windows.reset(1);
  windows.put(0, 2.75);
  windows.put(1, 2.0);
  windows.put(2, 3.5);
  EXPECT_EQ(windows.next().ranks.size(), 2U);
  EXPECT_EQ(windows.next().ranks.size(), 1U);
}

}  // namespace
}  // namespace stretto::replay
