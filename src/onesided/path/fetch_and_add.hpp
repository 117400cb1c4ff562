// SPDX-License-Identifier: BSD-3-Clause
// Adds to the counters of every operation. Knows no MPI.
#pragma once

#include <atomic>

#include "onesided/memory/threading.hpp"

namespace stretto::onesided {

/// Whether several threads may call the runtime at once. As in MPI it holds for the whole process; a runtime
/// sets it when it begins.
inline constinit Atomic<bool> concurrent_callers{true};

/// Returns the value before. With one thread at a time, a load and a store are enough: a locked addition
/// takes longer than all other counting of a small operation. Always inline, because a call of it takes a
/// nanosecond of a put's ten.
template <typename Count>
[[gnu::always_inline]] inline Count fetch_and_add(Atomic<Count>& count, Count amount,
                                                  std::memory_order order = std::memory_order_seq_cst) {
  if (concurrent_callers.load(std::memory_order_relaxed)) return count.fetch_add(amount, order);
  const Count before = count.load(std::memory_order_relaxed);
  count.store(before + amount, std::memory_order_release);
  return before;
}

}  // namespace stretto::onesided
