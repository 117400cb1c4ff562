// SPDX-License-Identifier: BSD-3-Clause
// The counters of a rank, one row a target; several threads count at once.
#pragma once

#include <atomic>
#include <cstddef>
#include <memory>
#include <stretto/counters.hpp>

namespace stretto::rma {

class CounterTable {
 public:
  explicit CounterTable(int targets)
      : size_(static_cast<std::size_t>(targets)), rows_(std::make_unique<Row[]>(size_)) {}

  void operation(int target, Path path, std::size_t size_bytes) {
    Cell& cell = at(target, path);
    cell.operations.fetch_add(1, std::memory_order_relaxed);
    cell.bytes.fetch_add(size_bytes, std::memory_order_relaxed);
  }
  void message(int target, Path path) { at(target, path).messages.fetch_add(1, std::memory_order_relaxed); }
  void fence(int target) {
    rows_[static_cast<std::size_t>(target)].fences.fetch_add(1, std::memory_order_relaxed);
  }

  [[nodiscard]] Counters of(int target) const;
  [[nodiscard]] Counters all() const;
  void reset();

 private:
  struct Cell {
    std::atomic<std::uint64_t> operations{0};
    std::atomic<std::uint64_t> bytes{0};
    std::atomic<std::uint64_t> messages{0};
  };
  struct Row {
    Cell paths[3];
    std::atomic<std::uint64_t> fences{0};
  };

  Cell& at(int target, Path path) {
    return rows_[static_cast<std::size_t>(target)].paths[static_cast<std::size_t>(path)];
  }

  std::size_t size_;
  std::unique_ptr<Row[]> rows_;
};

}  // namespace stretto::rma
