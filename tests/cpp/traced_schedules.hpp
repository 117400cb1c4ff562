// SPDX-License-Identifier: BSD-3-Clause
// Schedules of small traces, for the tests of their makespans.
#pragma once

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "replay/replay.hpp"
#include "replay/trace_schedule.hpp"
#include "trace_writing.hpp"

namespace stretto::replay::trace_test {

/// The end of a rank, or of all.
inline double end_s(const Schedule& schedule, const network::Network& network, std::uint32_t rank = any) {
  const CompiledSchedule compiled(schedule);
  Replayer replayer(schedule, compiled);
  const double makespan_s = replayer.run(network).makespan_s;
  return rank == any ? makespan_s : replayer.end_s(rank);
}

inline double makespan_s(const TracedSchedule& traced, const std::string& network) {
  return end_s(traced.schedule, network::network_from(network));
}

class TraceSchedule : public ::testing::Test {
 protected:
  TracedSchedule scheduled(const std::vector<TraceWriter>& ranks, const TraceOptions& options = {}) {
    return schedule_of_trace(write_ranks(directory_, ranks), options);
  }
  TemporaryDirectory directory_;
};

}  // namespace stretto::replay::trace_test
