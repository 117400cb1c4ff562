// SPDX-License-Identifier: BSD-3-Clause
// The cost of transfers of one path (transport, operation, progress mode): LogGP parameters by message
// size, and the part of a transfer that overlaps with its origin's computation (docs/models.md).
#pragma once

#include <cstdint>
#include <limits>
#include <vector>

#include "network/network_ranges.hpp"

namespace stretto::network {

/// The measured overlap for messages of one size: eta, 0 to 1.
struct OverlapAt {
  std::uint64_t size_bytes = 0;
  double eta = 1;
};

/// The costs of messages of one size.
struct TransferCosts {
  LogGp loggp;
  double overlap = 1;  ///< fraction of the wire time that passes while the origin is outside of calls
  double steal = 0;    ///< fraction of the processor that a message in flight takes from computation
  double unattended_bytes =
      0;  ///< largest number of bytes that pass outside of calls: the capacity of buffers
};

struct PathCosts {
  std::vector<NetworkRange> ranges{1};  ///< ascending sizes; the first range also covers smaller sizes
  std::vector<OverlapAt> overlap;       ///< ascending sizes; empty: everything overlaps (offload)
  double steal = 0;
  double unattended_bytes = std::numeric_limits<double>::infinity();

  [[nodiscard]] LogGp loggp_at(std::uint64_t size_bytes) const { return parameters_at(ranges, size_bytes); }
  /// Adds ranges of other sizes.
  void add(const std::vector<NetworkRange>& others);
  /// Gives all sizes this G.
  void set_byte_gap(double gap_s_per_byte);
  /// Divides G of all sizes by `factor`.
  void speed_up_bytes(double factor);

  /// The overlap of the measured size with the nearest ratio.
  [[nodiscard]] double overlap_at(std::uint64_t size_bytes) const;
  [[nodiscard]] TransferCosts at(std::uint64_t size_bytes) const;
};

/// The capacity of buffers. Where eta at the largest size is less than half of the largest eta, buffers hid
/// the smaller messages; their capacity is the eta times size of the largest eta. Otherwise infinite.
[[nodiscard]] double unattended_bytes(const std::vector<OverlapAt>& overlap);

}  // namespace stretto::network
