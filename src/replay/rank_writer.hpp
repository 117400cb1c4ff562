// SPDX-License-Identifier: BSD-3-Clause
// Writes the operations of one rank from its trace, record by record. rank_writer.cpp handles calls and
// messages, rank_writer_requests.cpp requests, rank_writer_collective.cpp collectives, and
// rank_writer_one_sided.cpp one-sided operations. rank_writer_events.cpp moves messages to where their data
// is produced or consumed (Level). This header is internal; users of schedules include trace_schedule.hpp.
#pragma once

#include <compare>
#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <set>
#include <span>
#include <tuple>
#include <unordered_map>
#include <utility>
#include <vector>

#include "replay/accesses.hpp"
#include "replay/call_plan.hpp"
#include "replay/data_times.hpp"
#include "replay/event_list.hpp"
#include "replay/trace_file.hpp"
#include "replay/trace_schedule.hpp"

namespace stretto::replay {

/// Maps the key of a communicator and a tag in it to one tag of the schedule, the same on all ranks.
class Tags {
 public:
  std::uint32_t of(std::uint64_t key, std::int64_t tag) {
    const auto [found, is_new] = tags_.try_emplace({key, tag}, static_cast<std::uint32_t>(tags_.size()));
    return found->second;
  }

 private:
  std::map<std::pair<std::uint64_t, std::int64_t>, std::uint32_t> tags_;
};

/// Each thread of the trace becomes a chain of operations. A request makes a chain wait for earlier ones.
class RankWriter {
 public:
  /// `file` is the trace of `rank`, one of `ranks`. The referenced objects must outlive this one. Throws
  /// TraceError.
  RankWriter(const std::filesystem::path& file, std::uint32_t rank, std::size_t ranks,
             const TraceOptions& options, Tags& tags, OperationSink& builder, TraceSummary& summary);

  /// Reads facts that the trace records later than they are needed: sources of wildcard receives, cancelled
  /// requests, and times of production and consumption. Returns whether the rank uses windows. Throws
  /// TraceError.
  bool read_ahead();
  /// Adds the whole rank to the schedule and to the summary, with other ranks' accesses to its memory, after
  /// read_ahead(). Throws TraceError, ScheduleError.
  void write(std::span<const RemoteAccess> accesses);

  /// Writes at least so many operations more, up to before a call, and closes the file; false: the trace is
  /// at its end. Of a rank with one thread, at Level::traced. Throws as `write` does.
  bool write_some(std::uint32_t least);
  void close() { reader_.close(); }
  /// Of such a rank: the last operation of its thread. All that follow wait for its start at least.
  [[nodiscard]] std::optional<std::uint32_t> last() const;
  /// Of such a rank: no operation before this one is waited for any more by what follows.
  [[nodiscard]] std::uint32_t oldest_open() const;
  /// Whether read_ahead() has found any.
  [[nodiscard]] bool has_facts() const { return has_facts_; }
  [[nodiscard]] bool has_several_threads() const { return several_threads_; }

  [[nodiscard]] const TraceReader& reader() const { return reader_; }

 private:
  /// A dependency on the start of an operation (`start`), or on its end.
  struct Dependence {
    std::uint32_t operation;
    bool start;
  };

  /// The operations that a thread's next operation waits for, and the end of its last call.
  struct Chain {
    std::uint32_t thread = 0;
    std::vector<Dependence> predecessors;
    std::uint64_t end_ns = 0;
    bool began = false;
    std::vector<Dependence> before_half;  // dependencies of a sendrecv before its second half
    bool half_nonblocking = false;
    std::uint16_t cpu = 0;
    // Used only above Level::traced.
    ComputedTime computed;
    std::uint64_t written_ns = 0;             // time up to which its computation is written
    std::uint64_t last_number = 0;            // number of the last message
    std::vector<record::Record> completions;  // requests that the last call completed
  };

  /// A partitioned send; `left` counts the partitions that are not ready yet.
  struct Partitions {
    std::int32_t peer = 0;
    std::int32_t tag = 0;
    std::uint64_t key = 0;
    std::uint64_t bytes = 0;
    std::uint32_t left = 0;
  };

