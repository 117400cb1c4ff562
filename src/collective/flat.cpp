// SPDX-License-Identifier: BSD-3-Clause
#include "collective/flat.hpp"

#include "collective/reference.hpp"

namespace stretto::collective {
namespace {

FlatOperations& library() {
  static FlatOperations operations{.broadcast = PMPI_Bcast,
                                   .gather = PMPI_Gather,
                                   .scatter = PMPI_Scatter,
                                   .reduce = PMPI_Reduce,
                                   .allreduce = PMPI_Allreduce,
                                   .allgather = PMPI_Allgather,
                                   .allgatherv = PMPI_Allgatherv,
                                   .reduce_scatter = PMPI_Reduce_scatter_block,
                                   .reduce_scatterv = PMPI_Reduce_scatter,
                                   .alltoall = PMPI_Alltoall};
  return operations;
}

// The paper defines six operations; for the others the reference table uses the library's.
FlatOperations reference() {
  FlatOperations operations = library();
  operations.broadcast = reference_broadcast;
  operations.gather = reference_gather;
  operations.scatter = reference_scatter;
  operations.reduce = reference_reduce;
  operations.allreduce = reference_allreduce;
  operations.allgather = reference_allgather;
  return operations;
}

}  // namespace

const FlatOperations& flat_operations(Algorithm algorithm) {
  static const FlatOperations lam_like = reference();
  return algorithm == Algorithm::library ? library() : lam_like;
}

void set_library_operations(const FlatOperations& operations) { library() = operations; }

}  // namespace stretto::collective
