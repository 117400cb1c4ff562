// SPDX-License-Identifier: BSD-3-Clause
// The operations in one piece, as a table of functions with MPI's own signatures: the MPI library's, or the
// reference algorithms. Two-phase operations are made of them, on smaller groups.
#pragma once

#include <mpi.h>

#include <stretto/collective_form.hpp>

namespace stretto::collective {

struct FlatOperations {
  decltype(&MPI_Bcast) broadcast;
  decltype(&MPI_Gather) gather;
  decltype(&MPI_Scatter) scatter;
  decltype(&MPI_Reduce) reduce;
  decltype(&MPI_Allreduce) allreduce;
  decltype(&MPI_Allgather) allgather;
  decltype(&MPI_Allgatherv) allgatherv;
  decltype(&MPI_Reduce_scatter_block) reduce_scatter;
  decltype(&MPI_Reduce_scatter) reduce_scatterv;
  decltype(&MPI_Alltoall) alltoall;
};

[[nodiscard]] const FlatOperations& flat_operations(Algorithm algorithm);

/// What `library` means from now on: the interposer puts the next tool's functions here, so that tools behind
/// it see the phases. PMPI's before that.
void set_library_operations(const FlatOperations& operations);

}  // namespace stretto::collective
