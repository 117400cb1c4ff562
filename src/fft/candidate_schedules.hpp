// SPDX-License-Identifier: BSD-3-Clause
// What a choice of the schedule by measurement or prediction has to choose from.
#pragma once

#include <stretto/fft.hpp>
#include <vector>

namespace stretto::fft {

/// The schedules that differ from each other for these sizes at this number of ranks, packed slabs first.
[[nodiscard]] std::vector<Schedule> candidate_schedules(const Settings& settings, int ranks);

}  // namespace stretto::fft
