// SPDX-License-Identifier: BSD-3-Clause
#include "armci/handle_table.hpp"

#include <algorithm>

#include "armci/boundary.hpp"

namespace stretto::armci {
namespace {

// A handle is 0, or the slot's number plus 1 and the slot's generation. Uninitialised memory is unlikely to
// have the number of a slot in use with its generation.
constexpr int generation_bits = 11;
constexpr std::uint32_t generations = 1U << generation_bits;
constexpr std::size_t max_slots = (1U << (31 - generation_bits)) - 1;

armci_hdl_t number_of(std::size_t place, std::uint32_t generation) {
  return static_cast<armci_hdl_t>(((place + 1) << generation_bits) | generation);
}

}  // namespace

HandleTable::Slot* HandleTable::find(armci_hdl_t handle) {
  if (handle <= 0) return nullptr;
  const auto number = static_cast<std::size_t>(handle >> generation_bits);
  if (number == 0 || number > slots_.size()) return nullptr;
  Slot& slot = slots_[number - 1];
  const bool same = slot.used && slot.generation == (static_cast<std::uint32_t>(handle) % generations);
  return same ? &slot : nullptr;
}

HandleTable::Slot* HandleTable::find_locked(armci_hdl_t handle) {
  if (handle == 0) return nullptr;
  const std::lock_guard lock(mutex_);
  return find(handle);
}

bool HandleTable::is_aggregate(armci_hdl_t handle) {
  const Slot* const slot = find_locked(handle);
  return slot != nullptr && slot->aggregate;
}

void HandleTable::mark_aggregate(armci_hdl_t& handle) { slot_of(handle).aggregate = true; }

void HandleTable::unmark_aggregate(armci_hdl_t& handle) {
  Slot* const slot = find_locked(handle);
  if (slot == nullptr) {
    handle = 0;
    return;
  }
  slot->aggregate = false;
  if (!slot->outstanding) close(handle, *slot);
}

bool HandleTable::knows(armci_hdl_t handle) { return find_locked(handle) != nullptr; }

HandleTable::Slot& HandleTable::slot_of(armci_hdl_t& handle) {
  const std::lock_guard lock(mutex_);
  if (Slot* known = find(handle)) return *known;
  if (free_.empty()) {
    if (slots_.size() == max_slots) throw Refused(FAIL6, "nb_handle: too many are in use");
    slots_.emplace_back();
    free_.push_back(slots_.size() - 1);
  }
  const std::size_t place = free_.back();
  free_.pop_back();
  Slot& slot = slots_[place];
  slot.used = true;
  slot.aggregate = false;
  handle = number_of(place, slot.generation);
  return slot;
}

Pending& HandleTable::open(armci_hdl_t& handle) {
  Slot& slot = slot_of(handle);
  slot.outstanding = true;
  return slot.pending;
}

void HandleTable::close(armci_hdl_t& handle, Slot& slot) {
  slot.pending.handles.clear();
  slot.pending.values.clear();
  slot.outstanding = false;
  const std::lock_guard lock(mutex_);
  const auto place = static_cast<std::size_t>(handle >> generation_bits) - 1;
  slot.generation = (slot.generation + 1) % generations;
  slot.used = slot.aggregate;  // a marked handle keeps its slot
  handle = slot.used ? number_of(place, slot.generation) : 0;
  if (!slot.used) free_.push_back(place);
}

void HandleTable::complete(Pending& pending) {
  if (pending.aggregate != nullptr) runtime_.wait(*pending.aggregate);
  runtime_.wait_all(pending.handles);
}

void HandleTable::wait(armci_hdl_t& handle) {
  if (handle == 0) return;
  Slot* const slot = find_locked(handle);
  if (slot == nullptr) {
    throw Refused(
        FAIL6,
        "nb_handle: was not initialised by ARMCI_INIT_HANDLE, or is a copy of one that was waited for");
  }
  complete(slot->pending);
  close(handle, *slot);
}

bool HandleTable::test(armci_hdl_t& handle) {
  Slot* const slot = find_locked(handle);
  if (slot != nullptr) {
    Pending& pending = slot->pending;
    if (pending.aggregate != nullptr && !runtime_.test(*pending.aggregate)) return false;
    const auto done = [&](Handle& one) { return runtime_.test(one); };
    if (!std::all_of(pending.handles.begin(), pending.handles.end(), done)) return false;
  }
  wait(handle);  // all is complete, or the handle is invalid
  return true;
}

void HandleTable::wait_all() {
  for (Slot& slot : slots_) {
    if (slot.used) complete(slot.pending);
  }
}

}  // namespace stretto::armci
