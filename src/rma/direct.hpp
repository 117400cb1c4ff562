// SPDX-License-Identifier: BSD-3-Clause
// The shortest way of all: a block that is loaded from a neighbour's memory, or stored there, at once.
#pragma once

#include "rma/execute.hpp"
#include "rma/memory_operations.hpp"

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

/// Done when it returns true. False where anything speaks against it, wrong arguments too: run() then does
/// it, or says what is wrong.
[[nodiscard]] bool move_directly(const Block& block);

}  // namespace stretto::rma
