// SPDX-License-Identifier: BSD-3-Clause
// What transfers of one path (transport, operation, progress mode) cost: LogGP parameters by message size,
// and how much of a transfer passes while its origin computes (docs/models.md).
#pragma once

#include <cstdint>
#include <limits>
#include <vector>

#include "network/loggp.hpp"
#include "network/network.hpp"

namespace stretto::network {

/// The overlap that was measured for messages of one size: eta of DESIGN section 4, 0 to 1.
struct OverlapAt {
  std::uint64_t size_bytes = 0;
  double eta = 1;
};

/// The costs of messages of one size.
struct TransferCosts {
  LogGp loggp;
  double overlap = 1;           ///< fraction of the wire time that passes while the origin is in no call
  double steal = 0;             ///< fraction of the processor that a moving message takes from computation
  double unattended_bytes = 0;  ///< bytes that pass at most before a call waits: what buffers hold
};

struct PathCosts {
  std::vector<NetworkRange> ranges{1};  ///< sizes ascending; the first is for all smaller ones, too
  std::vector<OverlapAt> overlap;       ///< sizes ascending; empty: everything overlaps (offload)
  double steal = 0;
  double unattended_bytes = std::numeric_limits<double>::infinity();

  /// The parameters of the largest range that begins at or below this size.
  [[nodiscard]] const LogGp& loggp_at(std::uint64_t size_bytes) const;
  /// The overlap of the size that is nearest in ratio.
  [[nodiscard]] double overlap_at(std::uint64_t size_bytes) const;
  [[nodiscard]] TransferCosts at(std::uint64_t size_bytes) const;
};

/// The bytes that buffers hold. Where eta falls at the largest size to less than half of the largest eta, it
/// is buffers that hid smaller messages: they hold the largest eta s. Elsewhere: infinite.
[[nodiscard]] double unattended_bytes(const std::vector<OverlapAt>& overlap);

}  // namespace stretto::network
