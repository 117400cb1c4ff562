// SPDX-License-Identifier: BSD-3-Clause
// A schedule as GOAL text for all its ranks, which `stretto replay` runs on any network (docs/replay.md).
// GOAL knows sends and receives only: puts and gets are written as sends that carry their data. The injection
// queue, overlap in calls and stolen cycles are not of GOAL; without them the replay and the graph agree.
#pragma once

#include <string>

#include "network/schedule_graph.hpp"

namespace stretto::network {

/// The GOAL text of a schedule, ended by a barrier by dissemination. A rank receives where it waits for its
/// own message of that number. Each part of the computation, `work_s` in all, is rounded to a nanosecond.
[[nodiscard]] std::string goal_text(const ScheduleGraph& schedule, double work_s);

}  // namespace stretto::network
