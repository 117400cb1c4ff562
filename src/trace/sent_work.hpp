// SPDX-License-Identifier: BSD-3-Clause
// Work before a send that could hide it, summed by the call site of the send:
//
//   last store to the data          copy to the send buffer      send at site S
//      | work on something else    |/////////////////////////|   |
//      |------ counts for S -------|      does not count      |--|
//
// The message could have left at the last store. Messages of one site are one burst where the data of all
// was ready before the first left. Knows no MPI.
#pragma once

#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <mutex>
#include <vector>

#include "memory/watch.hpp"
#include "trace/work_sums.hpp"

namespace stretto::trace {

class SentWork {
 public:
  /// A call at `site` sent data. `last_stores`: as the watch gives them.
  void sent(std::uint16_t site, const memory::PartTimes& last_stores);
  /// Adds the work of a thread between two calls.
  void worked(const std::vector<memory::Work>& work);
  /// Writes all sums.
  void write(Sites& sites, SiteCache& cache, Stream& stream, double ns_of_a_tick);

 private:
  /// Older work counts with no send.
  static constexpr std::size_t max_phases = 64;

  /// The work between two calls.
  struct Phase {
    std::uint64_t number;
    std::vector<memory::Work> work;
  };
  using Phases = std::deque<std::shared_ptr<const Phase>>;
  /// The messages of one site that count as one, with the work before the first of them.
  struct Burst {
    Phases phases;
    std::uint64_t begin_ns = 0;  // the end of the last phase
    std::uint64_t ready_ns = 0;
    std::vector<memory::Interval> copies;
  };

  void count(std::uint16_t site, const Burst& burst);

  std::mutex mutex_;
  std::uint64_t last_phase_ = 0;
  Phases phases_;
  std::map<std::uint16_t, Burst> bursts_;           // by site
  std::map<std::uint16_t, std::uint64_t> counted_;  // by site, the last phase that counted
  WorkSums sums_;
};

}  // namespace stretto::trace
