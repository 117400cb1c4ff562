// SPDX-License-Identifier: BSD-3-Clause
// A priority queue of events, earliest first: a four-ary heap of small records in one array. Four children
// per node touch few cache lines, and nothing is allocated once the array has grown.
#pragma once

#include <algorithm>
#include <cstddef>
#include <vector>

namespace stretto::network {

/// `Record` has `before()`, a strict order without ties.
template <typename Record>
class EventHeap {
 public:
  [[nodiscard]] bool empty() const { return heap_.empty(); }
  [[nodiscard]] std::size_t size() const { return heap_.size(); }
  void clear() { heap_.clear(); }

  /// The earliest event; the heap must not be empty.
  [[nodiscard]] const Record& top() const { return heap_.front(); }

  void push(const Record& event) {
    std::size_t hole = heap_.size();
    heap_.push_back(event);
    while (hole > 0) {
      const std::size_t parent = (hole - 1) / ways;
      if (!event.before(heap_[parent])) break;
      heap_[hole] = heap_[parent];
      hole = parent;
    }
    heap_[hole] = event;
  }

  void pop() {
    const Record last = heap_.back();
    heap_.pop_back();
    if (!heap_.empty()) sink(last);
  }

 private:
  static constexpr std::size_t ways = 4;

  /// Moves the hole at the top down to where `event` belongs.
  void sink(const Record& event) {
    std::size_t hole = 0;
    for (std::size_t child = 1; child < heap_.size(); child = ways * hole + 1) {
      std::size_t least = child;
      const std::size_t end = std::min(child + ways, heap_.size());
      for (std::size_t other = child + 1; other < end; ++other) {
        if (heap_[other].before(heap_[least])) least = other;
      }
      if (!heap_[least].before(event)) break;
      heap_[hole] = heap_[least];
      hole = least;
    }
    heap_[hole] = event;
  }

  std::vector<Record> heap_;
};

}  // namespace stretto::network
