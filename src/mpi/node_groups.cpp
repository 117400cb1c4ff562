// SPDX-License-Identifier: BSD-3-Clause
#include "mpi/node_groups.hpp"

#include "mpi/check.hpp"

namespace stretto::mpi {

std::vector<int> nodes_of(MPI_Comm communicator) {
  int lowest = 0;
  int ranks = 0;
  check(PMPI_Comm_rank(communicator, &lowest), "MPI_Comm_rank");
  check(PMPI_Comm_size(communicator, &ranks), "MPI_Comm_size");
  MPI_Comm node = MPI_COMM_NULL;
  check(PMPI_Comm_split_type(communicator, MPI_COMM_TYPE_SHARED, lowest, MPI_INFO_NULL, &node),
        "MPI_Comm_split_type");
  check(PMPI_Bcast(&lowest, 1, MPI_INT, 0, node), "MPI_Bcast");
  check(PMPI_Comm_free(&node), "MPI_Comm_free");
  std::vector<int> nodes(static_cast<std::size_t>(ranks));
  check(PMPI_Allgather(&lowest, 1, MPI_INT, nodes.data(), 1, MPI_INT, communicator), "MPI_Allgather");
  return nodes;
}

}  // namespace stretto::mpi
