// SPDX-License-Identifier: BSD-3-Clause
// When the parts of a traced message were produced or consumed, as the records beside it say.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <unordered_map>

#include "record/trace_format.hpp"

namespace stretto::replay {

/// Into how many parts a message is divided above Level::independent; a recorder divides it into as many.
inline constexpr std::uint32_t message_parts = 8;

/// In ns of the trace; 0: nobody has seen it.
struct PartTimes {
  std::array<std::uint64_t, message_parts> ns{};

  [[nodiscard]] std::uint64_t last() const { return *std::max_element(ns.begin(), ns.end()); }
  [[nodiscard]] std::uint64_t first() const {
    std::uint64_t first_ns = 0;
    for (const std::uint64_t one : ns) {
      if (one != 0 && (first_ns == 0 || one < first_ns)) first_ns = one;
    }
    return first_ns;
  }
  /// A part that nobody has touched counts as touched with the last.
  [[nodiscard]] std::uint64_t of(std::uint32_t part) const { return ns[part] != 0 ? ns[part] : last(); }
};

/// Of one rank, by the number of the message.
class DataTimes {
 public:
  void take(const record::Record& record) {
    const bool stores = record::high_field(record.begin_and_call) == record::produced;
    if (record.tag != static_cast<std::int32_t>(message_parts) || record.count >= message_parts) return;
    const std::uint64_t ns = record::low_field(record.begin_and_call);
    if (ns != 0) (stores ? produced_ : consumed_)[record.request].ns[record.count] = ns;
  }

  /// Null: it is not known.
  [[nodiscard]] const PartTimes* produced(std::uint64_t message) const { return find(produced_, message); }
  [[nodiscard]] const PartTimes* consumed(std::uint64_t message) const { return find(consumed_, message); }
  [[nodiscard]] std::size_t messages_produced() const { return produced_.size(); }
  [[nodiscard]] std::size_t messages_consumed() const { return consumed_.size(); }

 private:
  using Messages = std::unordered_map<std::uint64_t, PartTimes>;
  static const PartTimes* find(const Messages& messages, std::uint64_t message) {
    const auto found = messages.find(message);
    return found == messages.end() ? nullptr : &found->second;
  }

  Messages produced_;
  Messages consumed_;
};

}  // namespace stretto::replay
