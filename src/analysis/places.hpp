// SPDX-License-Identifier: BSD-3-Clause
// The sums of a rank by the number of a call site. A place is looked up once for each number.
#pragma once

#include <cstdint>
#include <unordered_map>

#include "analysis/sums.hpp"
#include "replay/trace_file.hpp"

namespace stretto::analysis {

/// The place of a call site; an empty one where it is not known.
[[nodiscard]] inline Place place_of(const replay::TraceReader& reader, std::uint32_t site) {
  const auto& sites = reader.definitions().sites;
  const auto found = sites.find(static_cast<std::int32_t>(site));
  return found == sites.end() ? Place() : found->second;
}

/// One value for each number; numbers of records that follow each other are often the same.
template <typename Value>
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
  [[nodiscard]] auto begin() const { return all_.begin(); }
  [[nodiscard]] auto end() const { return all_.end(); }

 private:
  std::unordered_map<std::uint64_t, Value> all_;
  Value* last_ = nullptr;
  std::uint64_t number_ = 0;
};

}  // namespace stretto::analysis
