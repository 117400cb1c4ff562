// SPDX-License-Identifier: BSD-3-Clause
#include "replay/rank_writer.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace stretto::replay {

using record::Record;

namespace {

constexpr std::size_t records_at_a_time = 128;

}  // namespace

RankWriter::RankWriter(const std::filesystem::path& file, std::uint32_t rank, std::size_t ranks,
                       const TraceOptions& options, Tags& tags, OperationSink& builder, TraceSummary& summary)
    : file_(file),
      reader_(file),
      options_(options),
      tags_(tags),
      builder_(builder),
      summary_(summary),
      sources_(reader_.max_records()),
      cancelled_(reader_.max_records()),
      times_(reader_.max_records()),
      events_(options.level, times_),
      known_(reader_.max_records()),
      pads_gets_(options.by_ranks && pads_gets(reader_)) {
  if (reader_.rank() != rank) throw TraceError(file.string() + ": is of another rank than its name says");
  if (reader_.ranks() != ranks) {
    throw TraceError(file.string() + ": is of " + std::to_string(reader_.ranks()) + " ranks, and there are " +
                     std::to_string(ranks) + "; record it again, all ranks into one directory");
  }
  for (const TracedCall& call : reader_.calls()) plans_.push_back(plan_of(call));
}

void RankWriter::write(std::span<const RemoteAccess> accesses) {
  summary_.incomplete += reader_.ends_early() ? 1 : 0;
  reader_.for_each([this](std::uint32_t thread, const Record& record) { add_record(thread, record); });
  for (auto& [thread, chain] : chains_) write_completions(chain);
  if (moves_messages()) write_events();
  write_remote_accesses(accesses);
  summary_.produced += times_.messages_produced();
  summary_.consumed += times_.messages_consumed();
  const double span_s = 1e-9 * static_cast<double>(last_ns_ - std::min(first_ns_, last_ns_));
  summary_.span_s = std::max(summary_.span_s, span_s);
  summary_.all_ranks_s += span_s;
  summary_.compute_s = std::max(summary_.compute_s, 1e-9 * static_cast<double>(computed_ns_));
}

/// What belongs to a call follows it: a sendrecv's receive waits for what its send waits for.
bool RankWriter::write_some(std::uint32_t least) {
  const std::uint32_t until = written_ + least;
  const std::optional<std::uint32_t> before = last();
  while (true) {
    if (at_ == piece_.records.size()) {
      at_ = 0;
      const bool is_more = reader_.next(piece_, records_at_a_time);
      reader_.close();
      if (!is_more) return piece_.records = {}, false;
    }
    const bool is_call = record::high_field(piece_.records[at_].begin_and_call) >= record::first_call;
    if (is_call && written_ >= until && last() != before) return true;
    add_record(piece_.thread, piece_.records[at_++]);
  }
}

std::optional<std::uint32_t> RankWriter::last() const {
  std::optional<std::uint32_t> found;
  if (chains_.empty()) return found;
  for (const Dependence& one : chains_.begin()->second.predecessors)
    found = std::max(found.value_or(0), one.operation);
  return found;
}

std::uint32_t RankWriter::oldest_open() const {
  std::uint32_t oldest = written_;
  const auto take = [&](const std::vector<Dependence>& all) {
    for (const Dependence& one : all) oldest = std::min(oldest, one.operation);
  };
  for (const auto& [thread, chain] : chains_) {
    take(chain.predecessors);
    take(chain.before_half);
  }
  for (const auto& [request, operations] : pending_) take(operations);
  return oldest;
}

bool RankWriter::is_from_anybody(const Record& record) {
  return record.peer == record::any_peer || record.tag == record::any_tag;
}

void RankWriter::add_record(std::uint32_t thread, const Record& record) {
  ++summary_.records;
  const std::uint16_t call = record::high_field(record.begin_and_call);
  Chain& chain = chain_of(thread);
  if (call != record::completion && call != record::produced && call != record::consumed) {
    write_completions(chain);
  }
  if (call == record::completion) {
    complete(chain, record);
  } else if (call == record::receive_half) {
    second_half(chain, record);
  } else if (call == record::started) {
    start(chain, record);
  } else if (call >= record::first_call) {
    add_call(chain, record, call);
  }
}

