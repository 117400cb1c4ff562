// SPDX-License-Identifier: BSD-3-Clause
// The node of each rank, learned once, so that a choice for any communicator costs no message.
#pragma once

#include <mpi.h>

#include <vector>

namespace stretto::collective {

class NodeLayout {
 public:
  /// Learns the nodes of the communicator's ranks. Collective.
  void learn(MPI_Comm communicator);

  [[nodiscard]] bool is_known() const { return !node_of_.empty(); }

  /// The consecutive ranks of a communicator that share a node; 0 where they do not lie in blocks, or where
  /// the node of a rank is not known. Local.
  [[nodiscard]] int ranks_per_node(MPI_Comm communicator) const;

 private:
  std::vector<int> node_of_;  ///< by rank of MPI_COMM_WORLD; -1: not known
};

}  // namespace stretto::collective
