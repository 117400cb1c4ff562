// SPDX-License-Identifier: BSD-3-Clause
#include "replay/batch.hpp"

#include <chrono>
#include <memory>

#include "replay/for_all.hpp"

namespace stretto::replay {

namespace {

/// `make()`: a new Replayer.
template <typename Make>
std::vector<TimedReplay> replays_on(const std::vector<network::Network>& networks, unsigned threads,
                                    const Make& make) {
  std::vector<TimedReplay> replays(networks.size());
  for_all(networks.size(), threads, [&] {
    // Shared, because a std::function must be copyable.
    return [&, replayer = std::shared_ptr<Replayer>()](std::size_t at) mutable {
      const auto begin = std::chrono::steady_clock::now();
      if (!replayer) replayer = make();
      replays[at].result = replayer->run(networks[at]);
      replays[at].elapsed_s = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
    };
  });
  return replays;
}

}  // namespace

std::vector<TimedReplay> replay_all(const Schedule& schedule, const CompiledSchedule& compiled,
                                    const std::vector<network::Network>& networks, unsigned threads) {
  return replays_on(networks, threads, [&] { return std::make_shared<Replayer>(schedule, compiled); });
}

std::vector<TimedReplay> replay_all(const StreamedTrace& trace, const std::vector<network::Network>& networks,
                                    unsigned threads) {
  return replays_on(networks, threads, [&] { return std::make_shared<Replayer>(trace); });
}

}  // namespace stretto::replay
