// SPDX-License-Identifier: BSD-3-Clause
// Definitions by the number with which a trace refers to them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <unordered_map>
#include <utility>
#include <vector>

namespace stretto::foreign {

template <typename Definition>
class ByNumber {
 public:
  /// False: the number has a definition already.
  bool add(std::uint64_t number, Definition definition) {
    const auto [place, is_new] = all_.emplace(number, std::move(definition));
    if (is_new && number < max_near) {
      if (near_.size() <= number) near_.resize(number + 1);
      near_[number] = &place->second;
    }
    return is_new;
  }
  /// Null: there is none. It stays where it is.
  [[nodiscard]] const Definition* find(std::uint64_t number) const {
    if (number < near_.size()) return near_[number];
    const auto found = all_.find(number);
    return found == all_.end() ? nullptr : &found->second;
  }

 private:
  static constexpr std::size_t max_near = 1U << 16U;  // numbers that are found by their position

  std::unordered_map<std::uint64_t, Definition> all_;
  std::vector<const Definition*> near_;
};

}  // namespace stretto::foreign