RankWriter::Chain& RankWriter::chain_of(std::uint32_t thread) {
  const auto [found, is_new] = chains_.try_emplace(thread);
  if (is_new) {
    found->second.thread = thread;
    found->second.cpu =
        static_cast<std::uint16_t>(std::min<std::size_t>(chains_.size() - 1, background_cpu - 2));
  }
  return found->second;
}

void RankWriter::add_call(Chain& chain, const Record& record, std::uint16_t call) {
  const CallPlan& plan = plans_[call - record::first_call];
  const std::uint64_t begin_ns = record::begin_ns(record);
  const std::uint64_t end_ns = record::end_ns(record);
  if (!chain.began) {
    chain.began = true;
    if (first_ns_ == never) {  // this is MPI_Init: the time of a rank begins after it
      first_ns_ = last_ns_ = chain.end_ns = end_ns;
      chain.computed.called(begin_ns, end_ns);
      return;
    }
    fork(chain, begin_ns);
  }
  // The end of MPI, like its begin, is no part of the program's time.
  last_ns_ = std::max(last_ns_, reader_.call(call).name == "MPI_Finalize" ? begin_ns : end_ns);
  if (plan.kind == CallKind::computation || is_between_groups(plan, record) ||
      (plan.kind == CallKind::one_sided && !is_modelled(*plan.one_sided, record))) {
    ++summary_.as_computation[reader_.call(call).name];
    return;
  }
  compute(chain, begin_ns);
  if (moves_messages()) chain.computed.called(begin_ns, end_ns);
  chain.end_ns = std::max(chain.end_ns, end_ns);
  act(chain, plan, record);
  if (several_threads_ && chain.cpu == 0 && (moves_messages() || !chain.predecessors.empty())) {
    passed_.push_back({chain.end_ns, chain.predecessors.empty() ? std::nullopt
                                                                : std::optional(chain.predecessors.front())});
  }
}

void RankWriter::fork(Chain& chain, std::uint64_t begin_ns) {
  chain.end_ns = first_ns_;
  const auto later = std::ranges::upper_bound(passed_, begin_ns, {}, &Passed::end_ns);
  if (later != passed_.begin()) {
    chain.end_ns = std::prev(later)->end_ns;
    const std::optional<Dependence>& predecessor = std::prev(later)->predecessor;
    if (predecessor) chain.predecessors.push_back(*predecessor);
  }
  if (!moves_messages()) return;
  chain.computed.called(chain.end_ns, chain.end_ns);
  events_.add({.ns = chain.end_ns, .thread = chain.thread, .what = ListedEvent::What::fork});
}

void RankWriter::compute(Chain& chain, std::uint64_t until_ns) {
  if (until_ns <= chain.end_ns) return;
  const std::uint64_t ns = until_ns - chain.end_ns;
  computed_ns_ += ns;
  if (!moves_messages()) calculate(chain, ns);
}

void RankWriter::calculate(Chain& chain, std::uint64_t ns) {
  const auto scaled =
      static_cast<std::uint64_t>(std::llround(static_cast<double>(ns) * options_.compute_scale));
  if (scaled > 0) follow(chain, {.kind = OperationKind::calculate, .amount = scaled}, false);
}

void RankWriter::act(Chain& chain, const CallPlan& plan, const Record& record) {
  switch (plan.kind) {
    case CallKind::send:
      message(chain, OperationKind::send, record, record.peer, record.tag, plan.nonblocking);
      break;
    case CallKind::receive:
      receive(chain, record, plan.nonblocking);
      break;
    case CallKind::both:
      chain.before_half = chain.predecessors;
      chain.half_nonblocking = plan.nonblocking;
      chain.last_number = 0;
      message(chain, OperationKind::send, record, record.peer, record.tag,
              plan.nonblocking || moves_messages());
      break;
    case CallKind::matched_probe:
      if (record.count != 0) receive(chain, record, plan.nonblocking);
      break;
    case CallKind::matched_receive:
      complete(chain, record);
      break;
    case CallKind::partition:
      ready(chain, record);
      break;
    case CallKind::collective:
      collective(chain, plan, record, plan.nonblocking);
      break;
    case CallKind::synchronising:
      collective(chain, {.collective = Collective::barrier}, record, false);
      break;
    case CallKind::one_sided:
      one_sided(chain, plan, record);
      break;
    case CallKind::computation:
    case CallKind::free:
    case CallKind::partitioned:
      break;
  }
}

