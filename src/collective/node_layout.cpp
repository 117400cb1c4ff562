// SPDX-License-Identifier: BSD-3-Clause
#include "collective/node_layout.hpp"

#include <algorithm>
#include <cstddef>
#include <numeric>

#include "mpi/check.hpp"
#include "mpi/node_groups.hpp"
#include "network/node_blocks.hpp"

namespace stretto::collective {
namespace {

using mpi::check;

/// The rank in MPI_COMM_WORLD of each rank; MPI_UNDEFINED for one of another world.
std::vector<int> world_ranks(MPI_Comm communicator) {
  MPI_Group world = MPI_GROUP_NULL;
  MPI_Group group = MPI_GROUP_NULL;
  check(PMPI_Comm_group(MPI_COMM_WORLD, &world), "MPI_Comm_group");
  check(PMPI_Comm_group(communicator, &group), "MPI_Comm_group");
  int size = 0;
  check(PMPI_Group_size(group, &size), "MPI_Group_size");
  std::vector<int> own(static_cast<std::size_t>(size));
  std::iota(own.begin(), own.end(), 0);
  std::vector<int> ranks(own.size());
  check(PMPI_Group_translate_ranks(group, size, own.data(), world, ranks.data()),
        "MPI_Group_translate_ranks");
  PMPI_Group_free(&group);
  PMPI_Group_free(&world);
  return ranks;
}

}  // namespace

void NodeLayout::learn(MPI_Comm communicator) {
  const std::vector<int> nodes = mpi::nodes_of(communicator);
  const std::vector<int> ranks = world_ranks(communicator);
  int world_size = 0;
  check(PMPI_Comm_size(MPI_COMM_WORLD, &world_size), "MPI_Comm_size");
  node_of_.assign(static_cast<std::size_t>(world_size), -1);
  for (std::size_t i = 0; i < ranks.size(); ++i) {
    if (ranks[i] != MPI_UNDEFINED) node_of_[static_cast<std::size_t>(ranks[i])] = nodes[i];
  }
}

int NodeLayout::ranks_per_node(MPI_Comm communicator) const {
  std::vector<int> nodes = world_ranks(communicator);
  for (int& one : nodes) one = one == MPI_UNDEFINED ? -1 : node_of_[static_cast<std::size_t>(one)];
  return std::ranges::find(nodes, -1) == nodes.end() ? network::ranks_of_blocks(nodes) : 0;
}

}  // namespace stretto::collective
