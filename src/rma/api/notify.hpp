// SPDX-License-Identifier: BSD-3-Clause
// notify and wait_notify: one counter a source in every rank's memory.
#pragma once

#include <cstdint>

namespace stretto::rma {

struct State;

/// Collective.
void make_notifications(State& state);

/// Returns how often this rank has notified `target`.
std::uint64_t notify(State& state, int target);
std::uint64_t wait_notify(State& state, int source);
/// How often `source` has notified this rank.
[[nodiscard]] std::uint64_t notifications_received(const State& state, int source);

}  // namespace stretto::rma
