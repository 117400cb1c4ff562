// SPDX-License-Identifier: BSD-3-Clause
// The moves of a four-way heap in one array. Who owns the array, and notes where things lie, says `set`.
#pragma once

#include <cstddef>
#include <vector>

namespace stretto::replay::four_way_heap {

inline constexpr std::size_t ways = 4;

/// Moves the hole at `hole` up to where `entry` belongs, and puts it there by `set(place, entry)`.
template <typename Entry, typename Set>
void rise(const std::vector<Entry>& heap, std::size_t hole, const Entry& entry, Set&& set) {
  while (hole > 0) {
    const std::size_t parent = (hole - 1) / ways;
    if (!entry.before(heap[parent])) break;
    set(hole, heap[parent]);
    hole = parent;
  }
  set(hole, entry);
}

/// Moves the hole at the top down to where `entry` belongs, and puts it there by `set(place, entry)`.
template <typename Entry, typename Set>
void sink(const std::vector<Entry>& heap, const Entry& entry, Set&& set) {
  const std::size_t count = heap.size();
  std::size_t hole = 0;
  for (std::size_t child = 1; child < count; child = ways * hole + 1) {
    std::size_t least = child;
    const std::size_t end = child + ways < count ? child + ways : count;
    for (std::size_t other = child + 1; other < end; ++other) {
      if (heap[other].before(heap[least])) least = other;
    }
    if (!heap[least].before(entry)) break;
    set(hole, heap[least]);
    hole = least;
  }
  set(hole, entry);
}

}  // namespace stretto::replay::four_way_heap
