// SPDX-License-Identifier: BSD-3-Clause
// How ranks lie on nodes: in blocks of consecutive ranks, which runtime functions distinguish, or otherwise.
#pragma once

#include <span>

namespace stretto::network {

/// The number of consecutive ranks on each node (fewer on the last), for `nodes`: the node of each rank.
/// 0 where nodes have other numbers of ranks, or ranks that do not follow each other.
[[nodiscard]] int ranks_of_blocks(std::span<const int> nodes);

}  // namespace stretto::network
