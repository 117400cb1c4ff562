// SPDX-License-Identifier: BSD-3-Clause
#include "onesided/path/counter_table.hpp"

namespace stretto::onesided {

// Counts of different cells are read one after the other, while other threads may count.
Counters CounterTable::of(int target) const {
  const Row& row = rows_[static_cast<std::size_t>(target)];
  Counters counters;
  for (std::size_t path = 0; path < counters.paths.size(); ++path) {
    counters.paths[path] = {.operations = row.paths[path].operations.load(std::memory_order_relaxed),
                            .bytes = row.paths[path].bytes.load(std::memory_order_relaxed),
                            .messages = row.paths[path].messages.load(std::memory_order_relaxed),
                            .copied_bytes = row.paths[path].copied_bytes.load(std::memory_order_relaxed)};
  }
  counters.fences = row.fences.load(std::memory_order_relaxed);
  return counters;
}

Counters CounterTable::all() const {
  Counters sum;
  for (std::size_t target = 0; target < size_; ++target) {
    const Counters row = of(static_cast<int>(target));
    for (std::size_t path = 0; path < sum.paths.size(); ++path) {
      sum.paths[path].operations += row.paths[path].operations;
      sum.paths[path].bytes += row.paths[path].bytes;
      sum.paths[path].messages += row.paths[path].messages;
      sum.paths[path].copied_bytes += row.paths[path].copied_bytes;
    }
    sum.fences += row.fences;
  }
  return sum;
}

void CounterTable::reset() {
  for (std::size_t target = 0; target < size_; ++target) {
    Row& row = rows_[target];
    for (Cell& cell : row.paths) {
      cell.operations = 0;
      cell.bytes = 0;
      cell.messages = 0;
      cell.copied_bytes = 0;
    }
    row.fences = 0;
  }
}

}  // namespace stretto::onesided
