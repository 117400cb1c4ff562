// SPDX-License-Identifier: BSD-3-Clause
// How long a transform takes in slabs on a machine of known costs: its steps in virtual time, for
// ranks that all do the same (network/rank_timeline.hpp).
#pragma once

#include <stretto/fft.hpp>

#include "profile/machine_costs.hpp"

namespace stretto::kernel {

/// How messages are completed: a barrier's cost is left out, for all schedules have the same.
enum class Completion { arrival, receive, acknowledgement };

/// Seconds of one forward transform, of which `settings` say size, kind, order and schedule.
[[nodiscard]] double predicted_s(const fft::Settings& settings, int ranks, const profile::MachineCosts& costs,
                                 Completion completion);

}  // namespace stretto::kernel
