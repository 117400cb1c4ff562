// SPDX-License-Identifier: BSD-3-Clause
// cluster: {} has the answer {"name", "partition"}, those of this process's job.
// probe-slices: {} has the answer {"slices"}, between which a probe with progress `poll` polls.
// profile-keys: {"library", "cluster", "partition", "ranks_per_node", "hosts", "network"} has the answer
//   {"keys"}, under which the machine's profile is installed. Without a cluster it is of its hosts.
// progress-thread: {"ranks", "cores", "only_host", "interval"} of a host, and the value of
//   STRETTO_POLL_INTERVAL_S, has the answer {"starts", "interval_s"}: whether libstretto_progress.so starts
//   threads there, and how often they poll.
// progress-variables: {} has the answer {"mpich", "openmpi", "no_thread"}: the variables that the library
//   sets for these MPIs, and how it begins to say why there is no thread.
#include "tools/library_requests.hpp"

#include <array>
#include <chrono>
#include <string>

#include "probe/computation.hpp"
#include "profile/installed.hpp"
#include "progress/thread_rules.hpp"

namespace stretto::tools {
namespace {

using network::Json;
using network::RequestMembers;

constexpr std::int64_t max_ranks = std::int64_t{1} << 30;

Json answer_cluster(const RequestMembers&) {
  const profile::Cluster cluster = profile::cluster_of_job();
  return {{"name", cluster.name}, {"partition", cluster.partition}};
}

Json answer_probe_slices(const RequestMembers&) { return {{"slices", probe::computation_slices}}; }

Json answer_profile_keys(const RequestMembers& request) {
  const profile::MachineNames machine{
      .library = request.text("library"),
      .cluster = {.name = request.text("cluster"), .partition = request.text("partition")},
      .ranks_per_node = static_cast<int>(request.whole("ranks_per_node", 0, max_ranks)),
      .hosts = request.texts("hosts"),
      .network = request.text("network")};
  return {{"keys", profile::keys(machine)}};
}

Json answer_progress_thread(const RequestMembers& request) {
  const progress::HostPlacement host{.ranks = static_cast<int>(request.whole("ranks", 1, max_ranks)),
                                     .cores = static_cast<int>(request.whole("cores", 1, max_ranks)),
                                     .only_host = request.flag_or("only_host", false)};
  const std::string text = request.text("interval");
  const std::chrono::duration<double> interval =
      progress::poll_interval(text).value_or(host.usual_interval());
  return {{"starts", !text.empty() || !host.too_few_cores()}, {"interval_s", interval.count()}};
}

Json answer_progress_variables(const RequestMembers&) {
  Json answer{{"no_thread", progress::no_thread}};
  for (const progress::MpiVariable& one : progress::without_puts) answer[one.family][one.name] = one.value;
  return answer;
}

constexpr std::array kinds{
    network::RequestKind{"cluster", "the cluster of this process's job", &answer_cluster},
    network::RequestKind{"probe-slices", "the slices of a probe's computation", &answer_probe_slices},
    network::RequestKind{"profile-keys", "the keys of a machine's profile", &answer_profile_keys},
    network::RequestKind{"progress-thread", "whether and how often one polls", &answer_progress_thread},
    network::RequestKind{"progress-variables", "what an MPI is told for it", &answer_progress_variables},
};

}  // namespace

std::span<const network::RequestKind> library_kinds() { return kinds; }

}  // namespace stretto::tools
