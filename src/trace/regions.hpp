// SPDX-License-Identifier: BSD-3-Clause
// Sums of the program's work after each call site at which data arrives, by where the program stores its
// results: work that is independent of the data, and work that may depend on it. Work counts up to the first
// calls between which some depends on the data, and to the next arrival at the same site. Knows no MPI.
#pragma once

#include <cstdint>
#include <mutex>
#include <vector>

#include "memory/watch.hpp"
#include "trace/work_sums.hpp"

namespace stretto::trace {

class Regions {
 public:
  /// Data of this arrival came with a call at `site`. Arrival 0: it is not followed.
  void arrived(std::uint32_t epoch, std::uint16_t site);
  /// Adds the work of a thread between two calls.
  void worked(const std::vector<memory::Work>& work);
  /// Writes all sums.
  void write(Sites& sites, SiteCache& cache, Stream& stream, double ns_of_a_tick);

 private:
  /// More arrivals are not followed at once; memory::epoch_window is as large.
  static constexpr std::size_t most_open = 16;

  struct Open {
    std::uint32_t epoch;
    std::uint16_t site;
  };
  std::mutex mutex_;
  std::vector<Open> open_;
  WorkSums sums_;
};

}  // namespace stretto::trace
