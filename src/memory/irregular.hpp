// SPDX-License-Identifier: BSD-3-Clause
// Irregular distances between samples, so that samples of a loop meet every place of its body.
#pragma once

#include <cstdint>

namespace stretto::memory {

class IrregularDistances {
 public:
  /// The next distance, from `least` to `least + count - 1`.
  std::uint32_t next(std::uint32_t least, std::uint32_t count) {
    state_ = state_ * 1664525U + 1013904223U;
    return least + (state_ >> 16U) % count;
  }

 private:
  std::uint32_t state_ = 1;
};

}  // namespace stretto::memory
