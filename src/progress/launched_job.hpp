// SPDX-License-Identifier: BSD-3-Clause
// What a launcher's environment says of the job before MPI is initialised.
#pragma once

#include <cstdint>

namespace stretto::progress {

enum class LaunchedBy : std::uint8_t { open_mpi, hydra };

/// The number of ranks where the launcher says that they are all on this host: the one of the MPI library,
/// Open MPI's mpiexec or Hydra (MPICH, Intel MPI), or else Slurm. 0: they are not, or it does not say.
/// Another launcher's variables may be those of a job that started this one.
[[nodiscard]] int ranks_of_only_host(LaunchedBy launcher);

/// Whether each of `ranks` ranks on this host could run a thread next to its own: there are twice as many
/// cores, and this rank may use more than one. Ranks that are bound may have fewer cores all the same.
[[nodiscard]] bool may_have_spare_cores(int ranks);

}  // namespace stretto::progress
