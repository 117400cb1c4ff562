// SPDX-License-Identifier: BSD-3-Clause
// What a launcher's environment says of the job before MPI is initialised.
#pragma once

#include <cstdint>

namespace stretto::progress {

enum class LaunchedBy : std::uint8_t { open_mpi, hydra };

/// The number of ranks if the launcher says that all of them are on this host; 0 if they are not, or if it
/// does not say. The launcher is that of the MPI library (Open MPI's mpiexec; Hydra of MPICH and Intel MPI),
/// else Slurm. The variables of another launcher are not read: they may be those of a job that started this
/// one.
[[nodiscard]] int ranks_of_only_host(LaunchedBy launcher);

/// Whether each of `ranks` ranks on this host could run a thread next to its own: there are twice as many
/// cores, and this rank may use more than one. Ranks that are bound may have fewer cores all the same.
[[nodiscard]] bool may_have_spare_cores(int ranks);

}  // namespace stretto::progress
