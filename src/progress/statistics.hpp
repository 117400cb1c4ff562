// SPDX-License-Identifier: BSD-3-Clause
// What the progress threads of all ranks did, on request.
#pragma once

#include <cstdint>

#include "progress/poller.hpp"

namespace stretto::progress {

/// Whether STRETTO_STATISTICS is set on rank 0. Collective over MPI_COMM_WORLD.
[[nodiscard]] bool statistics_requested();

/// Writes a table with a row per rank to the file that STRETTO_STATISTICS names; `1` is standard error.
/// Collective over MPI_COMM_WORLD.
void write_statistics(const PollCounts& counts, std::int64_t starts);

}  // namespace stretto::progress
