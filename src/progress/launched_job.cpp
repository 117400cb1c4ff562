// SPDX-License-Identifier: BSD-3-Clause
#include "progress/launched_job.hpp"

#include <sched.h>
#include <unistd.h>

#include <cstdlib>

namespace stretto::progress {
namespace {

/// The whole number of a variable of the environment; 0 where it has none.
int number_of(const char* variable) {
  const char* const text = std::getenv(variable);
  return text == nullptr ? 0 : static_cast<int>(std::strtol(text, nullptr, 10));
}

}  // namespace

int ranks_of_only_host(LaunchedBy launcher) {
  const bool is_open_mpi = launcher == LaunchedBy::open_mpi;
  const int ranks = number_of(is_open_mpi ? "OMPI_COMM_WORLD_SIZE" : "PMI_SIZE");
  const int here = number_of(is_open_mpi ? "OMPI_COMM_WORLD_LOCAL_SIZE" : "MPI_LOCALNRANKS");
  if (ranks > 0 && here > 0) return ranks == here ? ranks : 0;
  return number_of("SLURM_STEP_NUM_NODES") == 1 ? number_of("SLURM_STEP_NUM_TASKS") : 0;
}

bool may_have_spare_cores(int ranks) {
  if (sysconf(_SC_NPROCESSORS_ONLN) < 2L * ranks) return false;
  cpu_set_t own;
  CPU_ZERO(&own);
  return sched_getaffinity(0, sizeof own, &own) != 0 || CPU_COUNT(&own) > 1;
}

}  // namespace stretto::progress
