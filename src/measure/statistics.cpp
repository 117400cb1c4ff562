// SPDX-License-Identifier: BSD-3-Clause
#include "measure/statistics.hpp"

#include <algorithm>
#include <cmath>
#include <random>
#include <stdexcept>
#include <vector>

namespace stretto::measure {
namespace {

void require_values(std::span<const double> values) {
  if (values.empty()) throw std::invalid_argument("a statistic of no values");
}

/// Reorders `values`.
double median_in_place(std::vector<double>& values) {
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  if (values.size() % 2 == 1) return *middle;
  return 0.5 * (*middle + *std::max_element(values.begin(), middle));
}

}  // namespace

double quantile(std::span<const double> values, double q) {
  require_values(values);
  std::vector<double> sorted(values.begin(), values.end());
  std::sort(sorted.begin(), sorted.end());
  const double place = std::clamp(q, 0.0, 1.0) * static_cast<double>(sorted.size() - 1);
  const auto below = static_cast<std::size_t>(place);
  const std::size_t above = std::min(below + 1, sorted.size() - 1);
  return std::lerp(sorted[below], sorted[above], place - static_cast<double>(below));
}

double median(std::span<const double> values) {
  require_values(values);
  std::vector<double> copy(values.begin(), values.end());
  return median_in_place(copy);
}

double interquartile_range(std::span<const double> values) {
  return quantile(values, 0.75) - quantile(values, 0.25);
}

Interval bootstrap_median(std::span<const double> values, std::uint64_t seed, int resamples) {
  require_values(values);
  std::mt19937_64 generator(seed);
  std::uniform_int_distribution<std::size_t> pick(0, values.size() - 1);
  std::vector<double> resample(values.size());
  std::vector<double> medians;
  medians.reserve(static_cast<std::size_t>(resamples));
  for (int i = 0; i < resamples; ++i) {
    std::generate(resample.begin(), resample.end(), [&] { return values[pick(generator)]; });
    medians.push_back(median_in_place(resample));
  }
  return {.low = quantile(medians, 0.025), .high = quantile(medians, 0.975)};
}

}  // namespace stretto::measure
