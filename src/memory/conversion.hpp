// SPDX-License-Identifier: BSD-3-Clause
// Converts ticks to the time of this host's monotonic clock.
#pragma once

#include <cstdint>

namespace stretto::memory {

class Conversion {
 public:
  /// By the ratio of both clocks from the program's begin until now.
  Conversion();

  [[nodiscard]] std::uint64_t ns(std::uint64_t ticks) const;
  [[nodiscard]] double ns_of_a_tick() const { return ns_of_a_tick_; }

 private:
  std::uint64_t now_ticks_;
  std::uint64_t now_ns_;
  double ns_of_a_tick_;
};

}  // namespace stretto::memory
