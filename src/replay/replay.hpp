// SPDX-License-Identifier: BSD-3-Clause
// Runs a schedule on a LogGP network in virtual time. docs/replay.md documents the effect of each
// parameter. It is deterministic: the same schedule and network give bitwise the same result.
#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>
#include <span>
#include <stdexcept>
#include <string>
#include <vector>

#include "network/event_heap.hpp"
#include "network/network.hpp"
#include "replay/compiled_schedule.hpp"
#include "replay/local_event.hpp"
#include "replay/operation_state.hpp"
#include "replay/schedule.hpp"
#include "replay/streamed_operations.hpp"
#include "replay/time_windows.hpp"
#include "replay/wildcards.hpp"

namespace stretto::replay {

struct ReplayResult {
  double makespan_s = 0;         ///< end of the last operation
  double all_ranks_s = 0;        ///< the sum of the ends of all ranks
  std::uint64_t operations = 0;  ///< of the schedule
  std::uint64_t messages = 0;    ///< that arrived
  std::uint64_t unreceived = 0;  ///< messages that arrived and were never received
  /// LogGOPSim's measure: one event per operation and one per arrival.
  [[nodiscard]] std::uint64_t events() const { return operations + messages; }
};

/// Thrown when a schedule does not end. `remaining` is the number of dependencies that each operation still
/// waits for, or `ended`; empty where the trace was replayed as it was read.
class Stuck : public std::runtime_error {
 public:
  static constexpr std::uint32_t ended = 0xFFFFFFFF;
  explicit Stuck(std::vector<std::uint32_t> remaining)
      : std::runtime_error("the schedule does not end"), remaining_(std::move(remaining)) {}
  [[nodiscard]] const std::vector<std::uint32_t>& remaining() const { return remaining_; }

 private:
  std::vector<std::uint32_t> remaining_;
};

/// Runs one schedule repeatedly and reuses its memory. Not thread-safe. The arguments must outlive it.
class Replayer {
 public:
  Replayer(const Schedule& schedule, const CompiledSchedule& compiled);
  /// Reads the trace again in each run, and gives the results of its schedule.
  explicit Replayer(const StreamedTrace& trace);

  /// Throws Stuck, and TraceError where the trace is not what it was.
  ReplayResult run(const network::Network& network);

  /// The end of the operations of `rank` in the last run.
  [[nodiscard]] double end_s(std::uint32_t rank) const { return ends_[rank]; }

 private:
  using Kind = LocalEvent::Kind;
  using enum LocalEvent::Kind;

  using State = OperationState;

  struct Channel {
    OperationId head =
        no_operation;  // either messages that have arrived or receives that are posted, never both
    OperationId tail = no_operation;
  };

  struct Seen {
    double time_s = -1;
    OperationId message = 0;
  };

  [[nodiscard]] std::uint32_t ranks() const {
    return static_cast<std::uint32_t>(first_operation_.size() - 1);
  }
  [[nodiscard]] std::uint32_t rank_of(OperationId id) const {
    const auto above = std::ranges::upper_bound(first_operation_, id);
    return static_cast<std::uint32_t>(above - first_operation_.begin()) - 1;
  }
  void reset();
  void reset_operations();
  void add_channels();
  void set_network(const network::Network& network);
  [[nodiscard]] network::LogGp loggp_of(const Step& message) const;
  /// The latency between the current rank and another.
  [[nodiscard]] double latency_s(const network::LogGp& loggp, std::uint32_t other) const;
  [[nodiscard]] Stuck stuck() const;
  void start_rank(std::uint32_t rank);
  void run_rank(std::uint32_t rank, double until_s);
  void enter(std::uint32_t rank);
  void prefetch(std::span<const std::uint32_t> ranks);
  void handle(const LocalEvent& event);
  void push(std::uint32_t rank, Kind kind, double time_s, OperationId id);

  void begin_group(OperationId first, std::uint32_t more, double now_s);
  void prefetch(OperationId id, std::uint32_t first_dependent);
  void begin_operation(OperationId id, double now_s);
  void begin_send(OperationId id, double now_s);
  double take_out(const Step& step, const network::LogGp& loggp, double ready_s);
  double inject(OperationId id, double ready_s, Kind kind);
  void inject_eager(OperationId id, double ready_s);
  bool leaves_in_turn(OperationId id);
  [[nodiscard]] bool is_long(OperationId id) const { return steps_[id].amount > eager_bytes_; }
  /// One-sided data needs no handshake: the target's memory is there, and no receive is posted for it.
  [[nodiscard]] bool is_rendezvous(OperationId id) const { return is_long(id) && !steps_[id].one_sided; }
  /// Whether the card alone does the operation.
  [[nodiscard]] bool is_of_card(const Step& step) const {
    return offload_ && step.one_sided && step.background;
  }
  [[nodiscard]] double progress_s(const Step& step, double now_s) const;
  [[nodiscard]] double progress_s(std::uint16_t cpu, double now_s) const;
  [[nodiscard]] double processor_s(const Step& step, double now_s) const;
  void inject_inside_calls(OperationId id, double ready_s);
  void begin_to_leave(OperationId id, double ready_s);
  void leave(OperationId id, double now_s);
  double in_order(OperationId id, double seen_s);
  /// What makes a rank send a request or an answer.
  enum class Cause : std::uint8_t { call, arrival };
  [[nodiscard]] double behind_data_s(const Step& message, double ready_s, Cause cause) const;
  void send_answered(OperationId id, double now_s);
  [[nodiscard]] double request_leaves_s(const Step& message, double ready_s) const;
  double take_in(OperationId id, double now_s);
  void arrive(OperationId message, double now_s, double here_s);
  void post(OperationId receive, double now_s);
  OperationId meet(OperationId id, OperationKind other);
  void pair(OperationId receiver, OperationId message, double now_s, Cause cause);
  void receive_from(OperationId id, double now_s, double here_s);
  void receive(OperationId id, double now_s);

