// SPDX-License-Identifier: BSD-3-Clause
// Where the next part of a piece of memory begins, so that it shares no cache line with the one before.
#pragma once

#include <cstddef>

namespace stretto::rma {

inline constexpr std::size_t line_bytes = 64;

/// `size_bytes` rounded up to whole cache lines.
constexpr std::size_t whole_lines(std::size_t size_bytes) {
  return (size_bytes + line_bytes - 1) / line_bytes * line_bytes;
}

}  // namespace stretto::rma
