// SPDX-License-Identifier: BSD-3-Clause
// Reductions over the ranks of a kernel after its timed part, by MPI.
#pragma once

#include <mpi.h>

#include <cstddef>
#include <cstdint>
#include <utility>

#include "kernel/kernel.hpp"
#include "mpi/check.hpp"

namespace stretto::kernel {

/// Sums over all ranks, in place; all ranks have the result.
inline void sum_over(MPI_Comm communicator, double* values, std::size_t count) {
  mpi::check(MPI_Allreduce(MPI_IN_PLACE, values, static_cast<int>(count), MPI_DOUBLE, MPI_SUM, communicator),
             "MPI_Allreduce");
}

[[nodiscard]] inline double largest_over(MPI_Comm communicator, double value) {
  mpi::check(MPI_Allreduce(MPI_IN_PLACE, &value, 1, MPI_DOUBLE, MPI_MAX, communicator), "MPI_Allreduce");
  return value;
}

/// Adds the four timers, each the maximum over the ranks, and the messages of all ranks.
template <typename Timers>
void add_totals(RunResult& result, const Timers& timers, std::uint64_t messages, MPI_Comm communicator) {
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
