// SPDX-License-Identifier: BSD-3-Clause
// A noisy machine's times have the right median, the requested deviation, and are the same for the same seed.
#include "known_answers/noise.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "known_answers/run.hpp"
#include "measure/timekeeper.hpp"

namespace stretto::known_answers {
namespace {

double mean(const std::vector<double>& values) {
  double sum = 0;
  for (const double value : values) sum += value;
  return sum / static_cast<double>(values.size());
}

double correlation(const std::vector<double>& a, const std::vector<double>& b) {
  const double mean_a = mean(a);
  const double mean_b = mean(b);
  double ab = 0;
  double aa = 0;
  double bb = 0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    ab += (a[i] - mean_a) * (b[i] - mean_b);
    aa += (a[i] - mean_a) * (a[i] - mean_a);
    bb += (b[i] - mean_b) * (b[i] - mean_b);
  }
  return ab / std::sqrt(aa * bb);
}

double median_of(std::vector<double> values) {
  std::nth_element(values.begin(), values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2),
                   values.end());
  return values[values.size() / 2];
}

TEST(VirtualNoise, WithoutNoiseFactorsAreOne) {
  const NoiseFactors factors = noise_factors(0, 7, 1.25);
  EXPECT_EQ(factors.communication, 1);
  EXPECT_EQ(factors.work, 1);
}

TEST(VirtualNoise, IsNormalAndIndependent) {
  std::vector<double> communication;
  std::vector<double> work;
  for (int step = 0; step < 4000; ++step) {
    const NoiseFactors factors = noise_factors(0.05, 3, 1e-3 * step);
    communication.push_back((factors.communication - 1) / 0.05);
    work.push_back((factors.work - 1) / 0.05);
  }
  for (const std::vector<double>& values : {communication, work}) {
    EXPECT_NEAR(mean(values), 0, 4 / std::sqrt(4000.0));
    std::vector<double> squares;
    squares.reserve(values.size());
    for (const double value : values) squares.push_back(value * value);
    EXPECT_NEAR(mean(squares), 1, 4 * std::sqrt(2 / 4000.0));
    const auto beyond =
        std::count_if(values.begin(), values.end(), [](double x) { return std::abs(x) > 1.96; });
    EXPECT_NEAR(static_cast<double>(beyond) / 4000, 0.05, 4 * std::sqrt(0.05 * 0.95 / 4000));
  }
  EXPECT_NEAR(correlation(communication, work), 0, 4 / std::sqrt(4000.0));
  EXPECT_NEAR(correlation({communication.begin() + 1, communication.end()},
                          {communication.begin(), communication.end() - 1}),
              0, 4 / std::sqrt(4000.0));
}

TEST(VirtualNoise, FactorsArePositive) {
  double least = 1;
  for (int step = 0; step < 1000; ++step) least = std::min(least, noise_factors(1, 3, step).communication);
  EXPECT_EQ(least, 0.05);
}

TEST(VirtualNoise, DependsOnSeedAndStep) {
  EXPECT_EQ(noise_factors(0.1, 1, 2).work, noise_factors(0.1, 1, 2).work);
  EXPECT_NE(noise_factors(0.1, 1, 2).work, noise_factors(0.1, 2, 2).work);
  EXPECT_NE(noise_factors(0.1, 1, 2).work, noise_factors(0.1, 1, 3).work);
}

/// Times of one message and of ten, measured by the harness's timekeeper on a machine with 5 % noise.
struct Seen {
  std::vector<double> one_s;
  std::vector<double> ten_s;
};

Seen seen(std::uint64_t seed, int rounds) {
  Seen result;
  const VirtualMachine machine =
      virtual_machine_from(fmt::format("L=5us,o_s=1us,o_r=1us,g=3us,G=1ns,noise=0.05,seed={}", seed));
  run_virtual(machine, 2, [&](VirtualRank& self) {
    self.transport.reserve(8);
    measure::Timekeeper timekeeper(self.team, 0);
    const Transfer transfer{.peer = 1 - self.team.rank(), .size_bytes = 1};
    for (int round = 0; round < rounds; ++round) {
      for (const int messages : {1, 10}) {
        const auto measured = timekeeper.time([&](measure::StepTimer&) {
          for (int i = 0; i < messages; ++i) {
            if (self.team.rank() == 0) self.transport.start(transfer);
            if (self.team.rank() == 1) self.transport.expect(transfer);
          }
          self.transport.finish();
        });
        ASSERT_TRUE(measured.has_value());
        if (self.team.rank() == 0) (messages == 1 ? result.one_s : result.ten_s).push_back(measured->time_s);
      }
    }
  });
  return result;
}

// Medians of independent steps have no bias; nor has their difference, from which g is computed.
TEST(VirtualNoise, DifferenceOfMediansHasNoBias) {
  constexpr int seeds = 400;
  std::vector<double> gaps_s;
  for (int seed = 0; seed < seeds; ++seed) {
    const Seen times = seen(static_cast<std::uint64_t>(seed), 25);
    gaps_s.push_back((median_of(times.ten_s) - median_of(times.one_s)) / 9);
  }
  double square = 0;
  for (const double gap_s : gaps_s) square += (gap_s - mean(gaps_s)) * (gap_s - mean(gaps_s));
  const double error_s = std::sqrt(square / (seeds - 1.0) / seeds);
  EXPECT_NEAR(mean(gaps_s), 3e-6, 4 * error_s);
  EXPECT_LT(error_s, 0.01 * 3e-6) << "else the line before says nothing";
  EXPECT_GT(error_s, 1e-4 * 3e-6) << "no noise at all";
}

TEST(VirtualNoise, HasTheRequestedDeviation) {
  const Seen times = seen(1, 2000);
  double square = 0;
  for (const double time_s : times.one_s) square += std::pow(time_s / 7e-6 - 1, 2);
  EXPECT_NEAR(std::sqrt(square / 2000), 0.05, 0.05 * 4 / std::sqrt(2 * 2000.0));
}

TEST(VirtualNoise, SameSeedSameTimes) {
  EXPECT_EQ(seen(5, 10).one_s, seen(5, 10).one_s);
  EXPECT_NE(seen(5, 10).one_s, seen(6, 10).one_s);
}

}  // namespace
}  // namespace stretto::known_answers
