// SPDX-License-Identifier: BSD-3-Clause
// Requests: their messages, as far as known in advance, their start and their completion.
#include "replay/rank_writer.hpp"

namespace stretto::replay {

using record::Record;

bool RankWriter::read_ahead() {
  bool has_accesses = false;
  std::optional<std::uint32_t> first_thread;
  TraceReader(file_).for_each([&](std::uint32_t thread, const Record& record) {
    several_threads_ = several_threads_ || (first_thread && *first_thread != thread);
    first_thread = thread;
    const std::uint16_t call = record::high_field(record.begin_and_call);
    if (call == record::produced || call == record::consumed) {
      times_.add(record);
    } else if (call == record::completion && record.count == record::has_source) {
      has_facts_ = true;
      if (Source* source = sources_.slot(record.request))
        *source = {.peer = record.peer, .tag = record.tag, .known = true};
    } else if (call == record::completion && record.count == record::cancelled) {
      has_facts_ = true;
      if (std::uint8_t* cancelled = cancelled_.slot(record.request)) *cancelled = 1;
    } else if (call >= record::first_call) {
      has_accesses = has_accesses || plans_[call - record::first_call].kind == CallKind::one_sided;
    }
  });
  return has_accesses;
}

void RankWriter::complete(Chain& chain, const Record& record) {
  if (!moves_messages()) {
    complete_now(chain, record.request);
    return;
  }
  chain.completions.push_back(record);
}

void RankWriter::write_completions(Chain& chain) {
  // A call that waits for sends, too, moves as a whole, to where its first message is needed.
  constexpr std::uint64_t not_received = never;
  std::uint64_t needed_ns = not_received;
  for (const Record& record : chain.completions) {
    const std::uint8_t* known = known_.find(record.request);
    if (known == nullptr || (*known & known_receive) == 0) continue;
    const std::uint64_t call_ns = record::low_field(record.begin_and_call);
    needed_ns = std::min(needed_ns, events_.needed_ns(record.request, call_ns));
  }
  for (const Record& record : chain.completions) {
    const std::uint64_t ns = record::low_field(record.begin_and_call);
    const std::uint64_t sent_ns = needed_ns == not_received ? ns : needed_ns;
    const std::uint8_t* known = known_.find(record.request);
    // Unknown: a collective, or a message that another thread's block contains later.
    const std::uint8_t may_be = known != nullptr && *known != 0 ? *known : known_send | known_receive;
    if ((may_be & known_send) != 0) events_.await(chain.thread, record.request, true, sent_ns);
    if ((may_be & known_receive) != 0) events_.await(chain.thread, record.request, false, ns);
    if (known != nullptr && *known != 0) continue;
    events_.add(
        {.ns = ns, .thread = chain.thread, .what = ListedEvent::What::complete, .number = record.request});
  }
  chain.completions.clear();
}

void RankWriter::complete_now(Chain& chain, std::uint32_t request) {
  const auto found = pending_.find(request);
  if (found == pending_.end()) return;
  chain.predecessors.insert(chain.predecessors.end(), found->second.begin(), found->second.end());
  pending_.erase(found);
}

void RankWriter::start(Chain& chain, const Record& record) {
  constexpr std::uint32_t send = 0;
  constexpr std::uint32_t collective_started = 2;
  constexpr std::uint32_t partitioned_send = 3;
  const auto made_by = static_cast<std::uint16_t>(record.extra);
  if (record.count == send) {
    message(chain, OperationKind::send, record, record.peer, record.tag, true);
  } else if (record.count == collective_started) {
    if (made_by < record::first_call || made_by - record::first_call >= static_cast<int>(plans_.size()))
      return;
    const CallPlan& plan = plans_[made_by - record::first_call];
    Record called = record;  // as a call's record, where `extra` is the bytes received
    called.extra = record.extra >> 16U;
    if (plan.collective) collective(chain, plan, called, true);
  } else if (record.count == partitioned_send) {
    const TracedContext* context = reader_.context(record::high_field(record.bytes_and_context));
    partitions_[record.request] = {.peer = record.peer,
                                   .tag = record.tag,
                                   .key = context == nullptr ? 0 : context->key,
                                   .bytes = record::low_field(record.bytes_and_context),
                                   .left = static_cast<std::uint32_t>(record.extra >> 16U)};
  } else {
    receive(chain, record, true);
  }
}

void RankWriter::ready(Chain& chain, const Record& record) {
  const auto found = partitions_.find(record.request);
  if (found == partitions_.end() || found->second.left == 0 || --found->second.left > 0) return;
  const Partitions& one = found->second;
  if (one.peer < 0 || static_cast<std::uint32_t>(one.peer) >= reader_.ranks()) return;
  const ScheduleOperation operation = {
      .kind = OperationKind::send, .amount = one.bytes, .peer = static_cast<std::uint32_t>(one.peer)};
  write_message(chain, operation, one.key, one.tag, record, true);
}

}  // namespace stretto::replay
