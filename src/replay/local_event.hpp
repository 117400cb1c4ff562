// SPDX-License-Identifier: BSD-3-Clause
// An event of one rank in the replay, and the order of simultaneous events.
#pragma once

#include <cstdint>

#include "replay/schedule.hpp"

namespace stretto::replay {

struct LocalEvent {
  /// Simultaneous events are handled in this order: ready operations come before messages. arrival: of an
  /// eager message or a rendezvous request. delivery: of the bytes of a rendezvous. left: all bytes have
  /// left, unless the rank computed in between. late_answer: an answer that waited for its rank to call.
  enum Kind : std::uint32_t { ready, complete, arrival, delivery, answer, late_answer, left };

  double time_s;
  /// The kind, the operation, and the number of operations behind it that are ready, too. Unique in a queue.
  std::uint64_t order;

  static constexpr unsigned group_bits = 24;
  static constexpr std::uint32_t max_in_group = (1U << group_bits) - 1;

  [[nodiscard]] static std::uint64_t order_of(Kind kind, OperationId id) {
    return (static_cast<std::uint64_t>(kind) << (group_bits + 32U)) |
           (static_cast<std::uint64_t>(id) << group_bits);
  }
  [[nodiscard]] Kind kind() const { return static_cast<Kind>(order >> (group_bits + 32U)); }
  [[nodiscard]] OperationId operation() const { return static_cast<OperationId>(order >> group_bits); }
  [[nodiscard]] std::uint32_t followers() const { return static_cast<std::uint32_t>(order & max_in_group); }

  [[nodiscard]] bool before(const LocalEvent& other) const {
    return time_s < other.time_s || (time_s == other.time_s && order < other.order);
  }
};

}  // namespace stretto::replay
