// SPDX-License-Identifier: BSD-3-Clause
// Epochs: each MPI call in which data arrived begins one, numbered from 1. Values that depend on that data
// are marked with its epoch. A shadow byte has 6 bits for it, so it holds a slot:
//
//   epoch   ...   100  101  102  103          slot_zero_is = 99
//   slot            1    2    3    4          epoch = slot_zero_is + slot
//                                 ^ present_slot
//
// When the slots are used up, begin_epoch() subtracts the same number from all slots in the shadow.
#pragma once

#include <array>
#include <atomic>
#include <cstdint>

#include "memory/shadow.hpp"

namespace stretto::memory {

/// Number of epochs, the present one included, that a mark counts for. Older marks count as none, because
/// computation is not moved across so many arrivals.
inline constexpr unsigned epoch_window = 16;
inline constexpr std::uint8_t max_slots = unread_slot - 1;

inline std::atomic<std::uint8_t> present_slot = 0;   ///< 0: nothing arrived yet
inline std::atomic<std::uint32_t> slot_zero_is = 0;  ///< epoch of a slot: this plus the slot

/// The address of the instruction that first accessed the data of an epoch; 0: none has. It is kept until
/// `kept_accesses` further epochs have begun.
inline constexpr std::uint32_t kept_accesses = 127;
inline std::array<std::atomic<std::uintptr_t>, kept_accesses + 1> first_accesses{};
inline std::atomic<std::uintptr_t>& first_access_of(std::uint32_t epoch) {
  return first_accesses[epoch % first_accesses.size()];
}

/// Begins an epoch, and returns its number, from 1 on.
std::uint32_t begin_epoch();

inline bool is_alive(std::uint8_t slot) {
  return slot != 0 && slot != unread_slot &&
         slot + epoch_window > present_slot.load(std::memory_order_relaxed);
}
inline std::uint32_t epoch_of(std::uint8_t slot) {
  return slot == 0 ? 0 : slot_zero_is.load(std::memory_order_relaxed) + slot;
}
/// The slot of an epoch; 0 for one that no longer counts.
inline std::uint8_t slot_of(std::uint32_t epoch) {
  const std::uint32_t zero = slot_zero_is.load(std::memory_order_relaxed);
  if (epoch <= zero || epoch - zero > max_slots) return 0;
  const auto slot = static_cast<std::uint8_t>(epoch - zero);
  return is_alive(slot) ? slot : std::uint8_t{0};
}

}  // namespace stretto::memory
