// SPDX-License-Identifier: BSD-3-Clause
// The ranks of a test run, for tests of every part.
#pragma once

#include <mpi.h>

namespace stretto {

inline int world_rank() {
  int rank = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  return rank;
}

inline int world_size() {
  int size = 0;
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  return size;
}

}  // namespace stretto
