// SPDX-License-Identifier: BSD-3-Clause
// The grounds of the four transports, for make_ground() only.
#pragma once

#include <memory>
#include <vector>

#include "kernel/mover.hpp"
#include "mpi/count.hpp"

namespace stretto::kernel {

/// Of one of a block's pieces, as MPI_DOUBLE. Throws std::invalid_argument beyond what MPI counts.
[[nodiscard]] inline int numbers_of(const Block& block) {
  return mpi::count_of(block.size_bytes / sizeof(double), "numbers in one block");
}

/// What every rank of the team gave as `first`. Collective over it.
[[nodiscard]] std::vector<std::size_t> landings_of(const Team& team, std::size_t first);

[[nodiscard]] std::shared_ptr<Ground> one_sided_ground(Runtime& runtime, const Team& team,
                                                       std::size_t memory_bytes, std::size_t flags);
[[nodiscard]] std::shared_ptr<Ground> rma_ground(const Team& team, std::size_t memory_bytes);
[[nodiscard]] std::shared_ptr<Ground> two_sided_ground(std::size_t memory_bytes);
/// One contiguous block a source: that is what an all-to-all can carry.
[[nodiscard]] std::shared_ptr<Ground> alltoall_ground(std::size_t memory_bytes);

}  // namespace stretto::kernel
