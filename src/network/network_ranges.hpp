// SPDX-License-Identifier: BSD-3-Clause
// LogGP parameters by message size: ranges with parameters of their own, and measured sizes between which
// times are linear in the size.
#pragma once

#include <cstdint>
#include <span>

#include "network/loggp.hpp"

namespace stretto::network {

struct NetworkRange {
  std::uint64_t from_bytes = 0;  ///< smallest size of this range, or the measured size
  LogGp loggp;
  /// One measured size. From here to the next measured size all times are linear in the size, because the
  /// parameters of a range cannot be separated there.
  bool measured = false;
};

/// The parameters for messages of one size. `ranges` has ascending sizes and at least one element; the first
/// also covers smaller sizes, and the last larger ones. Between two measured sizes G is such that wire_s()
/// is the interpolated time.
[[nodiscard]] LogGp parameters_at(std::span<const NetworkRange> ranges, std::uint64_t size_bytes);

}  // namespace stretto::network
