// SPDX-License-Identifier: BSD-3-Clause
#include "replay/batch.hpp"

#include <chrono>
#include <memory>

#include "replay/for_all.hpp"

namespace stretto::replay {

std::vector<TimedReplay> replay_all(const Schedule& schedule, const CompiledSchedule& compiled,
                                    const std::vector<network::Network>& networks, unsigned threads) {
  std::vector<TimedReplay> replays(networks.size());
  for_all(networks.size(), threads, [&] {
    // Shared, because a std::function must be copyable.
    return [&, replayer = std::shared_ptr<Replayer>()](std::size_t at) mutable {
      const auto begin = std::chrono::steady_clock::now();
      if (!replayer) replayer = std::make_shared<Replayer>(schedule, compiled);
      replays[at].result = replayer->run(networks[at]);
      replays[at].elapsed_s = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
    };
  });
  return replays;
}

}  // namespace stretto::replay
