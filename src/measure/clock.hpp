// SPDX-License-Identifier: BSD-3-Clause
// The clock of this host, and what it can resolve. CLOCK_MONOTONIC and not MPI_Wtime: the latter has
// another base on each rank under Open MPI.
#pragma once

#include <functional>

namespace stretto::measure {

/// Seconds since an unspecified moment, the same for all processes of a host.
[[nodiscard]] double monotonic_s();

struct ClockQuality {
  double resolution_s = 0;  ///< smallest step seen between two readings that differ
  double overhead_s = 0;    ///< median cost of a reading
};

/// Reads `now` some thousands of times. Both are zero for a clock that does not advance (virtual time).
[[nodiscard]] ClockQuality calibrate(const std::function<double()>& now);

}  // namespace stretto::measure
