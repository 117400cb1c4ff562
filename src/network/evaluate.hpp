// SPDX-License-Identifier: BSD-3-Clause
// When a schedule ends on a LogGP network: its graph, step by step.
#pragma once

#include <optional>
#include <vector>

#include "network/path_costs.hpp"
#include "network/schedule_graph.hpp"

namespace stretto::network {

/// How long a rank takes. The segments add up to the total.
struct ScheduleTimes {
  double total_s = 0;
  std::vector<double> segments_s;  ///< as ScheduleGraph::segments
};

/// The time of a schedule that a barrier ends, when all ranks begin together. `work_s` is a rank's whole
/// computation alone; the barrier is one by dissemination on this network unless `barrier_s` is given.
[[nodiscard]] ScheduleTimes evaluate(const ScheduleGraph& schedule, const PathCosts& costs, double work_s,
                                     std::optional<double> barrier_s = std::nullopt);

}  // namespace stretto::network
