// SPDX-License-Identifier: BSD-3-Clause
#include "onesided/memory/node_sharing.hpp"

#include <algorithm>

#include "mpi/check.hpp"
#include "mpi/communicator.hpp"
#include "mpi/node_groups.hpp"

namespace stretto::onesided {

using mpi::check;

namespace {

#ifndef STRETTO_SIMGRID
bool all_agree(MPI_Comm communicator, bool mine) {
  const int value = mine ? 1 : 0;
  int all = 0;
  check(MPI_Allreduce(&value, &all, 1, MPI_INT, MPI_MIN, communicator), "MPI_Allreduce");
  return all != 0;
}

void ignore_error(MPI_Win* /*window*/, int* /*code*/, ...) {}

/// Errors on the window return to the caller. With the standard ABI of Intel MPI 2021.18, MPI_ERRORS_RETURN
/// ends the program, and a handler of our own does not.
void return_errors(MPI_Win window) {
  MPI_Errhandler handler = MPI_ERRHANDLER_NULL;
  check(MPI_Win_create_errhandler(ignore_error, &handler), "MPI_Win_create_errhandler");
  check(MPI_Win_set_errhandler(window, handler), "MPI_Win_set_errhandler");
  check(MPI_Errhandler_free(&handler), "MPI_Errhandler_free");
}

bool shared_query_works(MPI_Win window, MPI_Comm communicator, const std::vector<int>& nodes) {
  return_errors(window);
  const int rank = mpi::rank_in(communicator);
  bool mine = true;
  for (std::size_t other = 0; other < nodes.size(); ++other) {
    if (nodes[other] != nodes[static_cast<std::size_t>(rank)]) continue;
    MPI_Aint size = 0;
    int unit = 0;
    std::byte* base = nullptr;
    const int code =
        MPI_Win_shared_query(window, static_cast<int>(other), &size, &unit, static_cast<void*>(&base));
    mine = mine && code == MPI_SUCCESS && base != nullptr && size >= 64;
  }
  return all_agree(communicator, mine);
}
#endif

}  // namespace

MPI_Comm split_nodes(MPI_Comm communicator, int node) {
  MPI_Comm part = MPI_COMM_NULL;
  check(MPI_Comm_split(communicator, node, mpi::rank_in(communicator), &part), "MPI_Comm_split");
  check(MPI_Comm_set_errhandler(part, MPI_ERRORS_RETURN), "MPI_Comm_set_errhandler");
  return part;
}

std::vector<int> find_nodes(MPI_Comm communicator, int node_ranks) {
  std::vector<int> nodes = mpi::nodes_of(communicator);
  if (node_ranks <= 0) return nodes;
  const std::vector<int> hosts = nodes;
  std::vector<int> on_host(hosts.size());  // ranks so far, by the host's lowest rank
  std::vector<int> lowest(hosts.size());   // of the node that is being filled
  for (std::size_t rank = 0; rank < hosts.size(); ++rank) {
    const auto host = static_cast<std::size_t>(hosts[rank]);
    if (on_host[host]++ % node_ranks == 0) lowest[host] = static_cast<int>(rank);
    nodes[rank] = lowest[host];
  }
  return nodes;
}

#ifdef STRETTO_SIMGRID
SharingRules detect_sharing(MPI_Comm /*communicator*/, const std::vector<int>& /*nodes*/,
                            const WindowLockFile& /*lock*/) {
  return {.sharing = NodeSharing::one_process};
}
#else
SharingRules detect_sharing(MPI_Comm communicator, const std::vector<int>& nodes,
                            const WindowLockFile& lock) {
  [[maybe_unused]] const WindowCreationLock turn(communicator, lock);
  std::byte* memory = nullptr;
  MPI_Win window = MPI_WIN_NULL;
  const int code = MPI_Win_allocate(64, 1, MPI_INFO_NULL, communicator, static_cast<void*>(&memory), &window);
  if (!all_agree(communicator, code == MPI_SUCCESS)) {
    return {.sharing = NodeSharing::two_windows, .rma_works = false};
  }
  const bool works = shared_query_works(window, communicator, nodes);
  check(MPI_Win_free(&window), "MPI_Win_free");
  return {.sharing = works ? NodeSharing::one_window : NodeSharing::two_windows};
}
#endif

}  // namespace stretto::onesided
