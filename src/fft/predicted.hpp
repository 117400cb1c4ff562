// SPDX-License-Identifier: BSD-3-Clause
// Predicts the time of a transform in slabs on a machine of known costs. Executes its steps in virtual time,
// for ranks that all do the same (network/rank_timeline.hpp).
#pragma once

#include <stretto/fft.hpp>

#include "profile/machine_costs.hpp"

namespace stretto::fft {

/// When a message is complete: once it has arrived at its target (a send, or a put that carries its flag), or
/// once its origin knows that (a put and a flush). The cost of a barrier is left out, because it is the same
/// for all schedules.
enum class Completion { arrival, acknowledgement };

/// Seconds of one forward transform with the size, kind, order and schedule of `settings`.
[[nodiscard]] double predicted_s(const Settings& settings, int ranks, const profile::MachineCosts& costs,
                                 Completion completion);

}  // namespace stretto::fft
