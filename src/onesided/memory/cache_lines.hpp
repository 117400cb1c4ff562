// SPDX-License-Identifier: BSD-3-Clause
// Rounds sizes up to cache lines, so that consecutive parts of a memory share none. Other components use it,
// too.
#pragma once

#include <cstddef>

namespace stretto::onesided {

inline constexpr std::size_t line_bytes = 64;

/// `size_bytes` rounded up to whole cache lines.
constexpr std::size_t round_up_to_lines(std::size_t size_bytes) {
  return (size_bytes + line_bytes - 1) / line_bytes * line_bytes;
}

}  // namespace stretto::onesided
