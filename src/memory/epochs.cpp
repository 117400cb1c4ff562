// SPDX-License-Identifier: BSD-3-Clause
#include "memory/epochs.hpp"

#include <mutex>

#include "memory/granules.hpp"

namespace stretto::memory {
namespace {

std::mutex beginning;

/// Slots that the renumbering subtracts from those that still count.
std::uint8_t dropped_slots = 0;

std::uint8_t renumbered(std::uintptr_t granule, std::uint8_t byte) {
  const std::uint8_t slot = byte & slot_mask;
  const auto others = static_cast<std::uint8_t>(byte & ~slot_mask);
  if (slot == 0) return byte;
  if (slot != unread_slot && slot > dropped_slots) {
    return static_cast<std::uint8_t>(others | (slot - dropped_slots));
  }
  const bool unread = is_unread(granule);
  return static_cast<std::uint8_t>((others & stores_watched) | (unread ? unread_slot : 0));
}

}  // namespace

std::uint32_t begin_epoch() {
  const std::scoped_lock lock(beginning);
  std::uint8_t slot = present_slot.load(std::memory_order_relaxed);
  if (slot == max_slots) {
    dropped_slots = static_cast<std::uint8_t>(max_slots - epoch_window);
    change_shadow(renumbered);
    slot_zero_is.fetch_add(dropped_slots, std::memory_order_relaxed);
    slot = static_cast<std::uint8_t>(slot - dropped_slots);
  }
  present_slot.store(++slot, std::memory_order_relaxed);
  const std::uint32_t epoch = epoch_of(slot);
  first_access_of(epoch).store(0, std::memory_order_relaxed);
  return epoch;
}

}  // namespace stretto::memory
