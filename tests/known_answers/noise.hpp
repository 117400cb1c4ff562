// SPDX-License-Identifier: BSD-3-Clause
// The noise of a virtual machine: factors by which measured times differ from the true times.
#pragma once

#include <cstdint>

namespace stretto::known_answers {

/// The factors of the durations within one step.
struct NoiseFactors {
  double communication = 1;
  double work = 1;
};

/// The factors of the step that begins at `deadline_s`: each is 1 + `noise` times a standard normal, at least
/// 0.05. The function is pure, so all ranks that agree on the deadline compute the same factors without
/// communication.
[[nodiscard]] NoiseFactors noise_factors(double noise, std::uint64_t seed, double deadline_s);

}  // namespace stretto::known_answers