  /// The source and tag of a completed receive.
  struct Source {
    std::int32_t peer = record::no_peer;
    std::int32_t tag = 0;
    bool known = false;  // whether the receive was completed
  };

  void add_record(std::uint32_t thread, const record::Record& record);
  Chain& chain_of(std::uint32_t thread);
  void add_call(Chain& chain, const record::Record& record, std::uint16_t call);
  /// A new thread begins where the first thread was at that time.
  void fork(Chain& chain, std::uint64_t begin_ns);
  /// Adds the computation between the thread's last call and `until_ns`.
  void compute(Chain& chain, std::uint64_t until_ns);
  /// Adds a computation of `ns`, scaled by TraceOptions::compute_scale.
  void calculate(Chain& chain, std::uint64_t ns);
  /// Adds the operations of a call.
  void act(Chain& chain, const CallPlan& plan, const record::Record& record);
  /// Adds a receive. A wildcard receive gets the source and tag with which it completed.
  void receive(Chain& chain, const record::Record& record, bool nonblocking);
  /// Whether the receive has a wildcard as its source or tag.
  static bool is_from_anybody(const record::Record& record);
  /// Adds the receive of a sendrecv, concurrent with its send.
  void second_half(Chain& chain, const record::Record& record);
  /// Adds a send or a receive, except cancelled ones and those without a peer.
  void message(Chain& chain, OperationKind kind, const record::Record& record, std::int32_t peer,
               std::int32_t tag, bool nonblocking);
  void write_message(Chain& chain, ScheduleOperation operation, std::uint64_t key, std::int32_t tag,
                     const record::Record& record, bool nonblocking);
  /// Adds an operation to the end of the chain. The chain continues when it has started (`at_start`), or
  /// has ended.
  std::uint32_t follow(Chain& chain, ScheduleOperation operation, bool at_start);
  /// Messages of a channel that several threads begin are begun in the recorded order.
  void keep_order(const Chain& chain, const ScheduleOperation& message, std::uint32_t number);
  /// The thread waits for a request, at once or in write_completions().
  void complete(Chain& chain, const record::Record& record);
  void complete_now(Chain& chain, std::uint32_t request);
  /// Adds the waits for the operations that the last call completed.
  void write_completions(Chain& chain);
  /// Starts a persistent or partitioned request.
  void start(Chain& chain, const record::Record& record);
  /// A partitioned message is sent with its last partition.
  void ready(Chain& chain, const record::Record& record);

  /// Whether the call is a collective between two groups, or with processes of another program, which is not
  /// expanded.
  [[nodiscard]] bool is_between_groups(const CallPlan& plan, const record::Record& record) const;
  /// The tag of a collective's messages among those of its communicator.
  [[nodiscard]] std::int64_t collective_tag(std::uint64_t key, const record::Record& record);
  void collective(Chain& chain, const CallPlan& plan, const record::Record& record, bool nonblocking);
  void write_collective(Chain& chain, const CallPlan& plan, const record::Record& record, bool nonblocking);

  /// The operations of one-sided accesses that no call has awaited yet.
  struct OpenAccesses {
    std::vector<Dependence> local;   // they end when the origin's memory is free, or has the data
    std::vector<Dependence> remote;  // they end when the target's memory has the data, too
  };
  struct StartedAccess {
    std::uint32_t request;
    std::uint32_t reply;
  };

