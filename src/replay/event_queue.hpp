// SPDX-License-Identifier: BSD-3-Clause
// What is still to happen, earliest first: a four-way heap of small records in one array. Not a tree of
// nodes: its cost is cache lines touched, and nothing is allocated once the array has grown.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "replay/four_way_heap.hpp"

namespace stretto::replay {

struct Event {
  double time_s = 0;
  std::uint64_t order = 0;  ///< ties in time are taken in this order; unique, so that every run is the same
  std::uint32_t kind = 0;
  std::uint32_t subject = 0;

  [[nodiscard]] bool before(const Event& other) const {
    return time_s < other.time_s || (time_s == other.time_s && order < other.order);
  }
};

/// `Record` has before(), a strict order without ties.
template <typename Record>
class EventHeap {
  auto setting() {
    return [this](std::size_t at, const Record& event) { heap_[at] = event; };
  }

 public:
  [[nodiscard]] bool empty() const { return heap_.empty(); }
  [[nodiscard]] std::size_t size() const { return heap_.size(); }
  void clear() { heap_.clear(); }

  /// The earliest event; the queue must not be empty.
  [[nodiscard]] const Record& top() const { return heap_.front(); }

  void push(const Record& event) {
    heap_.push_back(event);
    four_way_heap::rise(heap_, heap_.size() - 1, event, setting());
  }

  void pop() {
    const Record last = heap_.back();
    heap_.pop_back();
    if (!heap_.empty()) four_way_heap::sink(heap_, last, setting());
  }

 private:
  std::vector<Record> heap_;
};

using EventQueue = EventHeap<Event>;

}  // namespace stretto::replay
