// SPDX-License-Identifier: BSD-3-Clause
// The main function of a native program that runs as ranks of MPI.
#pragma once

#include <mpi.h>

#include <cstdio>
#include <exception>
#include <stdexcept>

#include "mpi/abort.hpp"

namespace stretto::mpi {

/// Initialises MPI, calls `run()`, and returns its exit status. std::invalid_argument means that all ranks
/// have found the same error before they communicated: rank 0 prints it, and the status is 2. Another
/// exception of a rank ends all ranks with status 1. `name`: of the program. `level`: the thread level that
/// it asks for.
template <typename Run>
int run_program(const char* name, int& argc, char**& argv, int level, const Run& run) {
  int provided = 0;
  MPI_Init_thread(&argc, &argv, level, &provided);
  int rank = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  int status = 1;
  try {
    status = run();
  } catch (const std::invalid_argument& error) {
    if (rank == 0) std::fprintf(stderr, "%s: %s\n", name, error.what());
    status = 2;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "%s: rank %d: %s\n", name, rank, error.what());
    abort_all(MPI_COMM_WORLD, 1);
  }
  MPI_Finalize();
  return status;
}

}  // namespace stretto::mpi
