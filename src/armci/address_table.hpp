// SPDX-License-Identifier: BSD-3-Clause
// Maps the addresses that ARMCI_Malloc gave to this process to places in regions. An address belongs to a
// process: another process may have another place at the same one. Owns the regions, but does not free them
// by itself.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <shared_mutex>
#include <stretto/region.hpp>
#include <stretto/shape.hpp>
#include <vector>

namespace stretto::armci {

class AddressTable {
 public:
  struct Found {
    const Region& region;
    Place place;  // its target is a rank of the region's team
  };

  explicit AddressTable(int processes) : parts_(static_cast<std::size_t>(processes)) {}

  /// Returns the addresses of all parts, by rank in the region's team; nullptr for a part without bytes.
  std::vector<void*> add(std::unique_ptr<Region> region);
  /// The place of an address of `process`.
  [[nodiscard]] std::optional<Found> find(int process, const void* address) const;
  /// The region that was added with this number in the runtime.
  [[nodiscard]] Region& region(std::uint32_t id) const;
  /// Removes the region and its addresses.
  std::unique_ptr<Region> remove(std::uint32_t id);
  /// The numbers of all regions, rising: the same order on all processes.
  [[nodiscard]] std::vector<std::uint32_t> ids() const;

 private:
  struct AddressRange {
    std::uintptr_t begin = 0;
    std::uintptr_t end = 0;
    const Region* region = nullptr;
    int target = 0;
  };

  mutable std::shared_mutex mutex_;
  std::vector<std::vector<AddressRange>> parts_;  // by process, sorted by address
  std::map<std::uint32_t, std::unique_ptr<Region>> regions_;
};

}  // namespace stretto::armci
