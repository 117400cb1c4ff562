// SPDX-License-Identifier: BSD-3-Clause
// The labels of one rank: a map from name to operation number. It is one open hash table, reused for every
// rank. Schedules have millions of labels, and the nodes of std::unordered_map would dominate the parsing
// time.
#pragma once

#include <cstdint>
#include <functional>
#include <string_view>
#include <vector>

namespace stretto::replay {

class GoalLabels {
 public:
  static constexpr std::uint32_t none = 0xFFFFFFFF;

  GoalLabels() : slots_(64) {}

  void clear() {
    used_ = 0;
    ++generation_;
  }

  /// Returns false when the label exists already. `label` must outlive the table.
  bool insert(std::string_view label, std::uint32_t number) {
    if (2 * (used_ + 1) > slots_.size()) grow();
    Slot& slot = find_slot(label);
    if (slot.generation == generation_) return false;
    slot = {.label = label, .number = number, .generation = generation_};
    ++used_;
    return true;
  }

  /// `none` when there is no such label.
  [[nodiscard]] std::uint32_t find(std::string_view label) {
    const Slot& slot = find_slot(label);
    return slot.generation == generation_ ? slot.number : none;
  }

 private:
  struct Slot {
    std::string_view label;
    std::uint32_t number = 0;
    std::uint32_t generation = 0;
  };

  Slot& find_slot(std::string_view label) {
    const std::size_t mask = slots_.size() - 1;
    std::size_t at = std::hash<std::string_view>{}(label)&mask;
    while (slots_[at].generation == generation_ && slots_[at].label != label) at = (at + 1) & mask;
    return slots_[at];
  }

  void grow() {
    std::vector<Slot> old(2 * slots_.size());
    old.swap(slots_);
    for (const Slot& slot : old) {
      if (slot.generation == generation_) find_slot(slot.label) = slot;
    }
  }

  std::vector<Slot> slots_;
  std::size_t used_ = 0;
  std::uint32_t generation_ = 1;
};

}  // namespace stretto::replay