  /// Whether the trace has what the call needs; older ones have no groups.
  [[nodiscard]] bool is_modelled(const OneSidedCall& call, const record::Record& record);
  void one_sided(Chain& chain, const CallPlan& plan, const record::Record& record);
  void write_one_sided(Chain& chain, const CallPlan& plan, const record::Record& record);
  /// A request, and its reply, as one of their two ranks has them; `peer` is the other.
  [[nodiscard]] ScheduleOperation request_of(const RemoteAccess& access, OperationKind kind,
                                             std::uint32_t peer);
  [[nodiscard]] ScheduleOperation reply_of(const RemoteAccess& access, OperationKind kind,
                                           std::uint32_t peer);
  StartedAccess write_access(Chain& chain, const RemoteAccess& access);
  /// Begins or ends an epoch with the ranks of a group.
  void write_epoch(Chain& chain, Epoch epoch, const record::Record& record, std::uint64_t key);
  /// Waits for the accesses to a target, or to all where `target` is none.
  void await_accesses(Chain& chain, std::uint16_t window, std::int32_t target, Until until);
  /// Adds this rank's part of the accesses to its memory.
  void write_remote_accesses(std::span<const RemoteAccess> accesses);

  // Above Level::traced nothing is written until everything is read, so that moved operations can be placed
  // in time.
  [[nodiscard]] bool moves_messages() const { return options_.level != Level::traced; }
  void write_events();
  void write_event(Chain& chain, const ListedEvent& item);
  void postpone_call(Chain& chain, const CallPlan& plan, const record::Record& record, bool nonblocking);
  void postpone_message(Chain& chain, const ScheduleOperation& whole, std::uint64_t key, std::int32_t tag,
                        const record::Record& record, bool nonblocking);

  static constexpr std::uint64_t never = ~std::uint64_t{0};

  std::filesystem::path file_;
  TraceReader reader_;
  const TraceOptions& options_;
  Tags& tags_;
  OperationSink& builder_;
  TraceSummary& summary_;
  std::vector<CallPlan> plans_;
  std::map<std::uint32_t, Chain> chains_;
  std::unordered_map<std::uint32_t, std::vector<Dependence>> pending_;      // by request: what it completes
  RequestTable<Source> sources_;                                            // of receives from any source
  RequestTable<std::uint8_t> cancelled_;                                    // 1: cancelled
  std::unordered_map<std::uint32_t, Partitions> partitions_;                // by request
  std::unordered_map<std::uint64_t, std::uint64_t> collectives_;            // by key: how many so far
  std::map<std::uint16_t, std::map<std::int32_t, OpenAccesses>> accesses_;  // by window and target
  std::set<std::pair<std::uint16_t, bool>>
      epochs_;  // windows between start and complete (true), post and wait
  std::map<std::pair<std::uint16_t, bool>, std::vector<std::int32_t>> partners_;  // of these
  /// The end of a call of the first thread, and the operation that this thread had reached.
  struct Passed {
    std::uint64_t end_ns;
    std::optional<Dependence> predecessor;
  };
  bool several_threads_ = false;
  bool has_facts_ = false;
  // Of write_some().
  TracePiece piece_;
  std::size_t at_ = 0;
  std::uint32_t written_ = 0;  // operations
  /// The last message of a channel: its operation, and its thread.
  struct LastMessage {
    std::uint32_t operation;
    std::uint32_t thread;
  };
  std::map<std::tuple<OperationKind, std::uint32_t, std::uint32_t>, LastMessage> last_;  // by peer and tag
  SpillableColumn<Passed> passed_;  // calls of the first thread, from which other threads begin
  // Used only above Level::traced.
  struct Postponed {
    CallPlan plan;
    record::Record record;
    bool nonblocking;
  };
  struct MovedKey {
    std::uint64_t number;
    bool sends;
    std::uint32_t part;
    auto operator<=>(const MovedKey&) const = default;
  };
  DataTimes times_;
  EventList events_;
  SpillableColumn<Postponed> postponed_;
  static constexpr std::uint8_t known_send = 1;
  static constexpr std::uint8_t known_receive = 2;
  RequestTable<std::uint8_t> known_;  // whether each postponed message is a send, a receive or both
  bool pads_gets_;
  std::map<MovedKey, std::uint32_t> moved_;  // the operations of issued parts that are not awaited yet
  std::uint64_t unnumbered_ = std::uint64_t{1} << 32U;  // numbers for messages without a number in the trace
  std::uint64_t first_ns_ = never;
  std::uint64_t last_ns_ = 0;
  std::uint64_t computed_ns_ = 0;
};

}  // namespace stretto::replay
