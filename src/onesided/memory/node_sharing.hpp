// SPDX-License-Identifier: BSD-3-Clause
// How this MPI lets ranks of one node access each other's memory. It is detected once, by trying.
#pragma once

#include <mpi.h>

#include <vector>

#include "onesided/memory/window_lock.hpp"

namespace stretto::onesided {

enum class NodeSharing {
  one_window,   // MPI_Win_shared_query works on an allocated window (MPICH)
  two_windows,  // a shared window on each node, and a window created over its memory (Open MPI)
  one_process,  // all ranks are threads of one process (SimGrid)
};

struct SharingRules {
  NodeSharing sharing = NodeSharing::two_windows;
  bool rma_works = true;  // MPI supports windows between nodes
};

/// For every rank the lowest rank on its node. Nodes are split after `node_ranks` ranks where that is not 0.
/// Collective.
[[nodiscard]] std::vector<int> find_nodes(MPI_Comm communicator, int node_ranks);

/// Tries to create a window. Collective.
[[nodiscard]] SharingRules detect_sharing(MPI_Comm communicator, const std::vector<int>& nodes,
                                          const WindowLockFile& lock);

/// The communicator of the caller's node. Collective; the caller frees it.
[[nodiscard]] MPI_Comm split_nodes(MPI_Comm communicator, int node);

}  // namespace stretto::onesided
