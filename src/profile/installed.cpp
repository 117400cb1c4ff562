// SPDX-License-Identifier: BSD-3-Clause
#include "profile/installed.hpp"

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <sstream>

namespace stretto::profile {
namespace {

/// The FNV-1a hash (Fowler, Noll, Vo).
std::uint64_t fnv_1a(std::string_view text) {
  std::uint64_t hash = 0xcbf29ce484222325U;
  for (const char one : text) hash = (hash ^ static_cast<unsigned char>(one)) * 0x100000001b3U;
  return hash;
}

std::string hexadecimal(std::uint64_t hash) {
  char digits[17];
  std::snprintf(digits, sizeof digits, "%016llx", static_cast<unsigned long long>(hash));
  return digits;
}

std::string variable(const char* name) {
  const char* const value = std::getenv(name);
  return value != nullptr ? value : "";
}

}  // namespace

std::string key(std::string_view library, std::vector<std::string> hosts, std::string_view network) {
  std::sort(hosts.begin(), hosts.end());
  hosts.erase(std::unique(hosts.begin(), hosts.end()), hosts.end());
  std::string lines(library);
  for (const std::string& host : hosts) lines.append("\n").append(host);
  lines.append("\n").append(network);
  return hexadecimal(fnv_1a(lines));
}

Cluster cluster_of_job() {
  const std::string given = variable("STRETTO_CLUSTER");
  if (given.empty())
    return {.name = variable("SLURM_CLUSTER_NAME"), .partition = variable("SLURM_JOB_PARTITION")};
  const std::size_t slash = given.find('/');
  if (slash == std::string::npos) return {.name = given, .partition = variable("SLURM_JOB_PARTITION")};
  return {.name = given.substr(0, slash), .partition = given.substr(slash + 1)};
}

std::string cluster_key(std::string_view library, const Cluster& cluster, int ranks_per_node,
                        std::string_view network) {
  std::string lines(library);
  lines.append("\ncluster ").append(cluster.name).append("\npartition ").append(cluster.partition);
  lines.append("\nranks per node ").append(std::to_string(ranks_per_node)).append("\n").append(network);
  return hexadecimal(fnv_1a(lines));
}

std::vector<std::string> keys(const MachineNames& machine) {
  if (machine.cluster.name.empty()) return {key(machine.library, machine.hosts, machine.network)};
  const auto for_ranks = [&](int ranks) {
    return cluster_key(machine.library, machine.cluster, ranks, machine.network);
  };
  if (machine.ranks_per_node == 0) return {for_ranks(0)};
  return {for_ranks(machine.ranks_per_node), for_ranks(0)};
}

int ranks_per_node(const std::vector<std::string>& hosts) {
  std::map<std::string, int> counts;
  for (const std::string& host : hosts) ++counts[host];
  int most = 0;
  for (const auto& [host, count] : counts) most = std::max(most, count);
  return most;
}

std::optional<std::filesystem::path> find_installed(std::string_view library,
                                                    const std::vector<std::string>& hosts) {
  std::vector<std::string> found;
  const MachineNames job{
      .library = std::string(library), .cluster = cluster_of_job(), .ranks_per_node = ranks_per_node(hosts)};
  if (!job.cluster.name.empty()) found = keys(job);
  found.push_back(key(library, hosts, ""));
  for (const std::string& one : found) {
    std::error_code error;
    auto path = installed_path(one);
    if (path && std::filesystem::exists(*path, error)) return path;
  }
  return std::nullopt;
}

std::optional<std::filesystem::path> installed_path(std::string_view key) {
  const char* const data = std::getenv("XDG_DATA_HOME");
  const char* const home = std::getenv("HOME");
  std::filesystem::path base;
  if (data != nullptr && data[0] == '/') {
    base = data;
  } else if (home != nullptr && home[0] == '/') {
    base = std::filesystem::path(home) / ".local" / "share";
  } else {
    return std::nullopt;
  }
  return base / "stretto" / "profiles" / std::string(key).append(".json");
}

std::string library_line(std::string_view text) {
  // Open MPI counts the terminating zero as a character of its text.
  constexpr std::string_view ends("\r\n\0", 3);
  std::istringstream words{std::string(text.substr(0, text.find_first_of(ends)))};
  std::string line;
  for (std::string word; words >> word;) line.append(line.empty() ? "" : " ").append(word);
  return line;
}

}  // namespace stretto::profile
