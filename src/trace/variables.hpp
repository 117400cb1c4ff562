// SPDX-License-Identifier: BSD-3-Clause
// Numbers for the variables that messages are sent from and received into: static ones by their address in a
// module, allocated ones by where they were allocated. Only where data is watched.
#pragma once

#include <cstdint>
#include <map>
#include <mutex>
#include <unordered_map>
#include <utility>

namespace stretto::trace {

class Sites;
class Stream;

class Variables {
 public:
  /// The number of the variable at an address; 0: not known. Writes the definition of a new one to `stream`.
  std::uint32_t number_of(const void* address, Sites& sites, Stream& stream);

 private:
  struct Variable {
    std::uint32_t known = 0;
    std::int32_t module = 0;
    std::uint64_t address = 0;  ///< in the module's file: of the variable, or of the allocating code
    auto operator<=>(const Variable&) const = default;
  };
  static Variable find(std::uintptr_t address, Sites& sites, Stream& stream);

  std::mutex mutex_;
  std::map<Variable, std::uint32_t> numbers_;
  std::unordered_map<std::uintptr_t, std::uint32_t> fixed_;  // of addresses that are not allocated
};

}  // namespace stretto::trace
