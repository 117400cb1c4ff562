// SPDX-License-Identifier: BSD-3-Clause
// A reduction of a number over all ranks; each rank gets the result. Collective.
#pragma once

#include <mpi.h>

#include "mpi/check.hpp"

namespace stretto::mpi {

[[nodiscard]] inline double largest_over(MPI_Comm communicator, double value) {
  check(MPI_Allreduce(MPI_IN_PLACE, &value, 1, MPI_DOUBLE, MPI_MAX, communicator), "MPI_Allreduce");
  return value;
}

}  // namespace stretto::mpi
