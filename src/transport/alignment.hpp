// SPDX-License-Identifier: BSD-3-Clause
// Where the second of two buffers in one piece of memory begins.
#pragma once

#include <cstddef>

namespace stretto::transport {

/// `size_bytes` rounded up to whole cache lines, so that what is put lies behind what is got and shares none
/// with it.
constexpr std::size_t whole_lines(std::size_t size_bytes) {
  constexpr std::size_t line_bytes = 64;
  return (size_bytes + line_bytes - 1) / line_bytes * line_bytes;
}

}  // namespace stretto::transport
