// SPDX-License-Identifier: BSD-3-Clause
#include "rma/direct.hpp"

#include <atomic>

#include "rma/memory_operations.hpp"
#include "rma/region_state.hpp"

namespace stretto::rma {
namespace {

/// A place in a neighbour's memory that may be touched by loads and stores at once, or nullptr.
std::byte* direct_place(const RegionState& region, int target, const Piece& piece) {
  const State& state = region.state();
  if (region.freed || state.finalized || (state.rules.forced && state.rules.forced != Path::direct)) {
    return nullptr;
  }
  if (target < 0 || static_cast<std::size_t>(target) >= region.team->ranks.size()) return nullptr;
  const std::size_t size = region.memory->size_bytes(target);
  if (piece.size_bytes == 0 || piece.offset > size || piece.size_bytes > size - piece.offset) return nullptr;
  std::byte* const part = region.memory->neighbour(target);
  if (part == nullptr) return nullptr;
  std::byte* const there = part + piece.offset;
  return apart(there, piece.local, piece.size_bytes) ? there : nullptr;
}

}  // namespace

// A put takes some tens of nanoseconds: a few calls more would be most of that. Where it can be done at all,
// nothing goes to this target by another path that it might overtake.
bool move_directly(const Block& block) {
  RegionState& region = *block.region.state();
  const Piece& piece = block.piece;
  std::byte* const there = direct_place(region, block.target, piece);
  if (there == nullptr) return false;
  State& state = region.state();
  if (block.kind == Kind::get) {
    settle_stores();
    copy_bytes(piece.local, there, piece.size_bytes);
  } else {
    copy_bytes(there, piece.local, piece.size_bytes);
    stores_unfenced = true;
  }
  std::atomic_thread_fence(std::memory_order_acq_rel);
  state.counters.operation(region.runtime_rank(block.target), Path::direct, piece.size_bytes);
  state.poll_in_passing();
  return true;
}

}  // namespace stretto::rma
