// SPDX-License-Identifier: BSD-3-Clause
// Counts to which every operation adds. Knows no MPI.
#pragma once

#include <atomic>

namespace stretto::rma {

/// Whether several threads may call the runtime at once, which is a matter of the whole process, as in MPI. A
/// runtime says so when it begins.
inline constinit std::atomic<bool> threads_at_once{true};

/// Returns what it was before. Where one thread at a time calls, a load and a store do: a processor's locked
/// addition takes longer than all else that a small operation counts.
template <typename Count>
Count add_to(std::atomic<Count>& count, Count amount, std::memory_order order = std::memory_order_seq_cst) {
  if (threads_at_once.load(std::memory_order_relaxed)) return count.fetch_add(amount, order);
  const Count before = count.load(std::memory_order_relaxed);
  count.store(before + amount, std::memory_order_release);
  return before;
}

}  // namespace stretto::rma
