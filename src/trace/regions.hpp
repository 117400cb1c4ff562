// SPDX-License-Identifier: BSD-3-Clause
// Work after a receive that could hide it, summed by the call site of the receive and the place in the code
// that stores:
//
//   receive completes at site S
//      | no work depends on the data | MPI call | some work depends on it | MPI call | not counted
//      |----- independent work ------|          |-- both, divided --------|
//
// Knows no MPI.
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
  static constexpr std::size_t max_open = 16;

  struct Open {
    std::uint32_t epoch;
    std::uint16_t site;
  };
  std::mutex mutex_;
  std::vector<Open> open_;
  WorkSums sums_;
};

}  // namespace stretto::trace
