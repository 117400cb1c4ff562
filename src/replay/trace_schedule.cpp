// SPDX-License-Identifier: BSD-3-Clause
#include "replay/trace_schedule.hpp"

#include <algorithm>
#include <cmath>
#include <unordered_map>

#include "replay/call_plan.hpp"
#include "replay/trace_file.hpp"

namespace stretto::replay {
namespace {

using record::Record;

/// Communicator and tag as one tag of the schedule, the same on all ranks.
class Tags {
 public:
  std::uint32_t of(std::uint64_t key, std::int64_t tag) {
    const auto [found, is_new] = tags_.try_emplace({key, tag}, static_cast<std::uint32_t>(tags_.size()));
    return found->second;
  }

 private:
  std::map<std::pair<std::uint64_t, std::int64_t>, std::uint32_t> tags_;
};

struct Dependence {
  std::uint32_t operation;
  bool start;
};

/// What a thread's next operation waits for, and when its last call was over.
struct Chain {
  std::uint32_t thread = 0;
  std::vector<Dependence> tails;
  std::uint64_t end_ns = 0;
  bool began = false;
  std::vector<Dependence> before_half;  // of a sendrecv whose second half follows
  bool half_later = false;
  std::uint16_t probed_context = 0;
  std::int32_t probed_peer = 0;
  std::int32_t probed_tag = 0;
  std::uint8_t cpu = 0;
  // Above Level::traced
  ComputedTime computed;
  std::uint64_t written_ns = 0;   // of its computation
  std::uint64_t last_number = 0;  // of a message
};

struct Partitions {
  std::int32_t peer = 0;
  std::int32_t tag = 0;
  std::uint64_t key = 0;
  std::uint64_t bytes = 0;
  std::uint32_t left = 0;
};

class RankWriter {
 public:
  RankWriter(const std::filesystem::path& file, std::uint32_t rank, const TraceOptions& options, Tags& tags,
             ScheduleBuilder& builder, TraceSummary& summary)
      : file_(file),
        reader_(file),
        options_(options),
        tags_(tags),
        builder_(builder),
        summary_(summary),
        agenda_(options.level, times_) {
    if (reader_.rank() != rank) throw TraceError(file.string() + ": is of another rank than its name says");
    for (const TracedCall& call : reader_.calls()) plans_.push_back(plan_of(call));
  }

  void write() {
    look_ahead();
    reader_.for_each([this](std::uint32_t thread, const Record& record) { take(thread, record); });
    if (moves()) run_agenda();
    summary_.produced += times_.messages_produced();
    summary_.consumed += times_.messages_consumed();
    summary_.span_s =
        std::max(summary_.span_s, 1e-9 * static_cast<double>(last_ns_ - std::min(first_ns_, last_ns_)));
    summary_.compute_s = std::max(summary_.compute_s, 1e-9 * static_cast<double>(computed_ns_));
    builder_.end_rank();
  }

 private:
  struct Source {
    std::int32_t peer;
    std::int32_t tag;
    std::uint16_t context;
  };

  /// A receive from anybody is posted before its completion says from whom, and data is consumed after it.
  void look_ahead() {
    TraceReader reader(file_);
    reader.for_each([this](std::uint32_t, const Record& record) {
      const std::uint16_t call = record::high_field(record.begin_and_call);
      if (call == record::completion && record.count == 1) {
        sources_[record.request] = {record.peer, record.tag, record::high_field(record.bytes_and_context)};
      } else if (call == record::produced || call == record::consumed) {
        times_.take(record);
      }
    });
  }

  void take(std::uint32_t thread, const Record& record) {
    ++summary_.records;
    const std::uint16_t call = record::high_field(record.begin_and_call);
    Chain& chain = chain_of(thread);
    if (call == record::completion) {
      complete(chain, record);
    } else if (call == record::receive_half) {
      second_half(chain, record);
    } else if (call == record::started) {
      start(chain, record);
    } else if (call >= record::first_call) {
      take_call(chain, record, call);
    }
  }

