// SPDX-License-Identifier: BSD-3-Clause
// What one message takes: LogGP with the links of a torus or a switch.
#pragma once

#include <compare>
#include <optional>
#include <vector>

#include "network/link_shares.hpp"

namespace stretto::network {

struct RuntimeFunction;

/// A message takes its sender o. It is on its way L later, moves with its share of its links, and takes its
/// receiver o again. Up to the eager limit it goes as soon as it is handed over. A larger one (rendezvous)
/// goes when its receiver is there, too, and its sender waits for its arrival.
struct MessageCosts {
  double overhead_s = 0;
  double latency_s = 0;
  double gap_s_per_byte = 0;
  double eager_limit_bytes = 0;
  Torus torus;

  friend auto operator<=>(const MessageCosts&, const MessageCosts&) = default;
};

/// The costs that the functions of the reference algorithms imply; nothing where none knows its messages.
/// o and G are the medians of the functions' coefficients. L is what is left of a call of two at b = 0. The
/// eager limit is where the functions of broadcast change.
[[nodiscard]] std::optional<MessageCosts> message_costs_of(const std::vector<RuntimeFunction>& functions,
                                                           const Torus& torus);

}  // namespace stretto::network
