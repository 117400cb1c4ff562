// SPDX-License-Identifier: BSD-3-Clause
// notify and wait_notify: every rank's memory has one counter for each source.
#pragma once

#include <cstdint>

namespace stretto::onesided {

struct RuntimeState;

/// Allocates the counters. Collective.
void make_notifications(RuntimeState& state);

/// Returns how often this rank has notified `target`.
std::uint64_t notify(RuntimeState& state, int target);
std::uint64_t wait_notify(RuntimeState& state, int source);
/// How often `source` has notified this rank.
[[nodiscard]] std::uint64_t notifications_received(const RuntimeState& state, int source);

}  // namespace stretto::onesided
