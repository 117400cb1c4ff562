// SPDX-License-Identifier: BSD-3-Clause
// The counters of a rank, one row for each target. Several threads may count at once.
#pragma once

#include <atomic>
#include <cstddef>
#include <memory>
#include <stretto/counters.hpp>

#include "onesided/memory/cache_lines.hpp"
#include "onesided/memory/threading.hpp"
#include "onesided/path/fetch_and_add.hpp"

namespace stretto::onesided {

class CounterTable {
 public:
  explicit CounterTable(int targets)
      : size_(static_cast<std::size_t>(targets)), rows_(std::make_unique<Row[]>(size_)) {}

  void operation(int target, Path path, std::size_t size_bytes) {
    Cell& cell = at(target, path);
    add(cell.operations, 1);
    add(cell.bytes, size_bytes);
  }
  /// Bytes that this rank copies into a buffer, or out of one.
  void copy(int target, Path path, std::size_t size_bytes) { add(at(target, path).copied_bytes, size_bytes); }
  void message(int target, Path path) { add(at(target, path).messages, 1); }
  void fence(int target) { add(rows_[static_cast<std::size_t>(target)].fences, 1); }

  [[nodiscard]] Counters of(int target) const;
  [[nodiscard]] Counters all() const;
  void reset();

 private:
  struct Cell {
    Atomic<std::uint64_t> operations{0};
    Atomic<std::uint64_t> bytes{0};
    Atomic<std::uint64_t> messages{0};
    Atomic<std::uint64_t> copied_bytes{0};
  };
  struct alignas(line_bytes) Row {
    Cell paths[3];
    Atomic<std::uint64_t> fences{0};
  };

  static void add(Atomic<std::uint64_t>& count, std::uint64_t amount) {
    (void)fetch_and_add(count, amount, std::memory_order_relaxed);
  }
  Cell& at(int target, Path path) {
    return rows_[static_cast<std::size_t>(target)].paths[static_cast<std::size_t>(path)];
  }

  std::size_t size_;
  std::unique_ptr<Row[]> rows_;
};

}  // namespace stretto::onesided
