// SPDX-License-Identifier: BSD-3-Clause
// Functions that build short schedules for tests of the replay.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "replay/goal.hpp"
#include "replay/replay.hpp"

namespace stretto::replay {

inline constexpr double tolerance_s = 1e-15;  // of makespans of microseconds: a few units in the last place

inline ScheduleOperation send(std::uint64_t size_bytes, std::uint32_t peer, std::uint32_t tag = 0) {
  return {.kind = OperationKind::send, .amount = size_bytes, .peer = peer, .tag = tag};
}

inline ScheduleOperation receive(std::uint64_t size_bytes, std::uint32_t peer, std::uint32_t tag = 0) {
  return {.kind = OperationKind::receive, .amount = size_bytes, .peer = peer, .tag = tag};
}

inline ScheduleOperation calculate(std::uint64_t duration_ns) {
  return {.kind = OperationKind::calculate, .amount = duration_ns};
}

/// Every operation of a rank waits for the one before it: ordinary blocking code.
class BlockingCode {
 public:
  void add(const ScheduleOperation& operation) {
    const std::uint32_t number = builder_.add(operation);
    if (number > 0) builder_.require(number, number - 1);
  }
  void end_rank() { builder_.end_rank(); }
  Schedule finish() { return builder_.finish(); }

 private:
  ScheduleBuilder builder_;
};

/// Code that starts messages and computes at the same time. A rank goes on when a message has started, and
/// when a computation has ended.
class NonblockingCode {
 public:
  void start(const ScheduleOperation& message) { started_.push_back(follow(message, true)); }
  void compute(std::uint64_t duration_ns, std::uint16_t cpu = 0) {
    follow({.amount = duration_ns, .cpu = cpu}, false);
  }
  /// Waits for all messages that have been started.
  void wait() {
    compute(0);
    for (const std::uint32_t message : started_) builder.require(*last_, message);
    started_.clear();
  }
  void end_rank() {
    builder.end_rank();
    started_.clear();
    last_.reset();
  }

  ScheduleBuilder builder;  ///< for operations that the rank does not wait for

 private:
  std::uint32_t follow(const ScheduleOperation& operation, bool goes_on_at_start) {
    const std::uint32_t number = builder.add(operation);
    if (last_ && last_starts_) builder.require_start(number, *last_);
    if (last_ && !last_starts_) builder.require(number, *last_);
    last_ = number;
    last_starts_ = goes_on_at_start;
    return number;
  }

  std::vector<std::uint32_t> started_;
  std::optional<std::uint32_t> last_;
  bool last_starts_ = false;
};

inline ReplayResult replayed(const Schedule& schedule, const network::Network& network) {
  const CompiledSchedule compiled(schedule);
  return Replayer(schedule, compiled).run(network);
}

inline double makespan_s(const Schedule& schedule, std::string_view network) {
  return replayed(schedule, network::network_from(network)).makespan_s;
}

inline double makespan_s(std::string_view goal, std::string_view network) {
  return makespan_s(parse_goal_text(goal, "test.goal"), network);
}

}  // namespace stretto::replay