  Chain& chain_of(std::uint32_t thread) {
    const auto [found, is_new] = chains_.try_emplace(thread);
    if (is_new) {
      found->second.thread = thread;
      found->second.cpu = static_cast<std::uint8_t>(std::min<std::size_t>(chains_.size() - 1, 250));
    }
    return found->second;
  }

  void take_call(Chain& chain, const Record& record, std::uint16_t call) {
    const CallPlan& plan = plans_[call - record::first_call];
    const std::uint64_t begin_ns = record::low_field(record.begin_and_call);
    const std::uint64_t end_ns = begin_ns + record::low_field(record.duration_and_site);
    if (!chain.began) {
      chain.began = true;
      if (first_ns_ == never) {  // this is MPI_Init: a rank's time begins after it
        first_ns_ = last_ns_ = chain.end_ns = end_ns;
        chain.computed.called(begin_ns, end_ns);
        return;
      }
      fork(chain, begin_ns);
    }
    last_ns_ = std::max(last_ns_, end_ns);
    if (plan.kind == CallKind::computation) {
      ++summary_.as_computation[reader_.call(call).name];
      return;
    }
    compute(chain, begin_ns);
    if (moves()) chain.computed.called(begin_ns, end_ns);
    chain.end_ns = std::max(chain.end_ns, end_ns);
    act(chain, plan, record);
    if (chain.cpu == 0 && (moves() || !chain.tails.empty())) {
      passed_.push_back(
          {chain.end_ns, {chain.tails.begin(), chain.tails.begin() + (chain.tails.empty() ? 0 : 1)}});
    }
  }

  /// A thread begins where the first one was at that time.
  void fork(Chain& chain, std::uint64_t begin_ns) {
    chain.end_ns = first_ns_;
    const auto later = std::upper_bound(passed_.begin(), passed_.end(), begin_ns,
                                        [](std::uint64_t ns, const Passed& one) { return ns < one.end_ns; });
    if (later != passed_.begin()) {
      chain.end_ns = std::prev(later)->end_ns;
      chain.tails = std::prev(later)->tails;
    }
    if (!moves()) return;
    chain.computed.called(chain.end_ns, chain.end_ns);
    agenda_.add({.ns = chain.end_ns, .thread = chain.thread, .what = AgendaItem::What::fork});
  }

  void compute(Chain& chain, std::uint64_t until_ns) {
    if (until_ns <= chain.end_ns) return;
    const std::uint64_t ns = until_ns - chain.end_ns;
    computed_ns_ += ns;
    if (!moves()) calculate(chain, ns);
  }

  void calculate(Chain& chain, std::uint64_t ns) {
    const auto scaled =
        static_cast<std::uint64_t>(std::llround(static_cast<double>(ns) * options_.compute_scale));
    if (scaled > 0) follow(chain, {.kind = OperationKind::calculate, .amount = scaled}, false);
  }

  // -- above Level::traced nothing is written before all is read: then what is moved finds its place --

  [[nodiscard]] bool moves() const { return options_.level != Level::traced; }

  void run_agenda() {
    for (const auto& [thread, chain] : chains_) {
      agenda_.add({.ns = chain.computed.last_call_ns(), .thread = thread, .what = AgendaItem::What::end});
    }
    for (const AgendaItem& item : agenda_.in_order()) {
      Chain& chain = chains_.at(item.thread);
      const std::uint64_t until_ns = chain.computed.until(item.ns);
      if (until_ns > chain.written_ns) {
        calculate(chain, until_ns - chain.written_ns);
        chain.written_ns = until_ns;
      }
      perform(chain, item);
    }
  }

