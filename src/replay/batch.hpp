// SPDX-License-Identifier: BSD-3-Clause
// Replays of one schedule on many networks, on several threads.
#pragma once

#include <vector>

#include "replay/replay.hpp"

namespace stretto::replay {

struct TimedReplay {
  ReplayResult result;
  double elapsed_s = 0;  ///< wall time of this replay on its thread
};

/// One result per network, in their order. Results do not depend on `threads`; 0: the number of cores.
/// Throws Stuck for the first network on which the replay does not end.
[[nodiscard]] std::vector<TimedReplay> replay_all(const Schedule& schedule, const CompiledSchedule& compiled,
                                                  const std::vector<network::Network>& networks,
                                                  unsigned threads);

/// The same of a trace that each replay reads as it goes.
[[nodiscard]] std::vector<TimedReplay> replay_all(const StreamedTrace& trace,
                                                  const std::vector<network::Network>& networks,
                                                  unsigned threads);

}  // namespace stretto::replay