  void started(OperationId id, double now_s);
  void ended(OperationId id, double now_s);
  void release_dependents(OperationId id, std::uint32_t start, double time_s);
  /// Consecutive operations of the current rank that are ready at the same time.
  struct Group {
    OperationId first = 0;
    std::uint32_t count = 0;
    double ready_s = 0;
  };
  void release(std::uint32_t dependent, std::uint32_t start, double time_s, Group& group);
  void push(const Group& group);

  const std::vector<OperationId>& first_operation_;
  const RankResources& resources_;
  bool is_truncated_;
  // One of both.
  const Schedule* schedule_ = nullptr;
  const CompiledSchedule* compiled_ = nullptr;  // of it
  const StreamedTrace* trace_ = nullptr;
  std::unique_ptr<StreamedOperations> stream_;  // of its present run
  // Per operation.
  const Step* steps_ = nullptr;
  State* states_ = nullptr;
  const network::Network* network_ = nullptr;
  const network::LogGp* only_range_ = nullptr;  // null: the network has several ranges
  double window_s_ = 0;
  double eager_bytes_ = 0;
  double overhead_s_per_byte_ = 0;
  bool offload_ = false;
  bool inside_calls_ = false;
  bool may_overtake_ = false;
  double handed_over_s_ = 0;  // wire time of the bytes that a call hands over
  bool waits_behind_data_ = false;
  bool eager_may_stall_ = false;  // a card buffers less than the largest eager message

  SpillableColumn<State> state_column_;

  /// The order in which a card's requests, answers and data leave, where these wait for each other.
  struct Controls {
    double answered_s = -1;     // when the last answer left that a call gave
    bool data_is_late = false;  // the data that leaves without a pause began with a late answer
  };
  std::vector<Controls> controls_;  // per card
  // Per rank.
  std::vector<network::EventHeap<LocalEvent>> queues_;
  std::vector<double> ends_;
  std::vector<std::uint32_t> matcher_of_;
  // Per processor, card, channel and matcher.
  std::vector<double> cpus_;
  std::vector<network::NetworkCard> cards_;
  std::vector<Channel> channels_;
  std::vector<Seen> seen_;  // the last message of each channel; used only when messages may overtake
  std::vector<WildcardMatcher> matchers_;
  TimeWindows windows_;

  // For ProgressModel::inside_calls.

  /// The stalls of a rank's messages. A stall is the last part of a computation: the bytes that the call
  /// before it handed over have left, and no others do.
  struct Stalls {
    double all_s = 0;
    double last_s = 0;
    double last_begin_s = -1;
    /// The time of all stalls that began before `time_s`.
    [[nodiscard]] double before(double time_s) const {
      return time_s > last_begin_s ? all_s : all_s - last_s;
    }
    /// The end of the last stall, if it began before `time_s`: since then bytes leave again.
    [[nodiscard]] double end_before(double time_s) const {
      return last_begin_s >= 0 && time_s > last_begin_s ? last_begin_s + last_s : 0;
    }
  };
  /// The queue of the messages that leave through a card. Only the first one is on its way.
  struct Leaving {
    OperationId first = no_operation;
    OperationId last = no_operation;
    double stalled_before_s = 0;  // the time of all stalls when the first began to leave
    double waiting_s = 0;         // for which those behind the first will take the card
  };
  [[nodiscard]] double card_time_s(OperationId id) const;
  [[nodiscard]] Leaving& leaving_with(OperationId id);
  std::vector<Stalls> stalls_;
  std::vector<Leaving> leaving_;
  SpillableColumn<OperationId> leaves_next_column_;
  OperationId* leaves_next_ = nullptr;  // per operation: the one behind it in the queue

  // State of the current rank.
  std::uint32_t rank_ = 0;
  double* cpu_ = nullptr;
  network::NetworkCard* card_ = nullptr;
  double end_s_ = 0;
  std::uint64_t ended_ = 0;
  std::uint64_t messages_ = 0;
  std::uint64_t received_ = 0;
};

}  // namespace stretto::replay
