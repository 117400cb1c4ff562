// SPDX-License-Identifier: BSD-3-Clause
// Clock synchronisation: the offset of this host's clock to that of rank 0, and the moment at which the
// trace's time is zero.
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

/// What one process brings to the exchange, and what all have found in it.
struct Joining {
  bool knows_epoch = false;  ///< from an earlier exchange
  bool can_record = false;   ///< has a directory for the trace
};
struct Agreed {
  bool all_can_record = false;
  /// None where not all can record, where all processes know it, or where the communicator is a session's and
  /// a process has called MPI_Init, which exchanges over MPI_COMM_WORLD.
  std::optional<ClockOffset> clock;
};

/// Collective over `all`, a communicator of all processes. Ranks of one booted kernel share a clock; others
/// exchange messages with the world's rank 0. `proposed_ns`: rank 0's proposal of time zero, the same for all
/// exchanges of several threads.
[[nodiscard]] Agreed agree_on_clock(MPI_Comm all, Joining own, std::atomic<std::uint64_t>& proposed_ns);

}  // namespace stretto::trace
