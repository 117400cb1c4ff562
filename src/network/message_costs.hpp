// SPDX-License-Identifier: BSD-3-Clause
// The cost of one message: LogGP with the links of a torus or a switch.
#pragma once

#include <compare>
#include <optional>
#include <vector>

#include "network/link_shares.hpp"

namespace stretto::network {

struct RuntimeFunction;

/// A message costs its sender o. After L it moves with its share of its links, and then costs its receiver
/// o. Up to the eager limit it leaves at once. A larger message (rendezvous) leaves when its receiver is
/// ready, and its sender waits for its arrival.
struct MessageCosts {
  double overhead_s = 0;
  double latency_s = 0;
  double gap_s_per_byte = 0;
  double eager_limit_bytes = 0;
  Torus torus;

  friend auto operator<=>(const MessageCosts&, const MessageCosts&) = default;
};

/// The costs that follow from the functions of the reference algorithms; nothing where none has known
/// messages. o and G are the medians of the functions' coefficients. L is the rest of a call of two ranks
/// at b = 0. The eager limit is the size at which the functions of broadcast change.
[[nodiscard]] std::optional<MessageCosts> message_costs_of(const std::vector<RuntimeFunction>& functions,
                                                           const Torus& torus);

}  // namespace stretto::network
