// SPDX-License-Identifier: BSD-3-Clause
// A value per request of a traced rank, by request number. Numbers are consecutive, so that a column holds
// the values, and requests close in the trace are close in memory.
#pragma once

#include <algorithm>
#include <cstdint>

#include "replay/spillable_column.hpp"

namespace stretto::replay {

template <typename T>
class RequestTable {
 public:
  /// `most`: values of higher numbers are not stored. A trace has at most as many requests as records, but
  /// a damaged trace may contain any number.
  explicit RequestTable(std::uint64_t most) : max_(most) {}

  /// The stored value of a request, created if needed; null where it is not stored.
  T* slot(std::uint64_t request) {
    if (request > max_) return nullptr;
    if (request >= all_.size()) {
      const std::uint64_t needed = std::max<std::uint64_t>(request + 1, 3 * std::uint64_t{all_.size()} / 2);
      all_.resize(std::min(needed, max_ + 1));
    }
    return &all_[request];
  }

  /// The stored value; null: no value exists for this request or any later one.
  [[nodiscard]] const T* find(std::uint64_t request) const {
    return request < all_.size() ? &all_[request] : nullptr;
  }

 private:
  std::uint64_t max_;
  SpillableColumn<T> all_;
};

}  // namespace stretto::replay
