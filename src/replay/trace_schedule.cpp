// SPDX-License-Identifier: BSD-3-Clause
#include "replay/trace_schedule.hpp"

#include <algorithm>
#include <cmath>
#include <unordered_map>

#include "replay/collective_rounds.hpp"
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

/// What a record of a kind of calls becomes.
enum class Kind : std::uint8_t {
  computation,  // its time counts as computed
  free,         // its time does not count, and nothing comes of it
  send,
  receive,
  both,
  matched_probe,
  matched_receive,
  partition,
  partitioned,
  collective,
  synchronising
};

struct CallPlan {
  Kind kind = Kind::computation;
  bool later = false;  // it ends with its request
  std::optional<Collective> collective;
  bool of_a_block = false;  // its bytes are those of one rank's part
};

CallPlan plan_of(const TracedCall& call) {
  const std::string& kind = call.kind;
  if (call.name == "MPI_Finalize" || call.name == "MPI_Abort") return {Kind::free, false, {}};
  if (kind == "send" || kind == "recv") return {kind == "send" ? Kind::send : Kind::receive, false, {}};
  if (kind == "isend" || kind == "irecv") return {kind == "isend" ? Kind::send : Kind::receive, true, {}};
  if (kind == "sendrecv" || kind == "sendrecv_replace") return {Kind::both, false, {}};
  if (kind == "isendrecv" || kind == "isendrecv_replace") return {Kind::both, true, {}};
  if (kind == "mrecv" || kind == "imrecv") return {Kind::matched_receive, kind == "imrecv", {}};
  if (call.name == "MPI_Mprobe" || call.name == "MPI_Improbe") return {Kind::matched_probe, false, {}};
  if (kind == "pready" || kind == "pready_range" || kind == "pready_list")
    return {Kind::partition, false, {}};
  if (kind == "psend_init") return {Kind::partitioned, false, {}};
  const std::optional<Collective> collective = collective_named(call.name);
  const bool of_a_block = call.name.find("_block") != std::string::npos;
  if (collective && kind.ends_with("_init")) return {Kind::free, false, collective, of_a_block};
  if (collective) return {Kind::collective, kind.starts_with("i"), collective, of_a_block};
  if (kind == "new_comm" || call.name == "MPI_Win_fence") return {Kind::synchronising, false, {}};
  static constexpr std::string_view computed[] = {"plain",    "one_sided", "synchronise", "synchronise_with",
                                                  "neighbor", "ineighbor"};
  if (std::find(std::begin(computed), std::end(computed), kind) != std::end(computed)) {
    return {Kind::computation, false, {}};
  }
  return {Kind::free, false, {}};  // waits and tests, starts, what makes communicators and windows
}

struct Dependence {
  std::uint32_t operation;
  bool start;
};

/// What a thread's next operation waits for, and when its last call was over.
struct Chain {
  std::vector<Dependence> tails;
  std::uint64_t end_ns = 0;
  bool began = false;
  std::vector<Dependence> before_half;  // of a sendrecv whose second half follows
  bool half_later = false;
  std::uint16_t probed_context = 0;
  std::int32_t probed_peer = 0;
  std::int32_t probed_tag = 0;
  std::uint8_t cpu = 0;
};

struct Partitions {
  std::int32_t peer = 0;
  std::uint32_t tag = 0;
  std::uint64_t bytes = 0;
  std::uint32_t left = 0;
};

class RankWriter {
 public:
  RankWriter(const std::filesystem::path& file, std::uint32_t rank, const TraceOptions& options, Tags& tags,
             ScheduleBuilder& builder, TraceSummary& summary)
      : file_(file), reader_(file), options_(options), tags_(tags), builder_(builder), summary_(summary) {
    if (reader_.rank() != rank) throw TraceError(file.string() + ": is of another rank than its name says");
    for (const TracedCall& call : reader_.calls()) plans_.push_back(plan_of(call));
  }

