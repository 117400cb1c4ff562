// SPDX-License-Identifier: BSD-3-Clause
// Flat (one-phase) operations as a table of functions with MPI's signatures: the MPI library's, or the
// reference algorithms. Two-phase operations call them on smaller groups.
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

/// Sets the functions of Algorithm `library`, by default PMPI's. The interposer sets the next tool's
/// functions, so that tools preloaded after it observe the phases.
void set_library_operations(const FlatOperations& operations);

}  // namespace stretto::collective
