// SPDX-License-Identifier: BSD-3-Clause
// One time for all ranks: when the trace's time is zero on this host's clock.
#pragma once

#include <cstdint>

namespace stretto::trace {

struct ClockOffset {
  std::uint64_t epoch_ns = 0;  ///< this clock's reading at the zero that all share
  std::int64_t offset_ns = 0;  ///< this clock minus rank 0's
  std::uint64_t error_ns = 0;  ///< half of the shortest round trip that found it; 0: the same clock
};

/// Collective over the world. Ranks of one booted kernel share a clock; others exchange messages with rank 0.
[[nodiscard]] ClockOffset find_clock_offset();

}  // namespace stretto::trace
