// SPDX-License-Identifier: BSD-3-Clause
// Many networks over one schedule, on several threads.
#pragma once

#include <vector>

#include "replay/replay.hpp"

namespace stretto::replay {

struct TimedReplay {
  ReplayResult result;
  double elapsed_s = 0;  ///< of this replay, on its thread
};

/// One result a network, in their order, and the same as one after the other. `threads` 0: as many as there
/// are cores. Throws Stuck, of the first network with a replay that does not end.
[[nodiscard]] std::vector<TimedReplay> replay_all(const Schedule& schedule, const CompiledSchedule& compiled,
                                                  const std::vector<network::Network>& networks,
                                                  unsigned threads);

}  // namespace stretto::replay
