// SPDX-License-Identifier: BSD-3-Clause
// The few statistics that a running measurement needs. Published figures come from all samples, later.
#pragma once

#include <cstdint>
#include <span>

namespace stretto::measure {

/// A confidence interval, in the unit of its values.
struct Interval {
  double low = 0;
  double high = 0;
};

// All throw std::invalid_argument when there are no values.

/// Quantile `q` (0 to 1) by linear interpolation between order statistics.
[[nodiscard]] double quantile(std::span<const double> values, double q);
[[nodiscard]] double median(std::span<const double> values);
[[nodiscard]] double interquartile_range(std::span<const double> values);

/// The 95 % percentile-bootstrap interval of the median. Equal values and seeds give equal intervals.
[[nodiscard]] Interval bootstrap_median(std::span<const double> values, std::uint64_t seed,
                                        int resamples = 400);

}  // namespace stretto::measure
