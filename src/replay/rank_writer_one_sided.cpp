// SPDX-License-Identifier: BSD-3-Clause
// Expands one-sided operations into a request and a reply each, of their origin and of their target.
#include "replay/rank_writer.hpp"

namespace stretto::replay {

using record::Record;

namespace {

/// In place of the key of a communicator. Requests and replies of a thread have a tag each.
constexpr std::uint64_t one_sided_key = 0x6465646973656E6FU;
constexpr std::int64_t requests_of(std::uint32_t thread) { return std::int64_t{2} * thread; }
constexpr std::int64_t replies_of(std::uint32_t thread) { return requests_of(thread) + 1; }

}  // namespace

bool RankWriter::is_on_window(const Record& record) const {
  const TracedContext* context = reader_.context(record::high_field(record.bytes_and_context));
  return context != nullptr && context->window;
}

void RankWriter::one_sided(Chain& chain, const CallPlan& plan, const Record& record) {
  if (plan.one_sided->access != Access::none) ++summary_.one_sided;
  if (moves_messages()) {
    postpone_call(chain, plan, record, false);
  } else {
    write_one_sided(chain, plan, record);
  }
}

void RankWriter::write_one_sided(Chain& chain, const CallPlan& plan, const Record& record) {
  const OneSidedCall& call = *plan.one_sided;
  const std::uint16_t window = record::high_field(record.bytes_and_context);
  RemoteAccess access{.thread = chain.thread};
  if (access_of(call, record, reader_.ranks(), access)) {
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
  const TracedContext* context = reader_.context(window);
  if (call.joins && context != nullptr && context->is_expanded()) {
    ++summary_.collectives;
    write_collective(chain, {.collective = Collective::barrier}, record, false);
  }
}

RankWriter::StartedAccess RankWriter::write_access(Chain& chain, const RemoteAccess& access) {
  Operation request{.kind = OperationKind::send,
                    .amount = access.request_bytes,
                    .peer = access.target,
                    .tag = tags_.of(one_sided_key, requests_of(access.thread)),
                    .nic = one_sided_nic};
  const std::uint32_t sent = follow(chain, request, true);
  const std::uint32_t reply = builder_.add({.kind = OperationKind::receive,
                                            .amount = access.reply_bytes,
                                            .peer = access.target,
                                            .tag = tags_.of(one_sided_key, replies_of(access.thread)),
                                            .cpu = background_cpu,
                                            .nic = one_sided_nic});
  builder_.require_start(reply, sent);
  return {sent, reply};
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
    const std::uint32_t request = builder_.add({.kind = OperationKind::receive,
                                                .amount = access.request_bytes,
                                                .peer = access.origin,
                                                .tag = tags_.of(one_sided_key, requests_of(access.thread)),
                                                .cpu = background_cpu,
                                                .nic = one_sided_nic});
    const std::uint32_t reply = builder_.add({.kind = OperationKind::send,
                                              .amount = access.reply_bytes,
                                              .peer = access.origin,
                                              .tag = tags_.of(one_sided_key, replies_of(access.thread)),
                                              .cpu = background_cpu,
                                              .nic = one_sided_nic});
    builder_.require(reply, request);
  }
}

}  // namespace stretto::replay
