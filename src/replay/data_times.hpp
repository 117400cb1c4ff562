// SPDX-License-Identifier: BSD-3-Clause
// The times at which the parts of a traced message were produced or consumed, from the records next to it.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>

#include "record/trace_format.hpp"
#include "replay/request_table.hpp"

namespace stretto::replay {

/// The number of parts of a message above Level::independent; the recorder uses the same number.
inline constexpr std::uint32_t message_parts = 8;

/// Times in ns of the trace, with the computation between two calls in the order of the arrivals that it
/// depends on, where that is known; 0: not recorded.
struct PartTimes {
  std::array<std::uint64_t, message_parts> ns{};

  [[nodiscard]] bool known() const { return last() != 0; }
  [[nodiscard]] std::uint64_t last() const { return *std::ranges::max_element(ns); }
  [[nodiscard]] std::uint64_t first() const {
    std::uint64_t first_ns = 0;
    for (const std::uint64_t one : ns) {
      if (one != 0 && (first_ns == 0 || one < first_ns)) first_ns = one;
    }
    return first_ns;
  }
  /// A part without a recorded access counts as accessed with the last one.
  [[nodiscard]] std::uint64_t of(std::uint32_t part) const { return ns[part] != 0 ? ns[part] : last(); }
};

/// The times of the messages of one rank, by message number.
class DataTimes {
 public:
  explicit DataTimes(std::uint64_t max_messages) : produced_(max_messages), consumed_(max_messages) {}

  void add(const record::Record& record) {
    const bool stores = record::high_field(record.begin_and_call) == record::produced;
    if (record.tag != static_cast<std::int32_t>(message_parts) || record.count >= message_parts) return;
    const std::uint64_t accessed_ns = record::low_field(record.begin_and_call);
    // Where computation was followed: the time with independent work first.
    const std::uint64_t reordered_ns = record::low_field(record.duration_and_site);
    const std::uint64_t ns = accessed_ns != 0 && reordered_ns != 0 ? reordered_ns : accessed_ns;
    PartTimes* times = ns == 0 ? nullptr : (stores ? produced_ : consumed_).slot(record.request);
    if (times == nullptr) return;
    if (!times->known()) ++(stores ? messages_produced_ : messages_consumed_);
    times->ns[record.count] = ns;
  }

  /// The times of a message; null: not recorded.
  [[nodiscard]] const PartTimes* produced(std::uint64_t message) const { return find(produced_, message); }
  [[nodiscard]] const PartTimes* consumed(std::uint64_t message) const { return find(consumed_, message); }
  [[nodiscard]] std::uint64_t messages_produced() const { return messages_produced_; }
  [[nodiscard]] std::uint64_t messages_consumed() const { return messages_consumed_; }

 private:
  using Messages = RequestTable<PartTimes>;
  static const PartTimes* find(const Messages& messages, std::uint64_t message) {
    const PartTimes* found = messages.find(message);
    return found != nullptr && found->known() ? found : nullptr;
  }

  Messages produced_;
  Messages consumed_;
  std::uint64_t messages_produced_ = 0;
  std::uint64_t messages_consumed_ = 0;
};

}  // namespace stretto::replay
