// SPDX-License-Identifier: BSD-3-Clause
// Writes a schedule as GOAL text for all its ranks, which `stretto replay` runs on any network
// (docs/replay.md). GOAL has only sends and receives, so that puts and gets become sends of their data.
// GOAL has no injection queue, no overlap in calls and no stolen cycles; without these the replay and the
// graph agree.
#pragma once

#include <string>

#include "network/schedule_graph.hpp"

namespace stretto::network {

/// The GOAL text of a schedule with a dissemination barrier at its end. A rank receives where it waits for
/// its own message of the same number. Each part of the computation (`work_s` in total) is rounded to
/// nanoseconds.
[[nodiscard]] std::string goal_text(const ScheduleGraph& schedule, double work_s);

}  // namespace stretto::network
