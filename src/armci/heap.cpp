// SPDX-License-Identifier: BSD-3-Clause
#include "armci/heap.hpp"

#include "onesided/memory/cache_lines.hpp"

namespace stretto::armci {

std::optional<std::size_t> Heap::take(std::size_t size_bytes) {
  const std::lock_guard lock(mutex_);
  if (size_bytes > size_bytes_) return std::nullopt;
  const std::size_t rounded = onesided::round_up_to_lines(size_bytes);
  std::size_t begin = 0;
  for (const auto& [first, end] : used_) {
    if (first - begin >= rounded) break;
    begin = end;
  }
  if (size_bytes_ - begin < rounded) return std::nullopt;
  used_.emplace(begin, begin + rounded);
  return begin;
}

bool Heap::release(std::size_t offset) {
  const std::lock_guard lock(mutex_);
  return used_.erase(offset) > 0;
}

}  // namespace stretto::armci
