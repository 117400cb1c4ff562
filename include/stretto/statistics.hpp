// SPDX-License-Identifier: BSD-3-Clause
// The few statistics that a running measurement needs. What is published is computed later, from all samples.
#pragma once

#include <cstdint>
#include <span>

namespace stretto::measure {

struct Interval {
  double low = 0;
  double high = 0;
};

/// Quantile `q` (0 to 1) by linear interpolation between order statistics.
/// Throws std::invalid_argument when there are no values.
[[nodiscard]] double quantile(std::span<const double> values, double q);
[[nodiscard]] double median(std::span<const double> values);
[[nodiscard]] double interquartile_range(std::span<const double> values);

/// 95 % percentile-bootstrap interval of the median. Deterministic in `seed`.
/// Throws std::invalid_argument when there are no values.
[[nodiscard]] Interval bootstrap_median(std::span<const double> values, std::uint64_t seed,
                                        int resamples = 400);

}  // namespace stretto::measure
