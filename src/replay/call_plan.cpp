// SPDX-License-Identifier: BSD-3-Clause
#include "replay/call_plan.hpp"

#include <algorithm>
#include <string_view>

namespace stretto::replay {

CallPlan plan_of(const TracedCall& call) {
  const std::string& kind = call.kind;
  if (call.name == "MPI_Finalize" || call.name == "MPI_Abort") return {CallKind::free, false, {}};
  if (kind == "send" || kind == "recv")
    return {kind == "send" ? CallKind::send : CallKind::receive, false, {}};
  if (kind == "isend" || kind == "irecv")
    return {kind == "isend" ? CallKind::send : CallKind::receive, true, {}};
  if (kind == "sendrecv" || kind == "sendrecv_replace") return {CallKind::both, false, {}};
  if (kind == "isendrecv" || kind == "isendrecv_replace") return {CallKind::both, true, {}};
  // MPI_Mprobe returns when the message has arrived. After MPI_Improbe, only the matched receive waits for
  // it.
  if (kind == "mprobe" || kind == "improbe") return {CallKind::matched_probe, kind == "improbe", {}};
  if (kind == "mrecv") return {CallKind::matched_receive, false, {}};
  if (kind == "pready" || kind == "pready_range" || kind == "pready_list")
    return {CallKind::partition, false, {}};
  if (kind == "psend_init") return {CallKind::partitioned, false, {}};
  const std::optional<Collective> collective = collective_named(call.name);
  const bool per_block = call.name.find("_block") != std::string::npos;
  if (collective && kind.ends_with("_init")) return {CallKind::free, false, collective, per_block};
  if (collective) return {CallKind::collective, kind.starts_with("i"), collective, per_block};
  if (kind == "new_comm" || call.name == "MPI_Win_fence") return {CallKind::synchronising, false, {}};
  static constexpr std::string_view computed[] = {"plain",    "one_sided", "synchronise", "synchronise_with",
                                                  "neighbor", "ineighbor"};
  if (std::find(std::begin(computed), std::end(computed), kind) != std::end(computed)) {
    return {CallKind::computation, false, {}};
  }
  return {CallKind::free, false, {}};  // waits, tests, starts, and creation of communicators and windows
}

CollectiveCall collective_call(const CallPlan& plan, const record::Record& record,
                               const TracedContext& context) {
  const Collective what = *plan.collective;
  const auto ranks = static_cast<std::uint32_t>(context.members.size());
  CollectiveCall call{.what = what, .rank = static_cast<std::uint32_t>(context.rank), .ranks = ranks};
  const auto root = std::find(context.members.begin(), context.members.end(), record.peer);
  if (root != context.members.end()) call.root = static_cast<std::uint32_t>(root - context.members.begin());
  const std::uint64_t sent = record::low_field(record.bytes_and_context);
  const std::uint64_t received = record.extra;
  switch (what) {
    case Collective::barrier:
      break;
    case Collective::gather:
      call.bytes = sent != 0 ? sent : received / ranks;
      break;
    case Collective::scatter:
      call.bytes = received != 0 ? received : sent / ranks;
      break;
    case Collective::allgather:
      call.bytes = received / ranks;
      break;
    case Collective::alltoall:
      call.bytes = std::max(sent, received) / ranks;
      break;
    case Collective::reduce_scatter:
      call.bytes = plan.per_block ? sent : sent / ranks;
      break;
    default:
      call.bytes = sent;
  }
  return call;
}

}  // namespace stretto::replay
