// SPDX-License-Identifier: BSD-3-Clause
// What the progress threads of all ranks did, on request.
#pragma once

#include <string>

#include "progress/poller.hpp"

namespace stretto::progress {

/// Writes a table with a row per rank to the file `where`; `1` is standard error. Collective over
/// MPI_COMM_WORLD.
void write_statistics(const std::string& where, const PollCounts& counts);

}  // namespace stretto::progress
