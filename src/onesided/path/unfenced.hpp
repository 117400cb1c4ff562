// SPDX-License-Identifier: BSD-3-Clause
// Counts of operations, and of those that a fence has covered. It does not hold the operations.
#pragma once

#include <atomic>
#include <cstdint>

#include "onesided/memory/cache_lines.hpp"
#include "onesided/memory/threading.hpp"
#include "onesided/path/fetch_and_add.hpp"

namespace stretto::onesided {

/// An operation is counted when it has started, and not before: a fence of another thread covers what it sees
/// counted.
class Unfenced {
 public:
  void count() { (void)fetch_and_add(counted_, std::uint64_t{1}); }
  [[nodiscard]] std::uint64_t counted() const { return counted_.load(); }
  /// Whether some are not covered by a fence.
  [[nodiscard]] bool any() const { return covered_.load() != counted_.load(); }
  /// Records that the first `counted` of them are done at the target.
  void cover(std::uint64_t counted) {
    std::uint64_t known = covered_.load(std::memory_order_relaxed);
    while (known < counted && !covered_.compare_exchange_weak(known, counted)) {
    }
  }

 private:
  Atomic<std::uint64_t> counted_{0};
  Atomic<std::uint64_t> covered_{0};
};

/// The unfenced operations to one target, by what may overtake them. Threads with targets of their own share
/// no cache line.
struct alignas(line_bytes) UnfencedOperations {
  Unfenced beyond_stores;  // puts and updates by rma or message, and aggregates that hold operations
  Unfenced rma_stores;     // blocking ones by rma: any later operation may overtake them
  Unfenced
      message_stores;  // blocking ones by message: later messages do not, because they are served in order

  struct Counts {
    std::uint64_t beyond_stores = 0;
    std::uint64_t rma_stores = 0;
    std::uint64_t message_stores = 0;
  };
  [[nodiscard]] Counts counted() const {
    return {.beyond_stores = beyond_stores.counted(),
            .rma_stores = rma_stores.counted(),
            .message_stores = message_stores.counted()};
  }
  [[nodiscard]] bool any() const { return beyond_stores.any() || rma_stores.any() || message_stores.any(); }
  void cover(const Counts& counts) {
    beyond_stores.cover(counts.beyond_stores);
    rma_stores.cover(counts.rma_stores);
    message_stores.cover(counts.message_stores);
  }
};

}  // namespace stretto::onesided
