// SPDX-License-Identifier: BSD-3-Clause
#include "probe/settings.hpp"

namespace stretto::probe {

std::vector<Buffers> buffers_or(const Settings& settings, Buffers own) {
  return settings.buffers.empty() ? std::vector{own} : settings.buffers;
}

std::vector<std::size_t> sizes_between(const SizeRange& range, std::size_t factor) {
  std::vector<std::size_t> sizes;
  for (std::size_t size = range.min_bytes; size < range.max_bytes; size *= factor) sizes.push_back(size);
  sizes.push_back(range.max_bytes);
  return sizes;
}

std::vector<std::size_t> sizes_or(const Settings& settings, const SizeRange& own, std::size_t factor) {
  return sizes_between(settings.sizes.value_or(own), settings.size_factor.value_or(factor));
}

}  // namespace stretto::probe
