// SPDX-License-Identifier: BSD-3-Clause
// Expands collectives into rounds of messages.
#include "replay/rank_writer.hpp"

namespace stretto::replay {

using record::Record;

namespace {

/// Number of collectives on one communicator before their tags repeat; more than can be in flight at once.
constexpr std::uint64_t max_under_way = std::uint64_t{1} << 16U;

}  // namespace

std::int64_t RankWriter::collective_tag(std::uint64_t key, const Record& record) {
  // Ranks start persistent collectives in any order, but make them in the same one, which numbers them.
  if (record.tag > 0) return -2 - static_cast<std::int64_t>(max_under_way) - record.tag;
  return -2 - static_cast<std::int64_t>(collectives_[key]++ % max_under_way);
}

bool RankWriter::is_between_groups(const CallPlan& plan, const Record& record) const {
  if (plan.kind != CallKind::collective) return false;
  const TracedContext* context = reader_.context(record::high_field(record.bytes_and_context));
  return context != nullptr && !context->is_expanded();
}

void RankWriter::collective(Chain& chain, const CallPlan& plan, const Record& record, bool nonblocking) {
  const std::uint16_t number = record::high_field(record.bytes_and_context);
  const TracedContext* context = reader_.context(number);
  if (context == nullptr || !context->is_expanded()) return;
  ++summary_.collectives;
  if (moves_messages()) {
    postpone_call(chain, plan, record, nonblocking);
  } else {
    write_collective(chain, plan, record, nonblocking);
  }
}

void RankWriter::write_collective(Chain& chain, const CallPlan& plan, const Record& record,
                                  bool nonblocking) {
  const TracedContext* context = reader_.context(record::high_field(record.bytes_and_context));
  Chain own;  // a nonblocking collective proceeds concurrently with its caller
  own.predecessors = chain.predecessors;
  own.cpu = nonblocking && chain.cpu == 0 ? background_cpu : chain.cpu;
  const std::uint32_t tag = tags_.of(context->key, collective_tag(context->key, record));
  for (const Round& round : rounds_of(collective_call(plan, record, *context, reader_.definitions()))) {
    const std::vector<Dependence> before = own.predecessors;
    std::vector<Dependence> after;
    for (const RoundMessage& one : round) {
      const ScheduleOperation operation = {.kind = one.sends ? OperationKind::send : OperationKind::receive,
                                           .amount = one.bytes,
                                           .peer = static_cast<std::uint32_t>(context->members[one.peer]),
                                           .tag = tag};
      own.predecessors = before;
      after.push_back({follow(own, operation, false), false});
    }
    if (!after.empty()) own.predecessors = std::move(after);
  }
  if (nonblocking) {
    pending_[record.request] = std::move(own.predecessors);
  } else {
    chain.predecessors = std::move(own.predecessors);
  }
}

}  // namespace stretto::replay