  void write() {
    resolve_wildcards();
    reader_.for_each([this](std::uint32_t thread, const Record& record) { take(thread, record); });
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

  /// A receive from anybody is posted before its completion says from whom.
  void resolve_wildcards() {
    TraceReader reader(file_);
    reader.for_each([this](std::uint32_t, const Record& record) {
      if (record::high_field(record.begin_and_call) == record::completion && record.count == 1) {
        sources_[record.request] = {record.peer, record.tag, record::high_field(record.bytes_and_context)};
      }
    });
  }

  void take(std::uint32_t thread, const Record& record) {
    ++summary_.records;
    const std::uint16_t call = record::high_field(record.begin_and_call);
    Chain& chain = chain_of(thread);
    if (call == record::completion) {
      complete(chain, record.request);
    } else if (call == record::receive_half) {
      second_half(chain, record);
    } else if (call == record::started) {
      start(chain, record);
    } else {
      take_call(chain, record, call);
    }
  }

  Chain& chain_of(std::uint32_t thread) {
    const auto [found, is_new] = chains_.try_emplace(thread);
    if (is_new) found->second.cpu = static_cast<std::uint8_t>(std::min<std::size_t>(chains_.size() - 1, 250));
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
        return;
      }
      fork(chain, begin_ns);
    }
    last_ns_ = std::max(last_ns_, end_ns);
    if (plan.kind == Kind::computation) {
      ++summary_.as_computation[reader_.call(call).name];
      return;
    }
    compute(chain, begin_ns);
    chain.end_ns = std::max(chain.end_ns, end_ns);
    act(chain, plan, record);
    if (chain.cpu == 0 && !chain.tails.empty()) passed_.push_back({chain.end_ns, chain.tails.front()});
  }

  /// A thread begins where the first one was at that time.
  void fork(Chain& chain, std::uint64_t begin_ns) {
    chain.end_ns = first_ns_;
    const auto later = std::upper_bound(passed_.begin(), passed_.end(), begin_ns,
                                        [](std::uint64_t ns, const Passed& one) { return ns < one.end_ns; });
    if (later == passed_.begin()) return;
    chain.end_ns = std::prev(later)->end_ns;
    chain.tails.push_back(std::prev(later)->operation);
  }

  void compute(Chain& chain, std::uint64_t until_ns) {
    if (until_ns <= chain.end_ns) return;
    const std::uint64_t ns = until_ns - chain.end_ns;
    computed_ns_ += ns;
    const auto scaled =
        static_cast<std::uint64_t>(std::llround(static_cast<double>(ns) * options_.compute_scale));
    if (scaled > 0) follow(chain, {.kind = OperationKind::calculate, .amount = scaled}, false);
  }

  void act(Chain& chain, const CallPlan& plan, const Record& record) {
    switch (plan.kind) {
      case Kind::send:
        message(chain, OperationKind::send, record, record.peer, record.tag, plan.later);
        break;
      case Kind::receive:
        receive(chain, record, plan.later);
        break;
      case Kind::both:
        chain.before_half = chain.tails;
        chain.half_later = plan.later;
        message(chain, OperationKind::send, record, record.peer, record.tag, plan.later);
        break;
      case Kind::matched_probe:
        if (record.count == 0) break;
        chain.probed_context = record::high_field(record.bytes_and_context);
        chain.probed_peer = record.peer;
        chain.probed_tag = record.tag;
        break;
      case Kind::matched_receive: {
        Record known = record;
        known.bytes_and_context =
            record::pack_field(record::low_field(record.bytes_and_context), chain.probed_context);
        message(chain, OperationKind::receive, known, chain.probed_peer, chain.probed_tag, plan.later);
        break;
      }
      case Kind::partition:
        ready(chain, record);
        break;
      case Kind::collective:
        collective(chain, plan, record, plan.later);
        break;
      case Kind::synchronising:
        collective(chain, {.collective = Collective::barrier}, record, false);
        break;
      case Kind::computation:
      case Kind::free:
      case Kind::partitioned:
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
    chain.tails = chain.before_half;
    receive(chain, record, chain.half_later);
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
    const Operation operation = {.kind = kind,
                                 .amount = record::low_field(record.bytes_and_context),
                                 .peer = static_cast<std::uint32_t>(peer),
                                 .tag = tags_.of(context == nullptr ? 0 : context->key, tag)};
    if (kind == OperationKind::send) ++summary_.messages;
    const std::uint32_t number = follow(chain, operation, later);
    if (later) pending_[record.request].push_back({number, false});
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

  void complete(Chain& chain, std::uint32_t request) {
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
                                     .tag = tags_.of(context == nullptr ? 0 : context->key, record.tag),
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
    ++summary_.messages;
    const Operation operation = {.kind = OperationKind::send,
                                 .amount = one.bytes,
                                 .peer = static_cast<std::uint32_t>(one.peer),
                                 .tag = one.tag};
    pending_[record.request].push_back({follow(chain, operation, true), false});
  }

  void collective(Chain& chain, const CallPlan& plan, const Record& record, bool later) {
    const std::uint16_t number = record::high_field(record.bytes_and_context);
    const TracedContext* context = reader_.context(number);
    if (context == nullptr || !context->remote.empty()) return;  // between two groups: not expanded
    ++summary_.collectives;
    Chain own = chain;  // a nonblocking one goes on beside its caller
    const std::uint32_t tag = tags_.of(context->key, -2 - static_cast<std::int64_t>(collectives_[number]++));
    for (const Round& round : rounds_of(call_of(plan, record, *context))) {
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

  static CollectiveCall call_of(const CallPlan& plan, const Record& record, const TracedContext& context) {
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
        call.bytes = plan.of_a_block ? sent : sent / ranks;
        break;
      default:
        call.bytes = sent;
    }
    return call;
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
    Dependence operation;
  };
  std::vector<Passed> passed_;  // calls of the first thread
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
