// SPDX-License-Identifier: BSD-3-Clause
// Something about each request of a traced rank, by its number. Numbers are given out one after the other, so
// that a column holds them: neighbours in the trace are neighbours here. Knows nothing of what it
// holds.
#pragma once

#include <algorithm>
#include <cstdint>

#include "replay/spillable_column.hpp"

namespace stretto::replay {

template <typename T>
class RequestTable {
 public:
  /// `most`: no number is above it, or nothing is kept of it. A trace has at most as many requests as
  /// records; a damaged one may name any.
  explicit RequestTable(std::uint64_t most) : most_(most) {}

  /// What is kept of it from now on; null: nothing.
  T* keep(std::uint64_t request) {
    if (request > most_) return nullptr;
    if (request >= all_.size()) {
      const std::uint64_t wanted = std::max<std::uint64_t>(request + 1, 3 * std::uint64_t{all_.size()} / 2);
      all_.resize(std::min(wanted, most_ + 1));
    }
    return &all_[request];
  }

  /// Null: nothing was kept of this one nor of any after it.
  [[nodiscard]] const T* find(std::uint64_t request) const {
    return request < all_.size() ? &all_[request] : nullptr;
  }

 private:
  std::uint64_t most_;
  SpillableColumn<T> all_;
};

}  // namespace stretto::replay
