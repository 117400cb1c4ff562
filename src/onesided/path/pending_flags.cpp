// SPDX-License-Identifier: BSD-3-Clause
#include "onesided/path/pending_flags.hpp"

#include <utility>

#include "onesided/memory/region_state.hpp"

namespace stretto::onesided {

void PendingFlags::append(Entry&& entry) {
  last_[static_cast<std::size_t>(entry.operation->target)] = added_ + 1;
  entries_.push_back(std::move(entry));
  ++added_;
}

void PendingFlags::add(std::shared_ptr<RegionState> region, int target,
                       std::shared_ptr<MessageOperation> flag) {
  const std::lock_guard lock(list_);
  append({.region = std::move(region), .target = target, .operation = std::move(flag)});
}

std::uint64_t PendingFlags::last_to(int target) {
  const std::lock_guard lock(list_);
  return last_[static_cast<std::size_t>(target)];
}

std::shared_ptr<MessageOperation> PendingFlags::query_behind(int target) {
  const std::lock_guard lock(list_);
  if (is_sent(last_[static_cast<std::size_t>(target)])) return nullptr;
  auto query = std::make_shared<MessageOperation>(PacketKind::fence, target, Layout{});
  append({.operation = query});
  return query;
}

bool PendingFlags::first(Entry& entry) {
  const std::lock_guard lock(list_);
  if (entries_.empty()) return false;
  entry = entries_.front();
  return true;
}

bool PendingFlags::try_send(const Entry& entry, Contexts& contexts) {
  Engine& engine = contexts.of(entry.operation->target);
  if (entry.region == nullptr) {
    engine.start_query(entry.operation);
    return true;
  }
  entry.region->flush(entry.target);
  return engine.try_start(entry.operation);
}

// An entry stays the first one until the engine has it, and is counted after that: a fence of another thread
// waits for the count, and what throws here leaves the flag for the next call.
bool PendingFlags::send(Contexts& contexts) {
  const std::unique_lock sending(sending_, std::try_to_lock);
  if (!sending.owns_lock()) return false;
  bool any = false;
  for (Entry entry; first(entry) && try_send(entry, contexts); entry = {}) {
    const std::lock_guard lock(list_);
    entries_.pop_front();
    ++sent_;
    any = true;
  }
  return any;
}

}  // namespace stretto::onesided
