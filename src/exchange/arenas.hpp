// SPDX-License-Identifier: BSD-3-Clause
// The arenas of the four transports, for make_arena() only.
#pragma once

#include <memory>
#include <vector>

#include "exchange/exchange.hpp"
#include "mpi/count.hpp"

namespace stretto::exchange {

/// Of one of a block's pieces, as MPI_DOUBLE. Throws std::invalid_argument beyond what MPI counts.
[[nodiscard]] inline int numbers_of(const StridedBlock& block) {
  return mpi::count_of(block.size_bytes / sizeof(double), "numbers in one block");
}

/// What every rank of the team gave as `first`. Collective over it.
[[nodiscard]] std::vector<std::size_t> arena_offsets_of(const Team& team, std::size_t first);

[[nodiscard]] std::shared_ptr<BufferArena> one_sided_arena(Runtime& runtime, const Team& team,
                                                           std::size_t memory_bytes, std::size_t flags);
[[nodiscard]] std::shared_ptr<BufferArena> rma_arena(const Team& team, std::size_t memory_bytes);
[[nodiscard]] std::shared_ptr<BufferArena> two_sided_arena(std::size_t memory_bytes);
/// One contiguous block a source: that is what an all-to-all can carry.
[[nodiscard]] std::shared_ptr<BufferArena> alltoall_arena(std::size_t memory_bytes);

}  // namespace stretto::exchange
