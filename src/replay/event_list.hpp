// SPDX-License-Identifier: BSD-3-Clause
// The events of a traced rank when messages move to where their data is produced or consumed: a list of them
// by the time at which each can happen, and how much was computed until a time. Writes no schedule.
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

/// How much of the overlap that its data allows a program exploits (Sancho et al., slides 8 to 11).
enum class Level : std::uint8_t {
  traced,            ///< as it is written
  independent,       ///< sent when all is produced, waited for when the first of it is needed
  consumer,          ///< and each part is waited for when it is needed
  producer_consumer  ///< and each part is sent when it is produced
};

/// traced, independent, consumer or producer-consumer. Throws std::invalid_argument.
[[nodiscard]] Level level_named(std::string_view name);

/// A thread's computation on the trace's clock: all that is not in a call.
class ComputedTime {
 public:
  /// The first call is the one after which the thread computes.
  void called(std::uint64_t begin_ns, std::uint64_t end_ns);
  [[nodiscard]] std::uint64_t until(std::uint64_t ns) const;
  [[nodiscard]] std::uint64_t last_call_ns() const { return calls_.empty() ? 0 : calls_.back().begin_ns; }

 private:
  struct Call {
    std::uint64_t begin_ns;
    std::uint64_t end_ns;
    std::uint64_t computed_ns;  // before it
  };
  SpillableColumn<Call> calls_;
};

struct ListedEvent {
  enum class What : std::uint8_t { fork, issue, await, collective, complete, end };
  std::uint64_t ns = 0;
  std::uint32_t thread = 0;
  What what = What::end;
  std::uint32_t part = 0;
  std::uint64_t number = 0;  ///< of the message, the request or the collective
  Operation operation;       ///< to issue; to await: only its kind
};

class EventList {
 public:
  /// So many are sorted in memory; a long list is merged of such runs, which may lie in a file.
  static constexpr std::size_t run_items = std::size_t{1} << 19U;

  EventList(Level level, const DataTimes& times) : level_(level), times_(times) {}

  /// How many operations a message becomes.
  [[nodiscard]] std::uint32_t parts() const { return level_ >= Level::consumer ? message_parts : 1; }

  /// Part `part` of a message that the program has begun to send or receive at `call_ns`. `operation` is of
  /// this part alone.
  void issue(std::uint32_t thread, std::uint64_t number, std::uint32_t part, const Operation& operation,
             std::uint64_t call_ns);
  /// The program waits at `call_ns` for a message that it sends: here; or receives: here, or later, where its
  /// data is needed.
  void await(std::uint32_t thread, std::uint64_t number, bool sends, std::uint64_t call_ns);
  void add(const ListedEvent& item);

  /// Gives all events to `use` in the order of time, those of the same time as they were added. The list is
  /// empty afterwards.
  void for_each_in_order(const std::function<void(const ListedEvent&)>& use);

 private:
  using Run = SpillableColumn<ListedEvent>;

  static void sort(Run& run);

  Level level_;
  const DataTimes& times_;
  std::vector<Run> runs_;  // all but the last are full, and sorted
  /// When the last message was issued of a kind, to or from a peer, with a tag: these keep their order.
  std::map<std::tuple<OperationKind, std::uint32_t, std::uint32_t>, std::uint64_t> channels_;
};

}  // namespace stretto::replay
