// SPDX-License-Identifier: BSD-3-Clause
// Reductions of numbers over all ranks; each rank gets the result. Collective.
#pragma once

#include <mpi.h>

#include <cstddef>

#include "mpi/check.hpp"

namespace stretto::mpi {

/// In place.
inline void sum_over(MPI_Comm communicator, double* values, std::size_t count) {
  check(MPI_Allreduce(MPI_IN_PLACE, values, static_cast<int>(count), MPI_DOUBLE, MPI_SUM, communicator),
        "MPI_Allreduce");
}

[[nodiscard]] inline double largest_over(MPI_Comm communicator, double value) {
  check(MPI_Allreduce(MPI_IN_PLACE, &value, 1, MPI_DOUBLE, MPI_MAX, communicator), "MPI_Allreduce");
  return value;
}

}  // namespace stretto::mpi
