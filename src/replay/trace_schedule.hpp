// SPDX-License-Identifier: BSD-3-Clause
// From an application's trace to a schedule: what every rank computes between its calls, what it sends and
// receives, and what waits for what. How long the calls took is the recorded network's, and is left out.
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
  /// Computation takes this many times as long: 0 leaves it out.
  double compute_scale = 1;
  Level level = Level::traced;
};

struct TraceSummary {
  std::uint64_t records = 0;
  std::uint64_t messages = 0;  ///< point to point
  std::uint64_t produced = 0;  ///< messages of which is known when their data was produced
  std::uint64_t consumed = 0;
  std::uint64_t collectives = 0;  ///< calls, over all ranks
  double span_s = 0;              ///< from MPI_Init to MPI_Finalize, of the rank that took longest
  double compute_s = 0;           ///< outside of MPI, of the rank that computed most
  /// Calls with time that is taken as computation, by name: one-sided operations, what makes datatypes, ...
  std::map<std::string, std::uint64_t> as_computation;
};

struct TracedSchedule {
  Schedule schedule;
  TraceSummary summary;
};

/// `files` of all ranks, in their order. Throws TraceError, or ScheduleError when a schedule cannot hold it.
[[nodiscard]] TracedSchedule schedule_of_trace(const std::vector<std::filesystem::path>& files,
                                               const TraceOptions& options);

}  // namespace stretto::replay
