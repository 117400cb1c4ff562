// SPDX-License-Identifier: BSD-3-Clause
// Shadow memory: one byte for each granule (eight bytes) of the address space, at shadow_base + address / 8.
// It is zero for nearly all memory, and instrumented code tests nothing else before an access. The bits of a
// byte:
//
//     7                6             5 ... 0
//   +----------------+-------------+---------------------------------------------------+
//   | stores_watched | scalar_mark | slot of the epoch that the value depends on; 0: none |
//   +----------------+-------------+---------------------------------------------------+
//     message's data   from a         epochs.hpp; unread_slot: arrived long ago, not loaded yet
//                      collective
//
// A load tests bits 0 to 6, a store all. in_line.s has the same constants.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>

#include "memory/addresses.hpp"

namespace stretto::memory {

inline constexpr unsigned granule_bits = 3;
inline constexpr std::size_t granule_bytes = std::size_t{1} << granule_bits;
/// Below position-independent programs, libraries and stacks, and above other programs. It fits into the
/// displacement of an instruction.
inline constexpr std::uintptr_t shadow_base = 0x7FFF8000;
inline constexpr std::size_t shadow_bytes = std::size_t{1} << (address_bits - granule_bits);

// A byte of the shadow.
inline constexpr std::uint8_t stores_watched = 0x80;  ///< messages are sent from or to here
inline constexpr std::uint8_t scalar_mark = 0x40;     ///< the result of a collective operation on few bytes
inline constexpr std::uint8_t slot_mask = 0x3F;       ///< the epoch that the value depends on; 0: none
inline constexpr std::uint8_t loads_mask = 0x7F;      ///< what a load tests for
/// In place of an epoch: the message is too old for its epoch to matter, and was not loaded yet.
inline constexpr std::uint8_t unread_slot = 0x3F;

/// Number of a granule.
inline std::uintptr_t granule_of(std::uintptr_t address) { return address >> granule_bits; }

inline std::atomic<std::uint8_t>& shadow_at(std::uintptr_t granule) {
  return *static_cast<std::atomic<std::uint8_t>*>(pointer_to(shadow_base + granule));
}
inline std::uint8_t shadow_of(std::uintptr_t granule) {
  return shadow_at(granule).load(std::memory_order_relaxed);
}

/// The only way to change the shadow: it remembers which pages of it are used.
void set_shadow(std::uintptr_t granule, std::uint8_t value);

/// Replaces every byte by what `change(granule, byte)` returns; bytes that are zero stay so.
void change_shadow(std::uint8_t (*change)(std::uintptr_t granule, std::uint8_t byte));

}  // namespace stretto::memory
