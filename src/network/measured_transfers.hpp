// SPDX-License-Identifier: BSD-3-Clause
// A measured time curve T(s) as the costs of messages: for sizes at which the parameters of LogGP cannot be
// separated, such as large messages within a node, which both processors copy (docs/models.md).
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "network/network_ranges.hpp"

namespace stretto::network {

/// What was measured of transfers of one size. Seconds; absent: not measured.
struct MeasuredTransfer {
  std::uint64_t size_bytes = 0;
  std::optional<double> time_s;           ///< T: one transfer alone, until it is complete
  std::optional<double> stream_s;         ///< per message of a stream
  std::optional<double> overhead_send_s;  ///< the processor's time to start it
  std::optional<double> receive_s;        ///< the receiver's time in a receive that comes late
};

/// What else is known of the path.
struct CurveUse {
  bool one_sided = false;                    ///< a put or get: T has two L
  bool overlap_known = false;                ///< eta states which part of the bytes' time needs a processor
  std::optional<std::uint64_t> eager_bytes;  ///< the evaluation adds the handshake of larger messages itself
};

/// One measured range per size with a time, sizes ascending. A message alone takes T, and a stream of them
/// takes `stream_s` each:
///
/// - T of small messages, the line through the two smallest sizes at one byte, is o_s + L + o_r. What is
///   above it is the bytes' time. Where a stream is known, the bytes' time is the part of `stream_s` above
///   that of small messages, and L the rest of T.
/// - o_s and o_r are those of the size: a receive that comes late and still takes long is copied, or waits
///   for its bytes, on the receiver's processor. With `overlap_known` they are those of the smallest size,
///   because eta already contains what grows with the size.
/// - g is what a stream takes beyond the bytes' time.
///
/// Sizes without T take part only where no size has one; `stream_s` then stands in for it.
///
/// `transfers` has ascending sizes.
[[nodiscard]] std::vector<NetworkRange> measured_ranges(const std::vector<MeasuredTransfer>& transfers,
                                                        const CurveUse& use);

}  // namespace stretto::network
