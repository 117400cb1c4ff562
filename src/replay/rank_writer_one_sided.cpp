// SPDX-License-Identifier: BSD-3-Clause
// Expands one-sided operations into a request and a reply each, of their origin and of their target.
#include <algorithm>

#include "record/rank_runs.hpp"
#include "replay/rank_writer.hpp"

namespace stretto::replay {

using record::Record;

namespace {

/// In place of the key of a communicator. Requests and replies of a thread have a tag each.
constexpr std::uint64_t one_sided_key = 0x6465646973656E6FU;
constexpr std::int64_t requests_of(std::uint32_t thread) { return std::int64_t{2} * thread; }

}  // namespace

bool RankWriter::is_modelled(const OneSidedCall& call, const Record& record) {
  const std::uint16_t window = record::high_field(record.bytes_and_context);
  const TracedContext* context = reader_.context(window);
  if (context == nullptr || !context->window) return false;
  const bool opens = call.epoch == Epoch::post || call.epoch == Epoch::start;
  const std::pair key{window, call.epoch == Epoch::start || call.epoch == Epoch::complete};
  if (opens && record.extra != 0) epochs_.insert(key);
  return call.epoch == Epoch::none || epochs_.contains(key);
}

void RankWriter::one_sided(Chain& chain, const CallPlan& plan, const Record& record) {
  if (moves_messages()) {
    postpone_call(chain, plan, record, false);
  } else {
    write_one_sided(chain, plan, record);
  }
}

void RankWriter::write_one_sided(Chain& chain, const CallPlan& plan, const Record& record) {
  const OneSidedCall& call = *plan.one_sided;
  const std::uint16_t window = record::high_field(record.bytes_and_context);
  const TracedContext* context = reader_.context(window);
  RemoteAccess access{.thread = chain.thread};
  if (access_of(call, record, reader_.ranks(), pads_gets_, access)) {
    if (call.access != Access::none) ++summary_.one_sided;
    const StartedAccess started = write_access(chain, access);
    const Dependence local{call.access == Access::put ? started.request : started.reply, false};
    if (call.locks) {
      chain.predecessors.assign(1, {started.reply, false});
    } else {
      OpenAccesses& open = accesses_[window][record.peer];
      open.local.push_back(local);
      open.remote.push_back({started.reply, false});
    }
    if (record.request != 0) pending_[record.request] = {local};
  }
  if (call.until != Until::anything) await_accesses(chain, window, record.peer, call.until);
  if (call.epoch != Epoch::none) write_epoch(chain, call.epoch, record, context->key);
  if (call.joins && context->is_expanded()) {
    ++summary_.collectives;
    write_collective(chain, {.collective = Collective::barrier}, record, false);
  }
}

ScheduleOperation RankWriter::request_of(const RemoteAccess& access, OperationKind kind, std::uint32_t peer) {
  return {.kind = kind,
          .amount = access.request_bytes,
          .peer = peer,
          .tag = tags_.of(one_sided_key, requests_of(access.thread)),
          .cpu = background_cpu,
          .nic = one_sided_nic};
}

ScheduleOperation RankWriter::reply_of(const RemoteAccess& access, OperationKind kind, std::uint32_t peer) {
  ScheduleOperation reply = request_of(access, kind, peer);
  reply.amount = access.reply_bytes;
  reply.tag = tags_.of(one_sided_key, requests_of(access.thread) + 1);
  return reply;
}

RankWriter::StartedAccess RankWriter::write_access(Chain& chain, const RemoteAccess& access) {
  const std::uint32_t sent = follow(chain, request_of(access, OperationKind::send, access.target), true);
  const std::uint32_t reply = builder_.add(reply_of(access, OperationKind::receive, access.target));
  builder_.require_start(reply, sent);
  return {sent, reply};
}

void RankWriter::write_epoch(Chain& chain, Epoch epoch, const Record& record, std::uint64_t key) {
  const bool accesses = epoch == Epoch::start || epoch == Epoch::complete;
  std::vector<std::int32_t>& partners = partners_[{record::high_field(record.bytes_and_context), accesses}];
  if (epoch == Epoch::start || epoch == Epoch::post) {
    partners.clear();
    const auto found = reader_.definitions().groups.find(record.extra);
    if (found != reader_.definitions().groups.end())
      partners = record::ranks_in(found->second, reader_.ranks());
  } else if (epoch == Epoch::wait && record.count == 0) {
    return;  // MPI_Win_test, and the epoch goes on
  }
  // The exposing rank's MPI_Win_post is received in MPI_Win_start, MPI_Win_complete in MPI_Win_wait.
  const bool sends = epoch == Epoch::post || epoch == Epoch::complete;
  const bool opens = epoch == Epoch::post || epoch == Epoch::start;
  const std::vector<Dependence> before = chain.predecessors;
  std::vector<Dependence> after;
  for (const std::int32_t partner : partners) {
    chain.predecessors = before;
    follow(chain,
           {.kind = sends ? OperationKind::send : OperationKind::receive,
            .peer = static_cast<std::uint32_t>(partner),
            .tag = tags_.of(one_sided_key ^ key, opens ? 0 : 1)},
           sends);
    after.push_back(chain.predecessors.front());
  }
  if (!after.empty()) chain.predecessors = std::move(after);
}

void RankWriter::await_accesses(Chain& chain, std::uint16_t window, std::int32_t target, Until until) {
  const auto await = [&](OpenAccesses& open) {
    const std::vector<Dependence>& ends = until == Until::remote ? open.remote : open.local;
    chain.predecessors.insert(chain.predecessors.end(), ends.begin(), ends.end());
    open.local.clear();
    if (until == Until::remote) open.remote.clear();
  };
  std::map<std::int32_t, OpenAccesses>& targets = accesses_[window];
  if (target >= 0) {
    await(targets[target]);
  } else {
    for (auto& [peer, open] : targets) await(open);
  }
}

void RankWriter::write_remote_accesses(std::span<const RemoteAccess> accesses) {
  for (const RemoteAccess& access : accesses) {
    const std::uint32_t request = builder_.add(request_of(access, OperationKind::receive, access.origin));
    builder_.require(builder_.add(reply_of(access, OperationKind::send, access.origin)), request);
  }
}

}  // namespace stretto::replay
