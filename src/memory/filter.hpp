// SPDX-License-Identifier: BSD-3-Clause
// The filter of accesses: one byte for each of the 2^20 pages of 4 GiB, shared by pages that are 4 GiB apart.
// in_line.s reads it, too. The table of granules.hpp identifies the page.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>

#include "memory/addresses.hpp"

namespace stretto::memory {

inline constexpr std::size_t filter_pages = std::size_t{1} << (32U - page_bits);

}  // namespace stretto::memory

/// Not zero where a page with this number or the next one is watched, because an access may extend to the
/// next page. A process has one filter: the program's, if it has one, else that of the shared library.
extern "C" __attribute__((visibility("default"))) std::atomic<std::uint8_t>
    stretto_memory_filter[stretto::memory::filter_pages];

namespace stretto::memory {

/// Whether an access of at most a page may concern a watched page.
inline bool may_be_watched(std::uintptr_t address) {
  return stretto_memory_filter[static_cast<std::uint32_t>(address) >> page_bits].load(
             std::memory_order_relaxed) != 0;
}

inline void mark_watched(std::uintptr_t page) {
  for (const std::uintptr_t one : {page, page - 1}) {
    stretto_memory_filter[one % filter_pages].store(1, std::memory_order_relaxed);
  }
}

}  // namespace stretto::memory
