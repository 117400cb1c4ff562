// SPDX-License-Identifier: BSD-3-Clause
// Accesses of instrumented code to the pages of messages: for every eight bytes (a granule) the last store,
// and the first load since a message arrived. One table lookup excludes all other accesses.
#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>

#include "memory/addresses.hpp"
#include "memory/watch.hpp"

#if defined(__x86_64__)
#include <x86intrin.h>
#endif

namespace stretto::memory {

inline constexpr unsigned granule_bits = 3;
inline constexpr std::size_t granules_of_a_page = std::size_t{1} << (page_bits - granule_bits);

/// The processor's time stamp counter, if there is one, because it is cheaper to read than the clock.
inline std::uint64_t ticks() {
#if defined(__x86_64__)
  return __rdtsc();
#else
  return clock_ns();
#endif
}

/// Values in place of the ticks of a first load.
inline constexpr std::uint64_t nothing = 0;  ///< no message arrived, or it was overwritten before it was read
inline constexpr std::uint64_t expected = 1;  ///< a message arrived, and was not read yet

struct Page {
  std::uint64_t since = 0;  ///< ticks at which watching began
  std::array<std::atomic<std::uint64_t>, granules_of_a_page> stores{};
  std::array<std::atomic<std::uint64_t>, granules_of_a_page> loads{};
};

/// One entry for each page of the address space; null before anything is watched. It is read without a lock,
/// so pages are added and never removed.
extern std::atomic<Page*>* page_table;

inline Page* page_at(std::uintptr_t address) {
  const std::uintptr_t page = address >> page_bits;
  if (page_table == nullptr || page >= process_pages) return nullptr;
  return page_table[page].load(std::memory_order_acquire);
}

inline std::size_t granule_at(std::uintptr_t address) {
  return (address >> granule_bits) % granules_of_a_page;
}

inline void note_load(Page& page, std::size_t granule) {
  std::atomic<std::uint64_t>& load = page.loads[granule];
  if (load.load(std::memory_order_relaxed) == expected) load.store(ticks(), std::memory_order_relaxed);
}

inline void note_store(Page& page, std::size_t granule) {
  page.stores[granule].store(ticks(), std::memory_order_relaxed);
  std::atomic<std::uint64_t>& load = page.loads[granule];
  if (load.load(std::memory_order_relaxed) == expected) load.store(nothing, std::memory_order_relaxed);
}

}  // namespace stretto::memory