void RankWriter::receive(Chain& chain, const Record& record, bool nonblocking) {
  std::int32_t peer = record.peer;
  std::int32_t tag = record.tag;
  const Source* source = nonblocking ? sources_.find(record.request) : nullptr;
  if (source != nullptr && source->known && is_from_anybody(record)) {
    const TracedContext* context = reader_.context(record::high_field(record.bytes_and_context));
    if (context != nullptr) peer = context->world(source->peer);
    tag = source->tag;
  }
  message(chain, OperationKind::receive, record, peer, tag, nonblocking);
}

void RankWriter::second_half(Chain& chain, const Record& record) {
  std::vector<Dependence> sent = chain.predecessors;
  const std::uint64_t sent_number = chain.last_number;
  chain.predecessors = std::exchange(chain.before_half, {});
  receive(chain, record, chain.half_nonblocking);
  if (moves_messages() && !chain.half_nonblocking) {
    events_.await(chain.thread, sent_number, true, record::low_field(record.begin_and_call));
  }
  for (const Dependence& one : sent) {
    const bool known = std::ranges::any_of(chain.predecessors, [&](const Dependence& other) {
      return other.operation == one.operation && other.start == one.start;
    });
    if (!known) chain.predecessors.push_back(one);
  }
}

void RankWriter::message(Chain& chain, OperationKind kind, const Record& record, std::int32_t peer,
                         std::int32_t tag, bool nonblocking) {
  // Not to MPI_PROC_NULL, and no wildcard receive that never completed. That of an MPI_Isendrecv is matched
  // in the replay, because some MPIs do not say what it has received.
  const bool from_any = peer == record::any_peer && nonblocking &&
                        record::high_field(record.begin_and_call) == record::receive_half;
  if ((peer < 0 && !from_any) || tag < 0) return;
  if (!from_any && static_cast<std::uint32_t>(peer) >= reader_.ranks()) return;
  const std::uint8_t* cancelled = cancelled_.find(record.request);
  if (cancelled != nullptr && *cancelled != 0) return;
  const TracedContext* context = reader_.context(record::high_field(record.bytes_and_context));
  write_message(chain,
                {.kind = kind,
                 .amount = record::low_field(record.bytes_and_context),
                 .peer = from_any ? any : static_cast<std::uint32_t>(peer)},
                context == nullptr ? 0 : context->key, tag, record, nonblocking);
}

void RankWriter::write_message(Chain& chain, ScheduleOperation operation, std::uint64_t key, std::int32_t tag,
                               const Record& record, bool nonblocking) {
  if (operation.kind == OperationKind::send) ++summary_.messages;
  if (moves_messages()) {
    postpone_message(chain, operation, key, tag, record, nonblocking);
    return;
  }
  operation.tag = tags_.of(key, tag);
  const std::uint32_t number = follow(chain, operation, nonblocking);
  keep_order(chain, operation, number);
  if (nonblocking) pending_[record.request].push_back({number, false});
}

void RankWriter::keep_order(const Chain& chain, const ScheduleOperation& message, std::uint32_t number) {
  if (!several_threads_) return;
  const LastMessage own{number, chain.thread};
  const auto [last, is_first] = last_.try_emplace({message.kind, message.peer, message.tag}, own);
  if (!is_first && last->second.thread != own.thread) builder_.require_start(number, last->second.operation);
  last->second = own;
}

std::uint32_t RankWriter::follow(Chain& chain, ScheduleOperation operation, bool at_start) {
  operation.cpu = chain.cpu;
  const std::uint32_t number = builder_.add(operation);
  ++written_;
  for (const Dependence& one : chain.predecessors) {
    if (one.start) {
      builder_.require_start(number, one.operation);
    } else {
      builder_.require(number, one.operation);
    }
  }
  chain.predecessors.assign(1, {number, at_start});
  return number;
}

}  // namespace stretto::replay
