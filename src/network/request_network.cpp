// SPDX-License-Identifier: BSD-3-Clause
// `network`: the network of a profile's sends, for a replay. Members: `profile` (the document), and
// optionally `eager_bytes`: the replay then does the handshake of larger messages itself, and L is that of
// small messages for all sizes. The answer has `transport` and `progress` of the path (between nodes if the
// profile knows it, without a progress thread if it knows that), `text` (as --loggp takes it), the LogGP
// parameters of small messages, `large_gap_s_per_byte` (G of the largest size), `times` (one message alone,
// [size, seconds], linear between these sizes), `eager_bytes` (null: not measured), `missing` and `assumed`
// as in `path`.
#include <algorithm>
#include <tuple>

#include "network/network.hpp"
#include "network/profile_paths.hpp"
#include "network/requests.hpp"

namespace stretto::network {
namespace {

constexpr std::int64_t longest_message_bytes = std::int64_t{1} << 53;
constexpr std::uint64_t beyond = std::uint64_t{1} << 40;  // the size up to which `times` continue
constexpr std::uint64_t small_bytes = 8;

/// The class of sends to replay, in the profile's order where several are as good; an empty transport where
/// the profile has none.
TransferClass sends_of(const Json& profile) {
  TransferClass best;
  std::tuple<bool, bool> least{true, true};
  for (const char* const list : {"loggp", "transfer_times"}) {
    for (const Json& entry : profile.value(list, Json::array())) {
      if (!entry.is_object() || entry.value("operation", std::string{}) != "send") continue;
      const std::string progress = entry.value("progress", std::string{"none"});
      const std::tuple here{entry.value("locality", std::string{}) != "remote", progress != "none"};
      if (!best.transport.empty() && here >= least) continue;
      best = {
          .transport = entry.value("transport", std::string{}), .operation = "send", .progress = progress};
      least = here;
    }
  }
  return best;
}

/// A replay does the handshake of its larger messages. L of a range contains it, so that of the first stands
/// in for it.
void leave_out_handshake(std::vector<NetworkRange>& ranges) {
  for (NetworkRange& range : ranges) {
    if (!range.measured) range.loggp.latency_s = ranges.front().loggp.latency_s;
  }
}

double whole_s(const PathCosts& costs, std::uint64_t size_bytes) {
  const LogGp loggp = costs.loggp_at(size_bytes);
  return loggp.overhead_send_s + loggp.latency_s + loggp.wire_s(size_bytes) + loggp.overhead_receive_s;
}

/// One message alone at the sizes between which its time is linear.
Json alone_json(const PathCosts& costs) {
  std::vector<std::uint64_t> sizes{0, 1, beyond};
  for (const NetworkRange& range : costs.ranges) {
    if (range.from_bytes > 1) sizes.push_back(range.from_bytes - 1);
    if (range.from_bytes > 1) sizes.push_back(range.from_bytes);
  }
  std::ranges::sort(sizes);
  sizes.erase(std::ranges::unique(sizes).begin(), sizes.end());
  Json times = Json::array();
  for (const std::uint64_t size : sizes) times.push_back({size, whole_s(costs, size)});
  return times;
}

Network network_of(const PathCosts& costs, std::optional<std::uint64_t> eager_bytes) {
  Network network{.ranges = costs.ranges};
  if (network.ranges.front().measured) {  // a network begins with a range
    network.ranges.insert(network.ranges.begin(), {.from_bytes = 0, .loggp = costs.loggp_at(0)});
  }
  if (eager_bytes) network.eager_bytes = *eager_bytes;
  return network;
}

Json answer_of(const PathFigures& figures, const TransferClass& transfers,
               std::optional<std::uint64_t> eager_bytes) {
  PathCosts costs = figures.point_costs({.eager_bytes = eager_bytes});  // a replay has no overlap by size
  if (eager_bytes) leave_out_handshake(costs.ranges);
  Json json = {{"transport", transfers.transport},
               {"progress", transfers.progress},
               {"text", network_text(network_of(costs, eager_bytes))},
               {"large_gap_s_per_byte", costs.ranges.back().loggp.gap_s_per_byte},
               {"times", alone_json(costs)},
               {"eager_bytes", figures.eager_bytes ? Json(*figures.eager_bytes) : Json()},
               {"missing", figures.missing == nullptr ? Json() : Json(figures.missing)},
               {"assumed", figures.assumed}};
  const LogGp small = costs.loggp_at(small_bytes);
  for (const LogGpMember& member : loggp_members) json[member.name] = small.*member.parameter;
  return json;
}

}  // namespace

Json answer_network(const RequestMembers& request) {
  const Json& profile = request.at("profile");
  std::optional<std::uint64_t> eager_bytes;
  if (request.has("eager_bytes")) {
    eager_bytes = static_cast<std::uint64_t>(request.whole("eager_bytes", 0, longest_message_bytes));
  }
  try {
    TransferClass transfers = sends_of(profile);
    if (transfers.transport.empty()) return {{"missing", "send"}};
    transfers.one_way = true;
    PathFigures figures = path_figures(profile, transfers, 2);
    figures.contended_gap_s_per_byte.reset();  // a replay has the other messages itself
    figures.assume_overheads();
    return answer_of(figures, transfers, eager_bytes);
  } catch (const Json::exception& error) {
    request.refuse("profile", error.what());
  }
}

}  // namespace stretto::network
