// SPDX-License-Identifier: BSD-3-Clause
#include "armci/handle_table.hpp"

#include <algorithm>

#include "armci/boundary.hpp"

namespace stretto::armci {
namespace {

// The members of armci_hdl_t::data, and the values of the first and the last that count. Uninitialised memory
// is unlikely to have them.
enum Member { state = 0, slot_number = 1, generation = 2, mark = 3 };
constexpr int is_pending = 0x41524D50;
constexpr int is_marked = 0x41524D41;

}  // namespace

bool HandleTable::is_aggregate(const armci_hdl_t& handle) { return handle.data[mark] == is_marked; }

void HandleTable::mark_aggregate(armci_hdl_t& handle, bool aggregate) {
  handle.data[mark] = aggregate ? is_marked : 0;
}

void HandleTable::forget(armci_hdl_t& handle) { handle.data[state] = 0; }

bool HandleTable::knows(const armci_hdl_t& handle) { return find_locked(handle) != nullptr; }

HandleTable::Slot* HandleTable::find_locked(const armci_hdl_t& handle) {
  if (handle.data[state] != is_pending) return nullptr;
  const std::lock_guard lock(mutex_);
  return find(handle);
}

HandleTable::Slot* HandleTable::find(const armci_hdl_t& handle) {
  if (handle.data[state] != is_pending) return nullptr;
  const auto place = static_cast<std::size_t>(handle.data[slot_number]);
  if (place >= slots_.size()) return nullptr;
  Slot& slot = slots_[place];
  const bool same = slot.used && slot.generation == static_cast<std::uint32_t>(handle.data[generation]);
  return same ? &slot : nullptr;
}

Pending& HandleTable::open(armci_hdl_t& handle) {
  const std::lock_guard lock(mutex_);
  if (Slot* known = find(handle)) return known->pending;
  if (free_.empty()) {
    slots_.emplace_back();
    free_.push_back(slots_.size() - 1);
  }
  const std::size_t place = free_.back();
  free_.pop_back();
  Slot& slot = slots_[place];
  slot.used = true;
  handle.data[state] = is_pending;
  handle.data[slot_number] = static_cast<int>(place);
  handle.data[generation] = static_cast<int>(slot.generation);
  return slot.pending;
}

void HandleTable::close(armci_hdl_t& handle, Slot& slot) {
  slot.pending.handles.clear();
  slot.pending.values.clear();
  const std::lock_guard lock(mutex_);
  slot.used = false;
  ++slot.generation;
  free_.push_back(static_cast<std::size_t>(handle.data[slot_number]));
  handle.data[state] = 0;
}

void HandleTable::complete(Pending& pending) {
  if (pending.aggregate != nullptr) runtime_.wait(*pending.aggregate);
  runtime_.wait_all(pending.handles);
}

void HandleTable::wait(armci_hdl_t& handle) {
  if (handle.data[state] == 0) return;
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
