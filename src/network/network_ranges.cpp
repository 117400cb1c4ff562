// SPDX-License-Identifier: BSD-3-Clause
#include "network/network_ranges.hpp"

#include <algorithm>

namespace stretto::network {
namespace {

/// Times between two measured sizes; `share` is 0 at the lower and 1 at the upper one.
LogGp between(const NetworkRange& lower, const NetworkRange& upper, std::uint64_t size_bytes) {
  const auto distance = static_cast<double>(upper.from_bytes - lower.from_bytes);
  const double share = static_cast<double>(size_bytes - lower.from_bytes) / distance;
  const auto mixed = [&](double LogGp::*time) {
    return lower.loggp.*time + share * (upper.loggp.*time - lower.loggp.*time);
  };
  const double low_s = lower.loggp.wire_s(lower.from_bytes);
  const double wire_s = low_s + share * (upper.loggp.wire_s(upper.from_bytes) - low_s);
  return {.latency_s = mixed(&LogGp::latency_s),
          .overhead_send_s = mixed(&LogGp::overhead_send_s),
          .overhead_receive_s = mixed(&LogGp::overhead_receive_s),
          .gap_s = mixed(&LogGp::gap_s),
          .gap_queue_s = mixed(&LogGp::gap_queue_s),
          .gap_s_per_byte = size_bytes > 1 ? wire_s / static_cast<double>(size_bytes - 1) : 0};
}

}  // namespace

LogGp parameters_at(std::span<const NetworkRange> ranges, std::uint64_t size_bytes) {
  const auto above = std::ranges::upper_bound(ranges, size_bytes, {}, &NetworkRange::from_bytes);
  const auto here = above == ranges.begin() ? above : std::prev(above);
  const bool interpolated =
      here->measured && above != ranges.end() && above->measured && size_bytes > here->from_bytes;
  return interpolated ? between(*here, *above, size_bytes) : here->loggp;
}

}  // namespace stretto::network
