// SPDX-License-Identifier: BSD-3-Clause
// What the ranks of a kernel agree on after its timed part, by MPI's own reductions.
#pragma once

#include <mpi.h>

#include <cstddef>

#include "mpi/check.hpp"

namespace stretto::kernel {

/// The sum over all ranks, in place, on all of them.
inline void sum_over(MPI_Comm communicator, double* values, std::size_t count) {
  mpi::check(MPI_Allreduce(MPI_IN_PLACE, values, static_cast<int>(count), MPI_DOUBLE, MPI_SUM, communicator),
             "MPI_Allreduce");
}

[[nodiscard]] inline double largest_over(MPI_Comm communicator, double value) {
  mpi::check(MPI_Allreduce(MPI_IN_PLACE, &value, 1, MPI_DOUBLE, MPI_MAX, communicator), "MPI_Allreduce");
  return value;
}

}  // namespace stretto::kernel
