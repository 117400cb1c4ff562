// SPDX-License-Identifier: BSD-3-Clause
// Block distribution of a range over ranks: consecutive blocks with sizes that differ by at most one.
#pragma once

#include <cstddef>

namespace stretto::plan {

struct BlockDistribution {
  std::size_t total = 0;
  int ranks = 1;

  [[nodiscard]] std::size_t first(int rank) const {
    return total * static_cast<std::size_t>(rank) / static_cast<std::size_t>(ranks);
  }
  [[nodiscard]] std::size_t count(int rank) const { return first(rank + 1) - first(rank); }
  [[nodiscard]] std::size_t largest() const {
    return (total + static_cast<std::size_t>(ranks) - 1) / static_cast<std::size_t>(ranks);
  }
  /// The rank that owns index `place`.
  [[nodiscard]] int owner(std::size_t place) const {
    auto rank = static_cast<int>(place * static_cast<std::size_t>(ranks) / total);
    while (first(rank + 1) <= place) ++rank;
    while (first(rank) > place) --rank;
    return rank;
  }
};

}  // namespace stretto::plan
