// SPDX-License-Identifier: BSD-3-Clause
// Numbers for the variables that messages are sent from and received into. A static variable is identified by
// its address in a module, an allocated one by the code that allocated it. Used only where data is watched.
#pragma once

#include <cstdint>
#include <map>
#include <mutex>
#include <unordered_map>
#include <utility>

namespace stretto::trace {

class Sites;
class Stream;

/// All threads may call at once.
class Variables {
 public:
  /// The number of the variable at an address; 0: not known, or too many variables. Writes the definition of
  /// a new one to `stream`.
  std::uint32_t number_of(const void* address, Sites& sites, Stream& stream);

 private:
  struct Variable {
    std::uint32_t known = 0;  ///< record::Known; 0: the variable is not known
    std::int32_t module = 0;
    std::uint64_t address = 0;  ///< of the variable or the allocating code, in the module's file
    auto operator<=>(const Variable&) const = default;
  };
  static Variable find(std::uintptr_t address, Sites& sites, Stream& stream);

  std::mutex mutex_;
  std::map<Variable, std::uint32_t> numbers_;
  std::unordered_map<std::uintptr_t, std::uint32_t> fixed_;  // of addresses that are not allocated
  std::uint32_t closed_modules_ = 0;                         // so many were closed before `fixed_` was noted
};

}  // namespace stretto::trace
