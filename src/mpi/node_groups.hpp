// SPDX-License-Identifier: BSD-3-Clause
// Which ranks of a communicator share a node, by what MPI says of shared memory. Host names would not do:
// they may be equal on two nodes.
#pragma once

#include <mpi.h>

#include <vector>

namespace stretto::mpi {

/// For every rank of the communicator, the lowest rank that it can share memory with. Collective. By PMPI
/// names: the preloaded library of collectives calls it, too.
[[nodiscard]] std::vector<int> nodes_of(MPI_Comm communicator);

}  // namespace stretto::mpi
