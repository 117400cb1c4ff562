// SPDX-License-Identifier: BSD-3-Clause
// Converts an application's trace to a schedule: each rank's computation between its calls, its messages,
// and their dependencies. The duration of calls belongs to the recorded network, and is left out.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "replay/event_list.hpp"
#include "replay/schedule.hpp"

namespace stretto::replay {

struct TraceOptions {
  /// Factor for all computation; 0 leaves it out.
  double compute_scale = 1;
  Level level = Level::traced;
  /// Whether the ranks move the data of one-sided operations, as under all progress models but offload.
  bool by_ranks = false;
};

struct TraceSummary {
  std::uint64_t records = 0;
  std::uint64_t messages = 0;  ///< point to point
  std::uint64_t produced = 0;  ///< messages with a known time of production
  std::uint64_t consumed = 0;
  std::uint64_t collectives = 0;  ///< calls, over all ranks
  std::uint64_t one_sided = 0;    ///< operations, over all ranks
  std::uint64_t incomplete = 0;   ///< ranks with a recording that ended early
  double span_s = 0;              ///< from MPI_Init to MPI_Finalize, on the rank that took longest
  double all_ranks_s = 0;         ///< the sum of these times of all ranks
  double compute_s = 0;           ///< outside of MPI, on the rank that computed most
  /// Calls counted as computation, by name: neighbourhood collectives, creation of datatypes, ...
  std::map<std::string, std::uint64_t> as_computation;
};

struct TracedSchedule {
  Schedule schedule;
  TraceSummary summary;
};

/// `files` of all ranks in order. Throws TraceError, or ScheduleError when the trace exceeds the limits of
/// a schedule.
[[nodiscard]] TracedSchedule schedule_of_trace(const std::vector<std::filesystem::path>& files,
                                               const TraceOptions& options);

}  // namespace stretto::replay
