// SPDX-License-Identifier: BSD-3-Clause
// The installed profile of a machine, as `stretto profile install` writes it (docs/formats.md, "The installed
// profile").
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace stretto::profile {

/// The key of a machine, 16 hexadecimal digits. `hosts`: the host name of each rank, in any order; `library`:
/// as in the header of samples.
[[nodiscard]] std::string key(std::string_view library, std::vector<std::string> hosts,
                              std::string_view network);

/// The cluster and the partition (or type of node) that a job runs on. Empty: not known.
struct Cluster {
  std::string name;
  std::string partition;
};

/// That of STRETTO_CLUSTER (`NAME` or `NAME/PARTITION`), else that of Slurm's job.
[[nodiscard]] Cluster cluster_of_job();

/// The key of a cluster's profile. `ranks_per_node` 0: for any number of them.
[[nodiscard]] std::string cluster_key(std::string_view library, const Cluster& cluster, int ranks_per_node,
                                      std::string_view network);

/// What a profile is installed for: a cluster, or where that has no name, hosts.
struct MachineNames {
  std::string library;
  Cluster cluster;
  int ranks_per_node = 0;  ///< of the cluster; 0: not known
  std::vector<std::string> hosts;
  std::string network;
};

/// The keys of its profile: of its hosts, or of its cluster for its ranks per node and for any number.
[[nodiscard]] std::vector<std::string> keys(const MachineNames& machine);

/// The largest number of ranks on one host. `hosts`: the host name of each rank.
[[nodiscard]] int ranks_per_node(const std::vector<std::string>& hosts);

/// The installed profile of a job, if one exists: that of its cluster with as many ranks per node, that of
/// its cluster, or that of its hosts. `hosts`: the host name of each rank.
[[nodiscard]] std::optional<std::filesystem::path> find_installed(std::string_view library,
                                                                  const std::vector<std::string>& hosts);

/// The path of the profile with that key; empty where neither $XDG_DATA_HOME nor $HOME is set.
[[nodiscard]] std::optional<std::filesystem::path> installed_path(std::string_view key);

/// An MPI's version string as files store it: its first line, with single spaces.
[[nodiscard]] std::string library_line(std::string_view text);

}  // namespace stretto::profile
