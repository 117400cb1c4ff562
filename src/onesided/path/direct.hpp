// SPDX-License-Identifier: BSD-3-Clause
// The direct path in its shortest form: one piece is loaded from node-local memory, or stored there.
#pragma once

#include <atomic>

#include "onesided/api/access.hpp"
#include "onesided/memory/memory_operations.hpp"
#include "onesided/memory/region_state.hpp"
#include "onesided/path/execute.hpp"

namespace stretto::onesided {

/// Copies a piece to its place in a node-local part (a put), or from it (a get).
inline void copy_piece(OperationKind kind, const Piece& piece, std::byte* part) {
  std::byte* const there = part + piece.offset;
  if (kind == OperationKind::get) {
    copy_bytes(piece.local, there, piece.size_bytes);
  } else {
    copy_bytes(there, piece.local, piece.size_bytes);
  }
}

/// The target's part where the piece can be loaded or stored directly, else nullptr.
inline std::byte* direct_part(const RegionState& region, int target, const Piece& piece) {
  const RuntimeState& state = region.runtime();
  if (region.freed || state.finalized || (state.rules.forced && state.rules.forced != Path::direct)) {
    return nullptr;
  }
  if (target < 0 || static_cast<std::size_t>(target) >= region.team->runtime_ranks.size()) return nullptr;
  const std::size_t size = region.memory->size_bytes(target);
  if (piece.local == nullptr || piece.offset > size) return nullptr;
  // This also refuses a piece of no bytes: its size minus one is the largest number.
  if (piece.size_bytes - 1 >= size - piece.offset) return nullptr;
  std::byte* const part = region.memory->node_local(target);
  if (part == nullptr) return nullptr;
  return disjoint(part + piece.offset, piece.local, piece.size_bytes) ? part : nullptr;
}

/// Carries out the transfer where it can, and returns true. False otherwise, also for wrong arguments: run()
/// then carries it out, or throws. Inline and short, because a put takes some ten nanoseconds. Where this
/// path is possible, other paths lead to this target only if every rank serves requests of all.
[[nodiscard]] inline bool try_directly(const ContiguousTransfer& transfer) {
  RegionState& region = *Access::state(transfer.region);
  const Piece& piece = transfer.piece;
  std::byte* const part = direct_part(region, transfer.target, piece);
  if (part == nullptr) return false;
  RuntimeState& state = region.runtime();
  if (state.serves_all_ranks && state.may_overtake(region.runtime_rank(transfer.target), Path::direct))
      [[unlikely]] {
    return false;
  }
  if (transfer.kind == OperationKind::get) ensure_stores_fenced();
  copy_piece(transfer.kind, piece, part);
  if (transfer.kind == OperationKind::put) stores_unfenced = true;
  std::atomic_thread_fence(std::memory_order_acq_rel);
  state.counters.operation(region.runtime_rank(transfer.target), Path::direct, piece.size_bytes);
  state.poll_if_enabled();
  return true;
}

}  // namespace stretto::onesided
