// SPDX-License-Identifier: BSD-3-Clause
#include "armci/address_table.hpp"

#include <algorithm>
#include <mutex>
#include <utility>

#include "armci/boundary.hpp"
#include "onesided/api/services.hpp"

namespace stretto::armci {
namespace {

std::uintptr_t number(const void* address) { return reinterpret_cast<std::uintptr_t>(address); }

}  // namespace

std::vector<void*> AddressTable::add(std::unique_ptr<Region> region) {
  const Team team = region->team();
  std::vector<void*> addresses;
  const std::unique_lock lock(mutex_);
  for (int target = 0; target < region->size(); ++target) {
    const std::size_t size = region->size_bytes(target);
    void* const address = size == 0 ? nullptr : onesided::address_of(*region, target);
    addresses.push_back(address);
    if (address == nullptr) continue;
    auto& parts = parts_[static_cast<std::size_t>(team.runtime_rank(target))];
    const AddressRange part{
        .begin = number(address), .end = number(address) + size, .region = region.get(), .target = target};
    const auto after = [](const AddressRange& a, const AddressRange& b) { return a.begin < b.begin; };
    parts.insert(std::upper_bound(parts.begin(), parts.end(), part, after), part);
  }
  regions_.emplace(onesided::number_of(*region), std::move(region));
  return addresses;
}

std::optional<AddressTable::Found> AddressTable::find(int process, const void* address) const {
  const std::shared_lock lock(mutex_);
  const auto& parts = parts_[static_cast<std::size_t>(process)];
  const auto after = std::upper_bound(parts.begin(), parts.end(), number(address),
                                      [](std::uintptr_t a, const AddressRange& b) { return a < b.begin; });
  if (after == parts.begin()) return std::nullopt;
  const AddressRange& part = *std::prev(after);
  if (number(address) >= part.end) return std::nullopt;
  return Found{.region = *part.region,
               .place = {.target = part.target, .offset = number(address) - part.begin}};
}

Region& AddressTable::region(std::uint32_t id) const {
  const std::shared_lock lock(mutex_);
  const auto found = regions_.find(id);
  if (found == regions_.end()) throw Refused(FAIL6, "the processes do not free the same memory");
  return *found->second;
}

std::unique_ptr<Region> AddressTable::remove(std::uint32_t id) {
  const std::unique_lock lock(mutex_);
  const auto found = regions_.find(id);
  std::unique_ptr<Region> region = std::move(found->second);
  regions_.erase(found);
  for (auto& parts : parts_) {
    std::erase_if(parts, [&](const AddressRange& part) { return part.region == region.get(); });
  }
  return region;
}

std::vector<std::uint32_t> AddressTable::ids() const {
  const std::shared_lock lock(mutex_);
  std::vector<std::uint32_t> all;
  all.reserve(regions_.size());
  for (const auto& [id, region] : regions_) all.push_back(id);
  return all;
}

}  // namespace stretto::armci
