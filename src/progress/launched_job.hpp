// SPDX-License-Identifier: BSD-3-Clause
// What a launcher's environment says of the job before MPI is initialised.
#pragma once

namespace stretto::progress {

/// The number of ranks where the launcher says that they are all on this host: Open MPI's mpiexec, Hydra
/// (MPICH, Intel MPI) or Slurm. 0: they are not, or it does not say.
[[nodiscard]] int ranks_of_only_host();

/// Whether each of `ranks` ranks on this host could run a thread next to its own: there are twice as many
/// cores, and this rank may use more than one. Ranks that are bound may have fewer cores all the same.
[[nodiscard]] bool may_have_spare_cores(int ranks);

}  // namespace stretto::progress
