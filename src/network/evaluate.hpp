// SPDX-License-Identifier: BSD-3-Clause
// The time of a schedule on a LogGP network, evaluated step by step.
#pragma once

#include <optional>
#include <vector>

#include "network/path_costs.hpp"
#include "network/schedule_graph.hpp"

namespace stretto::network {

/// The time of a rank. The segments add up to the total.
struct ScheduleTimes {
  double total_s = 0;
  std::vector<double> segments_s;  ///< in the order of ScheduleGraph::segments
};

/// The time of a schedule that ends with a barrier, when all ranks begin together. `work_s` is a rank's
/// total computation. The barrier is a dissemination barrier on this network unless `barrier_s` is given.
[[nodiscard]] ScheduleTimes evaluate(const ScheduleGraph& schedule, const PathCosts& costs, double work_s,
                                     std::optional<double> barrier_s = std::nullopt);

}  // namespace stretto::network
