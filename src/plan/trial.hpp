// SPDX-License-Identifier: BSD-3-Clause
// Timing of a trial run, for choosing a plan. The result is the same on all ranks, so that all choose alike.
#pragma once

#include <mpi.h>

#include <algorithm>
#include <vector>

#include "mpi/reductions.hpp"
#include "plan/platform.hpp"

namespace stretto::plan {

/// The median over several trials of the time of `once()` on its slowest rank, in seconds. Collective.
template <typename Once>
[[nodiscard]] double trial_s(MPI_Comm communicator, Once&& once) {
  constexpr int trials = 5;
  std::vector<double> times_s;
  for (int trial = 0; trial <= trials; ++trial) {
    const double began_s = now_s();
    once();
    const double took_s = mpi::largest_over(communicator, now_s() - began_s);
    if (trial > 0) times_s.push_back(took_s);  // the first trial includes page faults
  }
  std::nth_element(times_s.begin(), times_s.begin() + trials / 2, times_s.end());
  return times_s[trials / 2];
}

}  // namespace stretto::plan
