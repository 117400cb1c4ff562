// SPDX-License-Identifier: BSD-3-Clause
#include "rma/api/atomic.hpp"

#include <memory>
#include <stretto/atomic.hpp>

#include "rma/api/access.hpp"
#include "rma/api/check_arguments.hpp"
#include "rma/memory/memory_operations.hpp"
#include "rma/memory/region_state.hpp"

namespace stretto::rma {

std::uint64_t update_at(RegionState& region, int target, const PacketAtomic& atomic) {
  RuntimeState& state = region.runtime();
  const int rank = region.runtime_rank(target);
  std::byte* const node_local = region.memory->node_local(target);
  const Path path =
      choose_path(state.rules, {.kind = OperationKind::atomic, .node_local = node_local != nullptr});
  // An update also reads, so it must not overtake a store of this rank.
  state.order(rank, path, false);
  state.counters.operation(rank, path, atomic.size_bytes);
  if (path == Path::direct) {
    return update(node_local + atomic.offset, atomic.operation, atomic.operand, atomic.expected,
                  atomic.size_bytes);
  }
  const auto operation = std::make_shared<Operation>(PacketKind::atomic, rank, Layout{});
  operation->atomic = atomic;
  state.start(operation);
  state.wait_for(*operation, "an atomic update");
  return operation->result;
}

}  // namespace stretto::rma

namespace stretto::detail {

std::uint64_t atomic(const Region& region, Place place, AtomicOperation operation, std::uint64_t operand,
                     std::uint64_t expected, std::uint32_t size_bytes) {
  rma::RegionState& state = *rma::Access::state(region);
  const rma::Piece piece{.offset = place.offset, .size_bytes = size_bytes};
  state.check_range(place.target, piece.remote_end());
  rma::check_aligned(place.offset, size_bytes);
  const std::uint64_t before = rma::update_at(state, place.target,
                                              {.region = state.id,
                                               .operation = operation,
                                               .offset = place.offset,
                                               .operand = operand,
                                               .expected = expected,
                                               .size_bytes = size_bytes});
  state.runtime().poll_if_enabled();
  return before;
}

}  // namespace stretto::detail
