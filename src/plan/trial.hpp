// SPDX-License-Identifier: BSD-3-Clause
// Timing of a trial run, for choosing a plan. The result is the same on all ranks, so that all choose alike.
#pragma once

#include <mpi.h>

#include <algorithm>
#include <array>
#include <limits>

#include "mpi/reductions.hpp"
#include "plan/platform.hpp"

namespace stretto::plan {

/// The median over several trials of the time of `once()` on its slowest rank, in seconds; on a simulated
/// machine, where each takes as long, of one. The first run includes page faults and does not count. Where it
/// takes three times as long as `enough_s`, it is the only one, and its time the result. Collective.
template <typename Once>
[[nodiscard]] double trial_s(MPI_Comm communicator, Once&& once,
                             double enough_s = std::numeric_limits<double>::infinity()) {
  const auto timed_s = [&] {
    const double began_s = now_s();
    once();
    return mpi::largest_over(communicator, now_s() - began_s);
  };
  const double first_s = timed_s();
  if (!first_run_differs() || first_s >= 3 * enough_s) return first_s;
  std::array<double, 5> times_s{};
  for (double& time_s : times_s) time_s = timed_s();
  std::nth_element(times_s.begin(), times_s.begin() + times_s.size() / 2, times_s.end());
  return times_s[times_s.size() / 2];
}

}  // namespace stretto::plan
