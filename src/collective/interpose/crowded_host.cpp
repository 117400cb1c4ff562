// SPDX-License-Identifier: BSD-3-Clause
// MPICH's algorithms over shared memory, on a host that has fewer cores than ranks. They wait for flags
// without giving up the core. On communicators of a part of the host's ranks, such as the groups of a grid,
// each of many steps then takes a time slice of the scheduler: a broadcast of 4 MiB takes seconds. Its other
// algorithms wait inside MPICH's progress, which yields.
#include <mpi.h>

#ifndef OPEN_MPI

#include <sched.h>

#include <array>
#include <cstdlib>

namespace {

int ranks_on_this_host() {
  const char* const text = std::getenv("MPI_LOCALNRANKS");  // Hydra's, before MPI is initialised
  return text == nullptr ? 0 : static_cast<int>(std::strtol(text, nullptr, 10));
}

/// The user's own values take precedence. MPICH reads them as it initialises.
[[gnu::constructor]] void let_groups_yield() {
  cpu_set_t cores;
  CPU_ZERO(&cores);
  if (sched_getaffinity(0, sizeof cores, &cores) != 0 || ranks_on_this_host() <= CPU_COUNT(&cores)) return;
  constexpr std::array variables{
      "MPIR_CVAR_BARRIER_POSIX_INTRA_ALGORITHM", "MPIR_CVAR_BCAST_POSIX_INTRA_ALGORITHM",
      "MPIR_CVAR_REDUCE_POSIX_INTRA_ALGORITHM", "MPIR_CVAR_ALLREDUCE_POSIX_INTRA_ALGORITHM"};
  for (const char* const variable : variables) setenv(variable, "mpir", 0);
}

}  // namespace

#endif
