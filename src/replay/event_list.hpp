// SPDX-License-Identifier: BSD-3-Clause
// The events of a traced rank when its messages move to where their data is produced or consumed. The list
// is sorted by the earliest time of each event. ComputedTime gives the computation until a time. No
// schedule is written here.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <string_view>
#include <tuple>
#include <vector>

#include "replay/data_times.hpp"
#include "replay/schedule.hpp"
#include "replay/spillable_column.hpp"

namespace stretto::replay {

/// The degree to which a program exploits the overlap that its data dependencies allow (Sancho et al.,
/// slides 8 to 11).
enum class Level : std::uint8_t {
  traced,            ///< the program as it is
  independent,       ///< sent when all data is produced, awaited when the first part is needed
  consumer,          ///< in addition, each part is awaited when it is needed
  producer_consumer  ///< in addition, each part is sent when it is produced
};

/// Reads traced, independent, consumer or producer-consumer. Throws std::invalid_argument.
[[nodiscard]] Level level_named(std::string_view name);

/// A thread's computation on the clock of the trace: all time outside of calls.
class ComputedTime {
 public:
  /// Adds a call. The thread computes after the first one.
  void called(std::uint64_t begin_ns, std::uint64_t end_ns);
  [[nodiscard]] std::uint64_t until(std::uint64_t ns) const;
  [[nodiscard]] std::uint64_t last_call_ns() const { return calls_.empty() ? 0 : calls_.back().begin_ns; }

 private:
  struct Call {
    std::uint64_t begin_ns;
    std::uint64_t end_ns;
    std::uint64_t computed_ns;  // computation before this call
  };
  SpillableColumn<Call> calls_;
};

struct ListedEvent {
  enum class What : std::uint8_t { fork, issue, await, call, complete, end };
  std::uint64_t ns = 0;
  std::uint32_t thread = 0;
  What what = What::end;
  std::uint32_t part = 0;
  std::uint64_t number = 0;     ///< number of the message, the request or the call
  ScheduleOperation operation;  ///< the operation to issue; for await only its kind is used
};

class EventList {
 public:
  /// Number of events that are sorted in memory. A longer list is merged from such runs, which may be in a
  /// file.
  static constexpr std::size_t run_items = std::size_t{1} << 19U;

  EventList(Level level, const DataTimes& times) : level_(level), times_(times) {}

  /// The number of operations per message.
  [[nodiscard]] std::uint32_t parts() const { return level_ >= Level::consumer ? message_parts : 1; }

  /// Adds part `part` of a message that the program starts to send or receive at `call_ns`. `operation`
  /// describes this part alone.
  void issue(std::uint32_t thread, std::uint64_t number, std::uint32_t part,
             const ScheduleOperation& operation, std::uint64_t call_ns);
  /// Adds the wait of the program at `call_ns` for a message. A sender waits there; a receiver waits there
  /// or later, where its data is needed.
  void await(std::uint32_t thread, std::uint64_t number, bool sends, std::uint64_t call_ns);
  /// The time at which the program must wait for a received message that it waits for at `call_ns`.
  [[nodiscard]] std::uint64_t needed_ns(std::uint64_t number, std::uint64_t call_ns) const;
  void add(const ListedEvent& item);

  /// Passes all events to `use` in the order of time; simultaneous events in the order of add(). The list
  /// is empty afterwards.
  void for_each_in_order(const std::function<void(const ListedEvent&)>& use);

 private:
  using Run = SpillableColumn<ListedEvent>;

  static void sort(Run& run);

  Level level_;
  const DataTimes& times_;
  std::vector<Run> runs_;  // all but the last are full and sorted
  /// Time of the last message issued, per kind, peer and tag: messages of one channel keep their order.
  std::map<std::tuple<OperationKind, std::uint32_t, std::uint32_t>, std::uint64_t> channels_;
  static constexpr std::uint64_t min_difference_ns = 1000;
  std::map<std::pair<std::uint32_t, std::uint32_t>, std::uint64_t>
      sent_;  // by thread and part, the last send
};

}  // namespace stretto::replay
