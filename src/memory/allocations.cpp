// SPDX-License-Identifier: BSD-3-Clause
// Which code allocated the memory at an address: the name of a message's data is that of its allocation. A
// freed allocation stays known until another one takes its place, because the program may free a buffer
// after it has sent it.
#include <iterator>
#include <map>
#include <mutex>

#include "memory/entry_points.hpp"
#include "memory/own_code.hpp"
#include "memory/watch.hpp"

namespace {

constexpr std::size_t max_allocations = std::size_t{1} << 16U;

struct Allocations {
  std::mutex mutex;
  std::map<std::uintptr_t, stretto::memory::Allocation> by_begin;  // blocks do not overlap
};

Allocations& allocations() {
  static auto* the_one = new Allocations;  // never destroyed, because a program allocates to its end
  return *the_one;
}

}  // namespace

void stretto_memory_allocated(std::uintptr_t begin, std::size_t bytes, std::uintptr_t pc) {
  const std::uintptr_t place = stretto::memory::own_caller(pc);
  Allocations& all = allocations();
  // In a child of fork(), another thread of the parent may have held the lock.
  const std::unique_lock lock(all.mutex, std::try_to_lock);
  if (!lock.owns_lock()) return;
  auto one = all.by_begin.upper_bound(begin);
  if (one != all.by_begin.begin() && std::prev(one)->second.block.end() > begin) --one;
  while (one != all.by_begin.end() && one->first < begin + bytes) one = all.by_begin.erase(one);
  if (all.by_begin.size() < max_allocations) all.by_begin[begin] = {.block = {begin, bytes}, .place = place};
}

bool stretto_memory_allocation(std::uintptr_t address, stretto::memory::Allocation* found) {
  Allocations& all = allocations();
  const std::scoped_lock lock(all.mutex);
  const auto after = all.by_begin.upper_bound(address);
  if (after == all.by_begin.begin() || std::prev(after)->second.block.end() <= address) return false;
  *found = std::prev(after)->second;
  return true;
}
