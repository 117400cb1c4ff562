// SPDX-License-Identifier: BSD-3-Clause
#include "collective/interpose/installed.hpp"

#include <array>
#include <vector>

#include "mpi/check.hpp"
#include "profile/installed.hpp"

namespace stretto::interpose {
namespace {

using mpi::check;

/// The host name of each rank, at rank 0. Collective.
std::vector<std::string> hosts_of(MPI_Comm communicator) {
  using Name = std::array<char, MPI_MAX_PROCESSOR_NAME>;
  Name mine{};
  int length = 0;
  check(PMPI_Get_processor_name(mine.data(), &length), "MPI_Get_processor_name");
  int rank = 0;
  int ranks = 0;
  check(PMPI_Comm_rank(communicator, &rank), "MPI_Comm_rank");
  check(PMPI_Comm_size(communicator, &ranks), "MPI_Comm_size");
  std::vector<Name> all(rank == 0 ? static_cast<std::size_t>(ranks) : 0);
  check(PMPI_Gather(mine.data(), static_cast<int>(sizeof(Name)), MPI_CHAR, all.data(),
                    static_cast<int>(sizeof(Name)), MPI_CHAR, 0, communicator),
        "MPI_Gather");
  std::vector<std::string> hosts;
  hosts.reserve(all.size());
  for (const Name& name : all) hosts.emplace_back(name.data());
  return hosts;
}

}  // namespace

std::string library_line() {
  std::array<char, MPI_MAX_LIBRARY_VERSION_STRING> text{};
  int length = 0;
  check(PMPI_Get_library_version(text.data(), &length), "MPI_Get_library_version");
  return profile::library_line({text.data(), static_cast<std::size_t>(length)});
}

InstalledProfile installed_profile() {
  const std::vector<std::string> hosts = hosts_of(MPI_COMM_WORLD);
  if (hosts.empty()) return {};  // not rank 0
  const std::string library = library_line();
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
