// SPDX-License-Identifier: BSD-3-Clause
#include "replay/batch.hpp"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <exception>
#include <optional>
#include <thread>

namespace stretto::replay {

std::vector<TimedReplay> replay_all(const Schedule& schedule, const CompiledSchedule& compiled,
                                    const std::vector<network::Network>& networks, unsigned threads) {
  if (threads == 0) threads = std::max(1U, std::thread::hardware_concurrency());
  threads = static_cast<unsigned>(std::min<std::size_t>(threads, networks.size()));
  std::vector<TimedReplay> replays(networks.size());
  std::vector<std::exception_ptr> failures(networks.size());
  std::atomic<std::size_t> next = 0;
  const auto work = [&] {
    std::size_t at = next++;
    try {
      std::optional<Replayer> replayer;
      for (; at < networks.size(); at = next++) {
        const auto begin = std::chrono::steady_clock::now();
        if (!replayer) replayer.emplace(schedule, compiled);
        replays[at].result = replayer->run(networks[at]);
        replays[at].elapsed_s =
            std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
      }
    } catch (...) {
      failures[at] = std::current_exception();
      next = networks.size();  // skips the networks that no thread has taken yet
    }
  };
  {
    std::vector<std::jthread> others;
    for (unsigned i = 1; i < threads; ++i) others.emplace_back(work);
    work();
  }
  for (const std::exception_ptr& failure : failures) {
    if (failure) std::rethrow_exception(failure);
  }
  return replays;
}

}  // namespace stretto::replay
