// SPDX-License-Identifier: BSD-3-Clause
#include "collective/interpose/installed.hpp"

#include <cstddef>
#include <vector>

#include "mpi/check.hpp"
#include "mpi/library.hpp"
#include "profile/installed.hpp"

namespace stretto::interpose {
namespace {

using mpi::check;

/// The host name of each rank, at rank 0. Collective.
std::vector<std::string> hosts_of(MPI_Comm communicator) {
  constexpr std::size_t name_bytes = MPI_MAX_PROCESSOR_NAME;
  std::string mine = mpi::processor_name();
  mine.resize(name_bytes);
  int rank = 0;
  int ranks = 0;
  check(PMPI_Comm_rank(communicator, &rank), "MPI_Comm_rank");
  check(PMPI_Comm_size(communicator, &ranks), "MPI_Comm_size");
  std::string all(rank == 0 ? static_cast<std::size_t>(ranks) * name_bytes : 0, '\0');
  check(PMPI_Gather(mine.data(), static_cast<int>(name_bytes), MPI_CHAR, all.data(),
                    static_cast<int>(name_bytes), MPI_CHAR, 0, communicator),
        "MPI_Gather");
  std::vector<std::string> hosts;
  for (std::size_t at = 0; at < all.size(); at += name_bytes) hosts.emplace_back(all.data() + at);
  return hosts;
}

}  // namespace

InstalledProfile installed_profile() {
  const std::vector<std::string> hosts = hosts_of(MPI_COMM_WORLD);
  if (hosts.empty()) return {};  // not rank 0
  const std::string library = profile::library_line(mpi::library_version());
  if (const auto path = profile::find_installed(library, hosts))
    return {.path = path->string(), .machine = ""};
  const profile::Cluster cluster = profile::cluster_of_job();
  std::string machine = library + " on ";
  if (cluster.name.empty()) {
    machine += hosts.front();
  } else {
    machine += "cluster " + cluster.name + (cluster.partition.empty() ? "" : "/") + cluster.partition;
  }
  return {.path = "", .machine = machine};
}

}  // namespace stretto::interpose
