// SPDX-License-Identifier: BSD-3-Clause
#include "onesided/api/atomic.hpp"

#include <cstring>
#include <memory>
#include <stretto/atomic.hpp>
#include <utility>

#include "onesided/api/access.hpp"
#include "onesided/api/check_arguments.hpp"
#include "onesided/api/handle_access.hpp"
#include "onesided/memory/memory_operations.hpp"
#include "onesided/memory/region_state.hpp"

namespace stretto::onesided {
namespace {

/// An update that has started. Without an operation it is done.
struct StartedUpdate {
  Path path = Path::direct;
  std::uint64_t before = 0;
  std::shared_ptr<MessageOperation> operation;
};

/// `kind` is `atomic`, or `update` where the value before is not fetched.
StartedUpdate start_update(RegionState& region, int target, const PacketAtomic& atomic, PacketKind kind,
                           void* fetched) {
  RuntimeState& state = region.runtime();
  const int rank = region.runtime_rank(target);
  std::byte* const node_local = region.memory->node_local(target);
  StartedUpdate started{
      .path = choose_path(state.rules, {.kind = OperationKind::atomic, .node_local = node_local != nullptr})};
  // An update also reads, so it must not overtake a store of this rank.
  state.order(rank, started.path, false);
  state.counters.operation(rank, started.path, atomic.size_bytes);
  if (started.path == Path::direct) {
    started.before = update(node_local + atomic.offset, atomic.operation, atomic.operand, atomic.expected,
                            atomic.size_bytes);
    return started;
  }
  started.operation = std::make_shared<MessageOperation>(kind, rank, Layout{});
  started.operation->atomic = atomic;
  started.operation->fetched = fetched;
  state.start(started.operation);
  if (kind == PacketKind::update) state.unfenced_to(rank).beyond_stores.count();
  return started;
}

PacketAtomic checked(RegionState& state, Place place, const PacketAtomic& atomic) {
  const Piece piece{.offset = place.offset, .size_bytes = atomic.size_bytes};
  state.check_range(place.target, piece.remote_end());
  check_aligned(place.offset, atomic.size_bytes);
  PacketAtomic placed = atomic;
  placed.region = state.id;
  placed.offset = place.offset;
  return placed;
}

}  // namespace

std::uint64_t update_at(RegionState& region, int target, const PacketAtomic& atomic) {
  const StartedUpdate started = start_update(region, target, atomic, PacketKind::atomic, nullptr);
  if (started.operation == nullptr) return started.before;
  region.runtime().wait_for(*started.operation, "an atomic update");
  return started.operation->result;
}

}  // namespace stretto::onesided

namespace stretto::detail {

using onesided::PacketKind;

std::uint64_t atomic(const Region& region, Place place, AtomicOperation operation, std::uint64_t operand,
                     std::uint64_t expected, std::uint32_t size_bytes) {
  onesided::RegionState& state = *onesided::Access::state(region);
  const std::uint64_t before = onesided::update_at(
      state, place.target,
      onesided::checked(
          state, place,
          {.operation = operation, .operand = operand, .expected = expected, .size_bytes = size_bytes}));
  state.runtime().poll_if_enabled();
  return before;
}

void atomic_update(const Region& region, Place place, AtomicOperation operation, std::uint64_t operand,
                   std::uint32_t size_bytes) {
  onesided::RegionState& state = *onesided::Access::state(region);
  const onesided::PacketAtomic update =
      onesided::checked(state, place, {.operation = operation, .operand = operand, .size_bytes = size_bytes});
  const onesided::StartedUpdate started =
      onesided::start_update(state, place.target, update, PacketKind::update, nullptr);
  onesided::RuntimeState& runtime = state.runtime();
  if (started.operation != nullptr) {
    runtime.wait_for(*started.operation, "an atomic update");
    runtime.stored(state.runtime_rank(place.target), started.path);
  }
  runtime.poll_if_enabled();
}

Handle start_atomic(const Region& region, Place place, AtomicOperation operation, std::uint64_t operand,
                    std::uint64_t expected, std::uint32_t size_bytes, void* before) {
  onesided::RegionState& state = *onesided::Access::state(region);
  const onesided::PacketAtomic update = onesided::checked(
      state, place,
      {.operation = operation, .operand = operand, .expected = expected, .size_bytes = size_bytes});
  onesided::StartedUpdate started = onesided::start_update(
      state, place.target, update, before != nullptr ? PacketKind::atomic : PacketKind::update, before);
  if (started.operation == nullptr && before != nullptr) {
    const auto narrow = static_cast<std::uint32_t>(started.before);
    std::memcpy(before, size_bytes == sizeof narrow ? static_cast<const void*>(&narrow) : &started.before,
                size_bytes);
  }
  state.runtime().poll_if_enabled();
  return onesided::HandleAccess::make(state, place.target, started.path, 0, std::move(started.operation));
}

}  // namespace stretto::detail
