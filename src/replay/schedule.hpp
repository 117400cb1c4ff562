// SPDX-License-Identifier: BSD-3-Clause
// The operations of every rank and their order: GOAL's sends, receives and calculations with their
// dependencies, as a structure of arrays. It knows no file format, and no times except those of
// calculations. GOAL: Hoefler, Siebert, Lumsdaine, Group Operation Assembly Language, ICPP 2009.
#pragma once

#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <vector>

#include "replay/operation_sink.hpp"
#include "replay/spillable_column.hpp"

namespace stretto::replay {

/// Index of an operation among those of all ranks, rank after rank.
using OperationId = std::uint32_t;

enum class OperationKind : std::uint8_t { send = 1, receive = 2, calculate = 3 };

/// Wildcard for the peer or tag of a receive. Sends cannot have it.
inline constexpr std::uint32_t any = 0xFFFFFFFF;
inline constexpr OperationId no_operation = 0xFFFFFFFF;

/// Sizes and durations up to here are exact as double.
inline constexpr std::uint64_t largest_amount = std::uint64_t{1} << 53U;
inline constexpr std::uint32_t max_ranks = 1U << 24U;
inline constexpr std::uint32_t max_operations = 1U << 31U;

/// The processor of operations that proceed alongside the calls of a rank: the rounds of a nonblocking
/// collective. They wait for processor 0 as the progress model of a replay says.
inline constexpr std::uint16_t background_cpu = 0xFFFF;
/// The same in GOAL files, where a processor's number is a byte.
inline constexpr std::uint8_t background_in_file = 255;
/// The card of one-sided messages. They pass through card 0. Under offload they need no handshake, and those
/// of background_cpu no processor: the card reads or writes the memory. Under the other models they are
/// messages as all.
inline constexpr std::uint8_t one_sided_nic = 255;
[[nodiscard]] constexpr std::uint8_t cpu_in_file(std::uint16_t cpu) {
  if (cpu == background_cpu) return background_in_file;
  return cpu < background_in_file ? static_cast<std::uint8_t>(cpu) : background_in_file - 1;
}
[[nodiscard]] constexpr std::uint16_t cpu_of_file(std::uint8_t cpu) {
  return cpu == background_in_file ? background_cpu : cpu;
}

struct ScheduleOperation {
  OperationKind kind = OperationKind::calculate;
  std::uint64_t amount = 0;  ///< bytes of a message, nanoseconds of a calculation
  std::uint32_t peer = 0;
  std::uint32_t tag = 0;
  std::uint16_t cpu = 0;
  std::uint8_t nic = 0;
  std::uint32_t line = 0;  ///< line in its file; 0: none
};

/// An invalid part of a schedule; readers of files add the file's name and line.
class ScheduleError : public std::invalid_argument {
 public:
  using std::invalid_argument::invalid_argument;
};

class Schedule {
 public:
  [[nodiscard]] std::uint32_t ranks() const { return static_cast<std::uint32_t>(first_operation.size() - 1); }
  [[nodiscard]] OperationId operations() const { return static_cast<OperationId>(kind.size()); }
  [[nodiscard]] ScheduleOperation operation(OperationId id) const {
    return {.kind = kind[id],
            .amount = amount[id],
            .peer = peer[id],
            .tag = tag[id],
            .cpu = cpu[id],
            .nic = nic[id],
            .line = line[id]};
  }
  [[nodiscard]] std::uint32_t rank_of(OperationId id) const;

  /// Some recordings ended early: operations without a partner never end, which is no error.
  bool truncated = false;
  // Per rank, and one past the last.
  std::vector<OperationId> first_operation{0};
  // Per operation.
  SpillableColumn<OperationKind> kind;
  SpillableColumn<std::uint16_t> cpu;
  SpillableColumn<std::uint8_t> nic;
  SpillableColumn<std::uint64_t> amount;
  SpillableColumn<std::uint32_t> peer;
  SpillableColumn<std::uint32_t> tag;
  SpillableColumn<std::uint32_t> line;
  SpillableColumn<std::uint32_t> dependencies;  ///< number of operations that it waits for
  /// Per operation, and one past the last: the first index in `dependents` of the operations that wait for
  /// it.
  SpillableColumn<std::uint32_t> first_dependent{0};
  /// `OperationId << 1 | 1` for an operation that waits for the start (`irequires`), `| 0` for the end
  /// (`requires`).
  SpillableColumn<std::uint32_t> dependents;
};

/// Throws ScheduleError where a schedule with so many operations may not have this one, too.
void check(const ScheduleOperation& operation, std::size_t operations);

/// Builds a schedule rank by rank: the operations and dependencies of rank 0, end_rank(), and so on.
class ScheduleBuilder final : public OperationSink {
 public:
  void reserve(std::size_t operations);

  std::uint32_t add(const ScheduleOperation& operation) override;
  void require(std::uint32_t later, std::uint32_t earlier) override { add_edge(later, earlier, 0); }
  void require_start(std::uint32_t later, std::uint32_t earlier) override { add_edge(later, earlier, 1); }

  /// The number of operations of the current rank so far.
  [[nodiscard]] std::uint32_t operations_of_rank() const {
    return schedule_.operations() - schedule_.first_operation.back();
  }
  /// An operation of the current rank that depends on itself; no_operation: none.
  [[nodiscard]] OperationId find_cycle() const;
  /// Throws ScheduleError when dependencies form a cycle.
  void end_rank();

  /// The schedule of all ended ranks. Throws ScheduleError when there are none, or when an operation's peer
  /// does not exist.
  [[nodiscard]] Schedule finish();

 private:
  struct Edge {
    std::uint32_t earlier;
    std::uint32_t later_and_start;  // as Schedule::dependents, but with numbers within the rank
  };

  void add_edge(std::uint32_t later, std::uint32_t earlier, std::uint32_t start);

  Schedule schedule_;
  SpillableColumn<Edge> edges_;
  bool forward_ = true;  // all edges lead from lower to higher numbers, so that there is no cycle
};

/// The operation as GOAL text: `send 8b to 1 tag 5`.
[[nodiscard]] std::string goal_text(const ScheduleOperation& operation);

}  // namespace stretto::replay
