// SPDX-License-Identifier: BSD-3-Clause
#include "trace/block_ring.hpp"

#include <algorithm>

namespace stretto::trace {
void BlockRing::add(const record::BlockIndex& block, bool is_kept) {
  blocks_.push_back({.block = block, .is_kept = is_kept, .end_ns = {}});
}

void BlockRing::release(std::uint64_t offset, std::uint64_t end_ns) {
  const auto found = std::find_if(blocks_.rbegin(), blocks_.rend(),
                                  [offset](const Entry& one) { return one.block.offset == offset; });
  if (found != blocks_.rend()) found->end_ns = end_ns;
}

std::optional<std::uint64_t> BlockRing::drop_oldest() {
  const auto found =
      std::ranges::find_if(blocks_, [](const Entry& one) { return one.end_ns && !one.is_kept; });
  if (found == blocks_.end()) return {};
  const std::uint64_t place = found->block.offset;
  dropped_until_ns_ = std::max(dropped_until_ns_, *found->end_ns);
  blocks_.erase(found);
  return place;
}

std::vector<record::BlockIndex> BlockRing::index() const {
  std::vector<record::BlockIndex> all{{.first_ns = dropped_until_ns_}};
  for (const Entry& one : blocks_) all.push_back(one.block);
  return all;
}

}  // namespace stretto::trace
