// SPDX-License-Identifier: BSD-3-Clause
#include "onesided/api/notify.hpp"

#include "onesided/api/atomic.hpp"
#include "onesided/memory/memory_operations.hpp"
#include "onesided/memory/region_state.hpp"

namespace stretto::onesided {
namespace {

std::size_t place_of(int source) { return static_cast<std::size_t>(source) * sizeof(std::uint64_t); }

}  // namespace

void make_notifications(RuntimeState& state) {
  const auto ranks = static_cast<std::size_t>(state.communicator.size());
  state.notifications = std::make_shared<RegionState>(state.world, ranks * sizeof(std::uint64_t));
  state.notified.assign(ranks, 0);
}

std::uint64_t notify(RuntimeState& state, int target) {
  state.fence(target);
  const PacketAtomic one_more{.region = state.notifications->id,
                              .operation = stretto::detail::AtomicOperation::fetch_add,
                              .offset = place_of(state.communicator.rank()),
                              .operand = 1,
                              .size_bytes = sizeof(std::uint64_t)};
  return update_at(*state.notifications, target, one_more) + 1;
}

std::uint64_t wait_notify(RuntimeState& state, int source) {
  std::uint64_t& waited = state.notified[static_cast<std::size_t>(source)];
  const std::uint64_t expected = waited + 1;
  state.wait_until([&] { return notifications_received(state, source) >= expected; }, "a notification",
                   source);
  waited = expected;  // a wait that has thrown is none
  return expected;
}

std::uint64_t notifications_received(const RuntimeState& state, int source) {
  return read_flag(state.notifications->memory->mine() + place_of(source));
}

}  // namespace stretto::onesided
