// SPDX-License-Identifier: BSD-3-Clause
#include "armci/boundary.hpp"

#include <mpi.h>

#include <cstdio>
#include <cstdlib>

#include "mpi/abort.hpp"

namespace stretto::armci {

void report(const char* function, const char* what) noexcept {
  int initialised = 0;
  int finalized = 0;
  int rank = -1;
  MPI_Initialized(&initialised);
  MPI_Finalized(&finalized);
  if (initialised != 0 && finalized == 0) MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (rank >= 0) {
    std::fprintf(stderr, "armci: rank %d: %s: %s\n", rank, function, what);
  } else {
    std::fprintf(stderr, "armci: %s: %s\n", function, what);
  }
  std::fflush(stderr);
}

void abort_all(int code) noexcept {
  int initialised = 0;
  int finalized = 0;
  MPI_Initialized(&initialised);
  MPI_Finalized(&finalized);
  const int status = code == 0 ? 1 : code;  // 0 would be success to a launcher
  if (initialised != 0 && finalized == 0) mpi::abort_all(MPI_COMM_WORLD, status);
  std::abort();
}

int code_of_current(const char* function) noexcept {
  try {
    throw;
  } catch (const Refused& refused) {
    report(function, refused.what());
    return refused.code();
  } catch (const std::exception& error) {
    report(function, error.what());
  } catch (...) {
    report(function, "an exception of unknown type");
  }
  return FAIL6;
}

}  // namespace stretto::armci
