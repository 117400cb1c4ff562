// SPDX-License-Identifier: BSD-3-Clause
// What a kernel gathers from its ranks after its timed part.
#pragma once

#include <mpi.h>

#include <cstddef>
#include <cstdint>
#include <stretto/plan_timers.hpp>
#include <utility>

#include "kernels/kernel.hpp"
#include "mpi/check.hpp"
#include "mpi/reductions.hpp"

namespace stretto::kernel {

using mpi::largest_over;

/// In place.
inline void sum_over(MPI_Comm communicator, double* values, std::size_t count) {
  mpi::check(MPI_Allreduce(MPI_IN_PLACE, values, static_cast<int>(count), MPI_DOUBLE, MPI_SUM, communicator),
             "MPI_Allreduce");
}

/// Adds the four timers, each the maximum over the ranks, and the messages of all ranks.
inline void add_totals(RunResult& result, const PlanTimers& timers, std::uint64_t messages,
                       MPI_Comm communicator) {
  for (const auto& [name, seconds] :
       {std::pair{"init", timers.init_s}, std::pair{"work", timers.work_s}, std::pair{"sync", timers.sync_s},
        std::pair{"barrier", timers.barrier_s}}) {
    result.timers_s.emplace_back(name, largest_over(communicator, seconds));
  }
  auto all = static_cast<double>(messages);
  sum_over(communicator, &all, 1);
  result.messages = static_cast<std::int64_t>(all);
}

}  // namespace stretto::kernel
