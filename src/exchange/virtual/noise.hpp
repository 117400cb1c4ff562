// SPDX-License-Identifier: BSD-3-Clause
// How much longer than its truth a measured step takes on a noisy virtual machine.
#pragma once

#include <cstdint>

namespace stretto::exchange {

/// What durations are multiplied by within one step.
struct NoiseFactors {
  double communication = 1;
  double work = 1;
};

/// The factors of the step that begins at `deadline_s`: 1 + `noise` times a standard normal each, at least
/// 0.05. A pure function: all ranks, which agree on the deadline, find the same without a word.
[[nodiscard]] NoiseFactors noise_factors(double noise, std::uint64_t seed, double deadline_s);

}  // namespace stretto::exchange