  void perform(Chain& chain, const AgendaItem& item) {
    switch (item.what) {
      case AgendaItem::What::fork:
        chain.tails = chains_.begin()->second.tails;
        break;
      case AgendaItem::What::issue:
        moved_[{item.number, item.operation.kind == OperationKind::send, item.part}] =
            follow(chain, item.operation, true);
        break;
      case AgendaItem::What::await: {
        const auto found = moved_.find({item.number, item.operation.kind == OperationKind::send, item.part});
        if (found == moved_.end()) break;  // another thread's, later; or to nobody
        chain.tails.push_back({found->second, false});
        moved_.erase(found);
        break;
      }
      case AgendaItem::What::collective: {
        const Postponed& call = postponed_[item.number];
        write_collective(chain, call.plan, call.record, call.later);
        break;
      }
      case AgendaItem::What::complete:
        complete_now(chain, static_cast<std::uint32_t>(item.number));
        break;
      case AgendaItem::What::end:
        break;
    }
  }

  void act(Chain& chain, const CallPlan& plan, const Record& record) {
    switch (plan.kind) {
      case CallKind::send:
        message(chain, OperationKind::send, record, record.peer, record.tag, plan.later);
        break;
      case CallKind::receive:
        receive(chain, record, plan.later);
        break;
      case CallKind::both:
        chain.before_half = chain.tails;
        chain.half_later = plan.later;
        chain.last_number = 0;
        message(chain, OperationKind::send, record, record.peer, record.tag, plan.later || moves());
        break;
      case CallKind::matched_probe:
        if (record.count == 0) break;
        chain.probed_context = record::high_field(record.bytes_and_context);
        chain.probed_peer = record.peer;
        chain.probed_tag = record.tag;
        break;
      case CallKind::matched_receive: {
        Record known = record;
        known.bytes_and_context =
            record::pack_field(record::low_field(record.bytes_and_context), chain.probed_context);
        message(chain, OperationKind::receive, known, chain.probed_peer, chain.probed_tag, plan.later);
        break;
      }
      case CallKind::partition:
        ready(chain, record);
        break;
      case CallKind::collective:
        collective(chain, plan, record, plan.later);
        break;
      case CallKind::synchronising:
        collective(chain, {.collective = Collective::barrier}, record, false);
        break;
      case CallKind::computation:
      case CallKind::free:
      case CallKind::partitioned:
        break;
    }
  }

  void receive(Chain& chain, const Record& record, bool later) {
    std::int32_t peer = record.peer;
    std::int32_t tag = record.tag;
    const auto source = later ? sources_.find(record.request) : sources_.end();
    if (source != sources_.end() && (peer == record::any_peer || tag == record::any_tag)) {
      const TracedContext* context = reader_.context(record::high_field(record.bytes_and_context));
      if (context != nullptr) peer = world(*context, source->second.peer);
      tag = source->second.tag;
    }
    message(chain, OperationKind::receive, record, peer, tag, later);
  }

  static std::int32_t world(const TracedContext& context, std::int32_t peer) {
    const std::vector<std::int32_t>& peers = context.remote.empty() ? context.members : context.remote;
    return peer >= 0 && static_cast<std::size_t>(peer) < peers.size() ? peers[static_cast<std::size_t>(peer)]
                                                                      : record::no_peer;
  }

  void second_half(Chain& chain, const Record& record) {
    std::vector<Dependence> sent = chain.tails;
    const std::uint64_t sent_number = chain.last_number;
    chain.tails = chain.before_half;
    receive(chain, record, chain.half_later);
    if (moves() && !chain.half_later) {
      agenda_.await(chain.thread, sent_number, true, record::low_field(record.begin_and_call));
    }
    for (const Dependence& one : sent) {
      const bool known = std::any_of(chain.tails.begin(), chain.tails.end(), [&](const Dependence& other) {
        return other.operation == one.operation && other.start == one.start;
      });
      if (!known) chain.tails.push_back(one);
    }
  }

