// SPDX-License-Identifier: BSD-3-Clause
#include "network/node_blocks.hpp"

#include <algorithm>
#include <cstddef>
#include <set>

namespace stretto::network {

int ranks_of_blocks(std::span<const int> nodes) {
  std::set<int> seen;
  std::size_t block = 0;
  for (std::size_t first = 0; first < nodes.size();) {
    const auto from = nodes.subspan(first);
    const auto end = std::ranges::find_if(from, [&](int node) { return node != from.front(); });
    const auto length = static_cast<std::size_t>(end - from.begin());
    const bool is_last = first + length == nodes.size();
    if (!seen.insert(from.front()).second) return 0;
    if (first == 0) block = length;
    if (is_last ? length > block : length != block) return 0;
    first += length;
  }
  return static_cast<int>(block);
}

}  // namespace stretto::network
