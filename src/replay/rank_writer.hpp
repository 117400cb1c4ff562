// SPDX-License-Identifier: BSD-3-Clause
// The operations of one rank, from its trace, record by record: rank_writer.cpp has what becomes of calls and
// messages as they are written, rank_writer_requests.cpp what requests stand for, rank_writer_collective.cpp
// what becomes of collectives, rank_writer_events.cpp what is different where messages are moved (Level). Not
// for users of schedules: trace_schedule.hpp is.
#pragma once

#include <compare>
#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <unordered_map>
#include <utility>
#include <vector>

#include "replay/call_plan.hpp"
#include "replay/data_times.hpp"
#include "replay/event_list.hpp"
#include "replay/trace_file.hpp"
#include "replay/trace_schedule.hpp"

namespace stretto::replay {

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

class RankWriter {
 public:
  /// `file` is that of `rank` among so many. Throws TraceError.
  RankWriter(const std::filesystem::path& file, std::uint32_t rank, std::size_t ranks,
             const TraceOptions& options, Tags& tags, ScheduleBuilder& builder, TraceSummary& summary);

  /// Adds all of the rank to the schedule, and to the summary. Throws TraceError, ScheduleError.
  void write();

 private:
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
    std::vector<Dependence> before_half;  // of a sendrecv that has its second half to come
    bool half_later = false;
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

  struct Source {
    std::int32_t peer = record::no_peer;
    std::int32_t tag = 0;
    bool known = false;  // it was completed
  };

  /// A receive from anybody is posted before its completion says from whom, or that it was cancelled, and
  /// data is consumed after it.
  void look_ahead();
  void take(std::uint32_t thread, const record::Record& record);
  Chain& chain_of(std::uint32_t thread);
  void take_call(Chain& chain, const record::Record& record, std::uint16_t call);
  /// A thread begins where the first one was at that time.
  void fork(Chain& chain, std::uint64_t begin_ns);
  void compute(Chain& chain, std::uint64_t until_ns);
  void calculate(Chain& chain, std::uint64_t ns);
  void act(Chain& chain, const CallPlan& plan, const record::Record& record);
  void receive(Chain& chain, const record::Record& record, bool later);
  static bool is_from_anybody(const record::Record& record);
  static std::int32_t world(const TracedContext& context, std::int32_t peer);
  void second_half(Chain& chain, const record::Record& record);
  void message(Chain& chain, OperationKind kind, const record::Record& record, std::int32_t peer,
               std::int32_t tag, bool later);
  void write_message(Chain& chain, Operation operation, std::uint64_t key, std::int32_t tag,
                     const record::Record& record, bool later);
  /// Adds an operation behind the chain; the chain goes on when it has started, or has ended.
  std::uint32_t follow(Chain& chain, Operation operation, bool at_start);
  void complete(Chain& chain, const record::Record& record);
  void complete_now(Chain& chain, std::uint32_t request);
  void start(Chain& chain, const record::Record& record);
  /// A partitioned message goes out with its last partition.
  void ready(Chain& chain, const record::Record& record);

  /// A collective that is not expanded.
  [[nodiscard]] bool is_between_groups(const CallPlan& plan, const record::Record& record) const;
  void collective(Chain& chain, const CallPlan& plan, const record::Record& record, bool later);
  void write_collective(Chain& chain, const CallPlan& plan, const record::Record& record, bool later);

  // Above Level::traced nothing is written before all is read: then what is moved finds its place.
  [[nodiscard]] bool moves() const { return options_.level != Level::traced; }
  void write_events();
  void perform(Chain& chain, const ListedEvent& item);
  void postpone_message(Chain& chain, const Operation& whole, std::uint64_t key, std::int32_t tag,
                        const record::Record& record, bool later);

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
  RequestTable<Source> sources_;          // of receives from anybody
  RequestTable<std::uint8_t> cancelled_;  // 1: they never happened
  std::unordered_map<std::uint32_t, Partitions> partitions_;
  std::unordered_map<std::uint16_t, std::uint64_t> collectives_;
  struct Passed {
    std::uint64_t end_ns;
    std::optional<Dependence> tail;
  };
  bool several_threads_ = false;
  SpillableColumn<Passed> passed_;  // calls of the first thread, where others begin alongside them
  // Above Level::traced
  struct Postponed {
    CallPlan plan;
    record::Record record;
    bool later;
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
  RequestTable<std::uint8_t> known_;  // what the messages that were postponed so far are
  std::map<MovedKey, std::uint32_t> moved_;
  std::uint64_t unnumbered_ = std::uint64_t{1} << 32U;  // messages that the trace has no number for
  std::uint64_t first_ns_ = never;
  std::uint64_t last_ns_ = 0;
  std::uint64_t computed_ns_ = 0;
};

}  // namespace stretto::replay
