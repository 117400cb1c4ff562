// SPDX-License-Identifier: BSD-3-Clause
// Values by a number of records: of a thread, or of a call site.
#pragma once

#include <cstdint>
#include <unordered_map>
#include <utility>

namespace stretto::analysis {

/// One value for each number. Records that follow each other often have the same one, so the last is
/// remembered. `Map` keeps references to its values; a std::map where the order of the numbers counts.
template <typename Value, typename Map = std::unordered_map<std::uint64_t, Value>>
class PerNumber {
 public:
  /// The value, and whether it is new.
  std::pair<Value&, bool> operator[](std::uint64_t number) {
    if (last_ != nullptr && number == number_) return {*last_, false};
    const auto [found, is_new] = all_.try_emplace(number);
    last_ = &found->second;
    number_ = number;
    return {*last_, is_new};
  }
  [[nodiscard]] auto begin() { return all_.begin(); }
  [[nodiscard]] auto end() { return all_.end(); }

 private:
  Map all_;
  Value* last_ = nullptr;
  std::uint64_t number_ = 0;
};

}  // namespace stretto::analysis