  void message(Chain& chain, OperationKind kind, const Record& record, std::int32_t peer, std::int32_t tag,
               bool later) {
    if (peer < 0 || tag < 0) return;  // to nobody; or never completed, so that nobody knows from whom
    if (static_cast<std::uint32_t>(peer) >= reader_.ranks()) return;
    const TracedContext* context = reader_.context(record::high_field(record.bytes_and_context));
    write_message(chain,
                  {.kind = kind,
                   .amount = record::low_field(record.bytes_and_context),
                   .peer = static_cast<std::uint32_t>(peer)},
                  context == nullptr ? 0 : context->key, tag, record, later);
  }

  void write_message(Chain& chain, Operation operation, std::uint64_t key, std::int32_t tag,
                     const Record& record, bool later) {
    if (operation.kind == OperationKind::send) ++summary_.messages;
    if (moves()) {
      postpone_message(chain, operation, key, tag, record, later);
      return;
    }
    operation.tag = tags_.of(key, tag);
    const std::uint32_t number = follow(chain, operation, later);
    if (later) pending_[record.request].push_back({number, false});
  }

  void postpone_message(Chain& chain, const Operation& whole, std::uint64_t key, std::int32_t tag,
                        const Record& record, bool later) {
    const std::uint64_t call_ns = record::low_field(record.begin_and_call);
    const bool sends = whole.kind == OperationKind::send;
    // A request may stand for a send and a receive.
    const std::uint64_t number = record.request != 0 ? record.request : ++unnumbered_;
    chain.last_number = number;
    const std::uint64_t parts = agenda_.parts();
    for (std::uint32_t part = 0; part < parts; ++part) {
      Operation operation = whole;
      operation.amount = whole.amount * (part + 1) / parts - whole.amount * part / parts;
      operation.tag = tags_.of(key, std::int64_t{tag} * message_parts + part);
      agenda_.issue(chain.thread, number, part, operation, call_ns);
    }
    if (!later) agenda_.await(chain.thread, number, sends, call_ns);
  }

  /// Adds an operation behind the chain; the chain goes on when it has started, or has ended.
  std::uint32_t follow(Chain& chain, Operation operation, bool at_start) {
    operation.cpu = chain.cpu;
    const std::uint32_t number = builder_.add(operation);
    for (const Dependence& one : chain.tails) {
      if (one.start) {
        builder_.require_start(number, one.operation);
      } else {
        builder_.require(number, one.operation);
      }
    }
    chain.tails.assign(1, {number, at_start});
    return number;
  }

  void complete(Chain& chain, const Record& record) {
    if (!moves()) {
      complete_now(chain, record.request);
      return;
    }
    const std::uint64_t ns = record::low_field(record.begin_and_call);
    for (const bool sends : {true, false}) agenda_.await(chain.thread, record.request, sends, ns);
    agenda_.add(
        {.ns = ns, .thread = chain.thread, .what = AgendaItem::What::complete, .number = record.request});
  }

  void complete_now(Chain& chain, std::uint32_t request) {
    const auto found = pending_.find(request);
    if (found == pending_.end()) return;
    chain.tails.insert(chain.tails.end(), found->second.begin(), found->second.end());
    pending_.erase(found);
  }

