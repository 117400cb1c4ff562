// SPDX-License-Identifier: BSD-3-Clause
// How this MPI lets ranks reach each other's memory: found out once, by trying.
#pragma once

#include <mpi.h>

#include <vector>

namespace stretto::rma {

enum class Sharing {
  one_window,   // an allocated window can be asked for a neighbour's memory (MPICH)
  two_windows,  // shared memory a node, and a window created over it (Open MPI refuses to be asked)
  one_process,  // all ranks are threads of one process (SimGrid)
};

struct SharingRules {
  Sharing sharing = Sharing::two_windows;
  bool rma_works = true;  // windows between nodes can be made
};

/// For every rank the lowest rank that shares memory with it; nodes are cut after `node_ranks` ranks where
/// that is not 0. Collective.
[[nodiscard]] std::vector<int> find_nodes(MPI_Comm communicator, int node_ranks);

/// Collective.
[[nodiscard]] SharingRules find_sharing(MPI_Comm communicator, const std::vector<int>& nodes);

/// The communicator of the caller's node. Collective; to be freed.
[[nodiscard]] MPI_Comm split_nodes(MPI_Comm communicator, int node);

}  // namespace stretto::rma
