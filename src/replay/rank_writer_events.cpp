// SPDX-License-Identifier: BSD-3-Clause
// Moves messages to where their data is produced or consumed.
#include "replay/rank_writer.hpp"

namespace stretto::replay {

using record::Record;

void RankWriter::write_events() {
  for (const auto& [thread, chain] : chains_) {
    events_.add({.ns = chain.computed.last_call_ns(), .thread = thread, .what = ListedEvent::What::end});
  }
  events_.for_each_in_order([this](const ListedEvent& item) {
    Chain& chain = chains_.at(item.thread);
    const std::uint64_t until_ns = chain.computed.until(item.ns);
    if (until_ns > chain.written_ns) {
      calculate(chain, until_ns - chain.written_ns);
      chain.written_ns = until_ns;
    }
    write_event(chain, item);
  });
}

void RankWriter::write_event(Chain& chain, const ListedEvent& item) {
  switch (item.what) {
    case ListedEvent::What::fork:
      chain.predecessors = chains_.begin()->second.predecessors;
      break;
    case ListedEvent::What::issue: {
      const std::uint32_t number = follow(chain, item.operation, true);
      keep_order(chain, item.operation, number);
      moved_[{item.number, item.operation.kind == OperationKind::send, item.part}] = number;
      break;
    }
    case ListedEvent::What::await: {
      const auto found = moved_.find({item.number, item.operation.kind == OperationKind::send, item.part});
      if (found == moved_.end()) break;  // another thread issues it later, or the peer is MPI_PROC_NULL
      chain.predecessors.push_back({found->second, false});
      moved_.erase(found);
      break;
    }
    case ListedEvent::What::call: {
      const Postponed& call = postponed_[item.number];
      if (call.plan.kind == CallKind::one_sided) {
        write_one_sided(chain, call.plan, call.record);
      } else {
        write_collective(chain, call.plan, call.record, call.nonblocking);
      }
      break;
    }
    case ListedEvent::What::complete:
      complete_now(chain, static_cast<std::uint32_t>(item.number));
      break;
    case ListedEvent::What::end:
      break;
  }
}

void RankWriter::postpone_call(Chain& chain, const CallPlan& plan, const Record& record, bool nonblocking) {
  events_.add({.ns = record::low_field(record.begin_and_call),
               .thread = chain.thread,
               .what = ListedEvent::What::call,
               .number = postponed_.size()});
  postponed_.push_back({plan, record, nonblocking});
}

void RankWriter::postpone_message(Chain& chain, const ScheduleOperation& whole, std::uint64_t key,
                                  std::int32_t tag, const Record& record, bool nonblocking) {
  const std::uint64_t call_ns = record::low_field(record.begin_and_call);
  const bool sends = whole.kind == OperationKind::send;
  // A request may stand for a send and a receive.
  const std::uint64_t number = record.request != 0 ? record.request : ++unnumbered_;
  chain.last_number = number;
  if (std::uint8_t* known = known_.slot(number)) *known |= sends ? known_send : known_receive;
  const std::uint64_t parts = events_.parts();
  for (std::uint32_t part = 0; part < parts; ++part) {
    ScheduleOperation operation = whole;
    operation.amount = whole.amount * (part + 1) / parts - whole.amount * part / parts;
    operation.tag = tags_.of(key, std::int64_t{tag} * message_parts + part);
    events_.issue(chain.thread, number, part, operation, call_ns);
  }
  if (!nonblocking) events_.await(chain.thread, number, sends, call_ns);
}

}  // namespace stretto::replay