  void start(Chain& chain, const Record& record) {
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
      if (plan.collective) collective(chain, plan, record, true);
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

  /// A partitioned message goes out with its last partition.
  void ready(Chain& chain, const Record& record) {
    const auto found = partitions_.find(record.request);
    if (found == partitions_.end() || found->second.left == 0 || --found->second.left > 0) return;
    const Partitions& one = found->second;
    if (one.peer < 0 || static_cast<std::uint32_t>(one.peer) >= reader_.ranks()) return;
    const Operation operation = {
        .kind = OperationKind::send, .amount = one.bytes, .peer = static_cast<std::uint32_t>(one.peer)};
    write_message(chain, operation, one.key, one.tag, record, true);
  }

  void collective(Chain& chain, const CallPlan& plan, const Record& record, bool later) {
    const std::uint16_t number = record::high_field(record.bytes_and_context);
    const TracedContext* context = reader_.context(number);
    if (context == nullptr || !context->remote.empty()) return;  // between two groups: not expanded
    ++summary_.collectives;
    if (moves()) {
      agenda_.add({.ns = record::low_field(record.begin_and_call),
                   .thread = chain.thread,
                   .what = AgendaItem::What::collective,
                   .number = postponed_.size()});
      postponed_.push_back({plan, record, later});
    } else {
      write_collective(chain, plan, record, later);
    }
  }

  void write_collective(Chain& chain, const CallPlan& plan, const Record& record, bool later) {
    const std::uint16_t number = record::high_field(record.bytes_and_context);
    const TracedContext* context = reader_.context(number);
    Chain own;  // a nonblocking one goes on beside its caller
    own.tails = chain.tails;
    own.cpu = chain.cpu;
    const std::uint32_t tag = tags_.of(context->key, -2 - static_cast<std::int64_t>(collectives_[number]++));
    for (const Round& round : rounds_of(collective_call(plan, record, *context))) {
      const std::vector<Dependence> before = own.tails;
      std::vector<Dependence> after;
      for (const RoundMessage& one : round) {
        const Operation operation = {.kind = one.sends ? OperationKind::send : OperationKind::receive,
                                     .amount = one.bytes,
                                     .peer = static_cast<std::uint32_t>(context->members[one.peer]),
                                     .tag = tag};
        own.tails = before;
        after.push_back({follow(own, operation, false), false});
      }
      if (!after.empty()) own.tails = std::move(after);
    }
    if (later) {
      pending_[record.request] = std::move(own.tails);
    } else {
      chain.tails = std::move(own.tails);
    }
  }

  static constexpr std::uint64_t never = ~std::uint64_t{0};

  std::filesystem::path file_;
  TraceReader reader_;
  const TraceOptions& options_;
  Tags& tags_;
  ScheduleBuilder& builder_;
  TraceSummary& summary_;
  std::vector<CallPlan> plans_;
  std::map<std::uint32_t, Chain> chains_;
  std::unordered_map<std::uint32_t, std::vector<Dependence>> pending_;
  std::unordered_map<std::uint32_t, Source> sources_;
  std::unordered_map<std::uint32_t, Partitions> partitions_;
  std::unordered_map<std::uint16_t, std::uint64_t> collectives_;
  struct Passed {
    std::uint64_t end_ns;
    std::vector<Dependence> tails;
  };
  std::vector<Passed> passed_;  // calls of the first thread
  // Above Level::traced
  struct Postponed {
    CallPlan plan;
    Record record;
    bool later;
  };
  struct MovedKey {
    std::uint64_t number;
    bool sends;
    std::uint32_t part;
    auto operator<=>(const MovedKey&) const = default;
  };
  DataTimes times_;
  Agenda agenda_;
  std::vector<Postponed> postponed_;
  std::map<MovedKey, std::uint32_t> moved_;
  std::uint64_t unnumbered_ = std::uint64_t{1} << 32U;  // messages that the trace has no number for
  std::uint64_t first_ns_ = never;
  std::uint64_t last_ns_ = 0;
  std::uint64_t computed_ns_ = 0;
};

}  // namespace

TracedSchedule schedule_of_trace(const std::vector<std::filesystem::path>& files,
                                 const TraceOptions& options) {
  TracedSchedule traced;
  Tags tags;
  ScheduleBuilder builder;
  for (std::size_t rank = 0; rank < files.size(); ++rank) {
    RankWriter(files[rank], static_cast<std::uint32_t>(rank), options, tags, builder, traced.summary).write();
  }
  traced.schedule = builder.finish();
  return traced;
}

}  // namespace stretto::replay
