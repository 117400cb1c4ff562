// SPDX-License-Identifier: BSD-3-Clause
#include "replay/call_plan.hpp"

#include <algorithm>

#include "replay/call_kinds.hpp"

namespace stretto::replay {

namespace {

/// The plan of a call by what it moves; none where that does not decide.
std::optional<CallPlan> plan_of_message(const KindTraits& kind) {
  const bool nonblocking = kind.ends == Ends::with_request;
  // MPI_Mprobe returns when the message has arrived. After MPI_Improbe, only the matched receive waits for
  // it.
  if (kind.probing == Probing::probes) return CallPlan{CallKind::matched_probe, nonblocking, {}};
  if (kind.probing == Probing::receives_probed) {
    return CallPlan{nonblocking ? CallKind::free : CallKind::matched_receive, false, {}};
  }
  if (kind.moves == Moves::sends) return CallPlan{CallKind::send, nonblocking, {}};
  if (kind.moves == Moves::receives) return CallPlan{CallKind::receive, nonblocking, {}};
  if (kind.moves == Moves::both) return CallPlan{CallKind::both, nonblocking, {}};
  return {};
}

/// One value for each rank of a communicator.
std::vector<std::uint64_t> by_rank(const std::vector<record::PeerBytes>& counted, std::uint32_t ranks) {
  std::vector<std::uint64_t> bytes(ranks, 0);
  for (const record::PeerBytes& one : counted) {
    if (one.peer < ranks) bytes[one.peer] = one.bytes;
  }
  return bytes;
}

}  // namespace

CallPlan plan_of(const TracedCall& call) {
  const KindTraits& kind = traits_of_kind(call.kind);
  if (call.name == "MPI_Finalize" || call.name == "MPI_Abort") return {CallKind::free, false, {}};
  if (call.kind == "without_message") return {CallKind::computation, false, {}};
  if (const auto plan = plan_of_message(kind)) return *plan;
  if (call.kind.starts_with("pready")) return {CallKind::partition, false, {}};
  if (call.kind == "psend_init") return {CallKind::partitioned, false, {}};
  const std::optional<Collective> collective = collective_named(call.name);
  const bool per_block = call.name.find("_block") != std::string::npos;
  if (collective && kind.ends == Ends::of_later_starts) return {CallKind::free, false, collective, per_block};
  if (collective) return {CallKind::collective, kind.starts(), collective, per_block};
  if (call.kind == "new_comm") return {CallKind::synchronising, false, {}};
  if (const OneSidedCall* found = one_sided_call(call))
    return {.kind = CallKind::one_sided, .one_sided = found};
  // Free are waits, tests, starts, and what has an effect later.
  return {kind.computes ? CallKind::computation : CallKind::free, false, {}};
}

CollectiveCall collective_call(const CallPlan& plan, const record::Record& record,
                               const TracedContext& context, const TraceDefinitions& definitions) {
  const Collective what = *plan.collective;
  const auto ranks = static_cast<std::uint32_t>(context.members.size());
  CollectiveCall call{.what = what, .rank = static_cast<std::uint32_t>(context.rank), .ranks = ranks};
  const auto root = std::ranges::find(context.members, record.peer);
  if (root != context.members.end()) call.root = static_cast<std::uint32_t>(root - context.members.begin());
  const std::uint64_t sent = record::low_field(record.bytes_and_context);
  const std::uint64_t received = record.extra;
  switch (what) {
    case Collective::barrier:
      break;
    case Collective::gather:
    case Collective::gatherv:
      call.bytes = sent != 0 ? sent : received / ranks;
      break;
    case Collective::scatter:
    case Collective::scatterv:
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
  const auto counted = definitions.peer_bytes.find(-std::int64_t{record.tag});
  if (counted != definitions.peer_bytes.end()) {
    call.sent = by_rank(counted->second.sent, ranks);
    call.received = by_rank(counted->second.received, ranks);
  }
  return call;
}

}  // namespace stretto::replay
