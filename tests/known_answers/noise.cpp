// SPDX-License-Identifier: BSD-3-Clause
#include "known_answers/noise.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <numbers>

namespace stretto::known_answers {
namespace {

constexpr double min_factor = 0.05;

/// The finaliser of SplitMix64 (Steele, Lea, Flood, OOPSLA 2014): each input bit changes half of the
/// output's.
std::uint64_t mixed(std::uint64_t x) {
  x += 0x9e3779b97f4a7c15ULL;
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9ULL;
  x = (x ^ (x >> 27)) * 0x94d049bb133111ebULL;
  return x ^ (x >> 31);
}

/// A uniform number in (0, 1), never 0, because its logarithm is taken.
double uniform(std::uint64_t bits) { return (static_cast<double>(bits >> 11) + 0.5) * 0x1p-53; }

}  // namespace

NoiseFactors noise_factors(double noise, std::uint64_t seed, double deadline_s) {
  if (noise == 0) return {};
  const std::uint64_t key = mixed(mixed(seed) ^ std::bit_cast<std::uint64_t>(deadline_s));
  // Box and Muller (1958): two independent normals from two uniforms.
  const double radius = std::sqrt(-2 * std::log(uniform(mixed(key))));
  const double angle = 2 * std::numbers::pi * uniform(mixed(~key));
  return {.communication = std::max(min_factor, 1 + noise * radius * std::cos(angle)),
          .work = std::max(min_factor, 1 + noise * radius * std::sin(angle))};
}

}  // namespace stretto::known_answers
