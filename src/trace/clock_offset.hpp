// SPDX-License-Identifier: BSD-3-Clause
// The common time of all ranks: when the trace's time zero is on this host's clock.
#pragma once

#include <mpi.h>

#include <atomic>
#include <cstdint>
#include <optional>

namespace stretto::trace {

struct ClockOffset {
  std::uint64_t epoch_ns = 0;  ///< this clock's reading at the common time zero
  std::int64_t offset_ns = 0;  ///< this clock minus that of the world's rank 0
  /// Half of the shortest round trip, which bounds the error; 0: the ranks share a clock.
  std::uint64_t error_ns = 0;
};

/// Collective over `all`, a communicator of all processes. Ranks of one booted kernel share a clock; others
/// exchange messages with the world's rank 0. `is_known`: from an earlier exchange. `proposed_ns`: rank 0's
/// proposal of time zero, the same for all exchanges of several threads. There is no result where all
/// processes know the offset, or where `all` is a session's communicator and a process has called MPI_Init,
/// which exchanges over MPI_COMM_WORLD.
[[nodiscard]] std::optional<ClockOffset> find_clock_offset(MPI_Comm all, bool is_known,
                                                           std::atomic<std::uint64_t>& proposed_ns);

}  // namespace stretto::trace
