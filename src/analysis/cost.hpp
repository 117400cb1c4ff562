// SPDX-License-Identifier: BSD-3-Clause
// The cost of a message on a network without overlap.
#pragma once

#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

namespace stretto::analysis {

struct Cost {
  double latency_s = 0;       ///< of small messages
  double gap_s_per_byte = 0;  ///< of large messages
  double overhead_s = 0;      ///< both overheads of small messages
  /// The cost by size where a machine was measured, ascending; linear between these sizes, which are at least
  /// two and begin with 0. Empty: latency + overheads + (s - 1) G.
  std::vector<std::pair<std::uint64_t, double>> times;

  /// Seconds for one message.
  [[nodiscard]] double of(std::uint64_t size_bytes) const {
    if (times.empty()) {
      return latency_s + overhead_s +
             static_cast<double>(size_bytes > 0 ? size_bytes - 1 : 0) * gap_s_per_byte;
    }
    const auto above = std::upper_bound(times.begin() + 1, times.end() - 1, size_bytes,
                                        [](std::uint64_t size, const auto& one) { return size < one.first; });
    const auto& [low, low_s] = *(above - 1);
    const auto& [high, high_s] = *above;
    return low_s + (static_cast<double>(size_bytes) - static_cast<double>(low)) /
                       static_cast<double>(high - low) * (high_s - low_s);
  }
};

}  // namespace stretto::analysis
