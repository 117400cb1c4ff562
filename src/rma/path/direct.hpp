// SPDX-License-Identifier: BSD-3-Clause
// The shortest way of all: a block that is loaded from a neighbour's memory, or stored there, at once.
#pragma once

#include <atomic>

#include "rma/memory/memory_operations.hpp"
#include "rma/memory/region_state.hpp"
#include "rma/path/execute.hpp"

namespace stretto::rma {

/// Between a piece here and its place in a neighbour's part, whichever way.
inline void copy_piece(Kind kind, const Piece& piece, std::byte* part) {
  std::byte* const there = part + piece.offset;
  if (kind == Kind::get) {
    copy_bytes(piece.local, there, piece.size_bytes);
  } else {
    copy_bytes(there, piece.local, piece.size_bytes);
  }
}

/// A neighbour's part where the piece may be loaded or stored at once, else nullptr.
inline std::byte* direct_part(const RegionState& region, int target, const Piece& piece) {
  const State& state = region.state();
  if (region.freed || state.finalized || (state.rules.forced && state.rules.forced != Path::direct)) {
    return nullptr;
  }
  if (target < 0 || static_cast<std::size_t>(target) >= region.team->ranks.size()) return nullptr;
  const std::size_t size = region.memory->size_bytes(target);
  if (piece.size_bytes == 0 || piece.offset > size || piece.size_bytes > size - piece.offset) return nullptr;
  std::byte* const part = region.memory->neighbour(target);
  if (part == nullptr) return nullptr;
  return apart(part + piece.offset, piece.local, piece.size_bytes) ? part : nullptr;
}

/// Done when it returns true. False where anything speaks against it, wrong arguments too: run() then does
/// it, or says what is wrong. A put takes some ten nanoseconds: a few calls more would be most of that. Where
/// it can be done at all, nothing goes to this target by another path that it might overtake.
[[nodiscard]] inline bool move_directly(const Block& block) {
  RegionState& region = *block.region.state();
  const Piece& piece = block.piece;
  std::byte* const part = direct_part(region, block.target, piece);
  if (part == nullptr) return false;
  State& state = region.state();
  if (block.kind == Kind::get) settle_stores();
  copy_piece(block.kind, piece, part);
  if (block.kind == Kind::put) stores_unfenced = true;
  std::atomic_thread_fence(std::memory_order_acq_rel);
  state.counters.operation(region.runtime_rank(block.target), Path::direct, piece.size_bytes);
  state.poll_in_passing();
  return true;
}

}  // namespace stretto::rma
