// SPDX-License-Identifier: BSD-3-Clause
// What is recorded of each granule (eight bytes) that holds data of messages: when it was last stored to,
// where the stored value was loaded from, and when it was first loaded since a message arrived. The table
// has one entry for each page that holds such data:
//
//   page_table[address >> page_bits] --> Page { stores[512], loads[512], sources[512], places[512],
//   returns[512] }
//                                                ticks        ticks       addresses     code         epochs
//
// Threads of the program write entries without a lock; the last of several stores at the same time wins.
#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>

#include "memory/addresses.hpp"
#include "memory/shadow.hpp"
#include "memory/watch.hpp"

#if defined(__x86_64__)
#include <x86intrin.h>
#endif

namespace stretto::memory {

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
  std::array<std::atomic<std::uint64_t>, granules_of_a_page> stores{};
  std::array<std::atomic<std::uint64_t>, granules_of_a_page> loads{};
  /// Where the program loaded from last before it stored here; 0: nowhere, or not by the program.
  std::array<std::atomic<std::uintptr_t>, granules_of_a_page> sources{};
  /// Where in the program's code it stored here last; 0: not known, or not by the program.
  std::array<std::atomic<std::uintptr_t>, granules_of_a_page> places{};
  /// The arrival before which nothing may be stored here, because MPI was still reading what was sent.
  std::array<std::atomic<std::uint32_t>, granules_of_a_page> returns{};
};

/// One entry for each page of the address space; null before anything is watched. It is read without a lock,
/// so pages are added and never removed.
extern std::atomic<Page*>* page_table;

inline Page* page_at(std::uintptr_t address) {
  const std::uintptr_t page = address >> page_bits;
  if (page_table == nullptr || page >= process_pages) return nullptr;
  return page_table[page].load(std::memory_order_acquire);
}
inline Page* page_of_granule(std::uintptr_t granule) { return page_at(granule << granule_bits); }
inline std::size_t index_in_page(std::uintptr_t granule) { return granule % granules_of_a_page; }

/// The entry of a page, created if needed; null where too many pages are watched.
Page* add_page(std::uintptr_t address);

/// From now on, stores to the granule are noted. No store since watching begins counts as one at that time.
/// Returns whether they were noted before.
bool watch_stores(std::uintptr_t granule);

/// The arrival before which nothing may be stored here; 0: none.
inline std::uint32_t returned_with(std::uintptr_t granule) {
  const Page* page = page_of_granule(granule);
  return page == nullptr ? 0 : page->returns[index_in_page(granule)].load(std::memory_order_relaxed);
}

/// Whether a message arrived here and was not loaded since.
inline bool is_unread(std::uintptr_t granule) {
  const Page* page = page_of_granule(granule);
  return page != nullptr && page->loads[index_in_page(granule)].load(std::memory_order_relaxed) == expected;
}

/// Returns whether this is the first load since a message arrived here.
inline bool note_load(std::uintptr_t granule) {
  Page* page = page_of_granule(granule);
  if (page == nullptr) return false;
  std::atomic<std::uint64_t>& load = page->loads[index_in_page(granule)];
  if (load.load(std::memory_order_relaxed) != expected) return false;
  load.store(ticks(), std::memory_order_relaxed);
  return true;
}

/// Returns whether a message was here that was not loaded since it arrived.
inline bool note_store(std::uintptr_t granule, std::uintptr_t source, std::uintptr_t place) {
  Page* page = page_of_granule(granule);
  if (page == nullptr) return false;
  const std::size_t index = index_in_page(granule);
  page->stores[index].store(ticks(), std::memory_order_relaxed);
  page->sources[index].store(source, std::memory_order_relaxed);
  page->places[index].store(place, std::memory_order_relaxed);
  std::atomic<std::uint64_t>& load = page->loads[index];
  if (load.load(std::memory_order_relaxed) != expected) return false;
  load.store(nothing, std::memory_order_relaxed);
  return true;
}

}  // namespace stretto::memory
