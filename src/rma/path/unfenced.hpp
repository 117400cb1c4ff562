// SPDX-License-Identifier: BSD-3-Clause
// How many operations of a sort there were, and how many of them a fence has covered. Not the operations.
#pragma once

#include <atomic>
#include <cstdint>

#include "rma/path/fetch_add.hpp"

namespace stretto::rma {

/// Counted once an operation has started, and not before: a fence of another thread covers what it sees
/// counted.
class Unfenced {
 public:
  void count() { (void)add_to(counted_, std::uint64_t{1}); }
  [[nodiscard]] std::uint64_t counted() const { return counted_.load(); }
  /// Whether there are some that no fence has covered.
  [[nodiscard]] bool any() const { return covered_.load() != counted_.load(); }
  /// The first `counted` of them are known to be done at the target.
  void cover(std::uint64_t counted) {
    std::uint64_t known = covered_.load(std::memory_order_relaxed);
    while (known < counted && !covered_.compare_exchange_weak(known, counted)) {
    }
  }

 private:
  std::atomic<std::uint64_t> counted_{0};
  std::atomic<std::uint64_t> covered_{0};
};

/// Of one target, by what may go ahead of them.
struct UnfencedOperations {
  Unfenced beyond_stores;  // puts and updates by rma or message, and open aggregates
  Unfenced rma_stores;     // blocking ones by rma, which nothing may follow: MPI orders no two operations
  Unfenced
      message_stores;  // blocking ones by message, which other messages may follow: these are served in order

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

}  // namespace stretto::rma
