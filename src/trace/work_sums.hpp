// SPDX-License-Identifier: BSD-3-Clause
// Sums of the program's work by call site, and by where the program stores its results. Knows no MPI.
#pragma once

#include <cstdint>
#include <map>
#include <utility>

#include "trace/sites.hpp"

namespace stretto::trace {

/// Ticks of work that is independent of the data of a call, and of the other work.
struct WorkTicks {
  std::uint64_t independent = 0;
  std::uint64_t dependent = 0;
};

class WorkSums {
 public:
  /// `place`: an address in the program's code; 0: not known.
  [[nodiscard]] WorkTicks& of(std::uint16_t site, std::uintptr_t place) { return sums_[{site, place}]; }

  /// Writes a `region` record for each sum, and forgets them. `count` of the records: 0 for work after calls
  /// that receive, 1 for work before calls that send (docs/formats.md).
  void write(std::uint32_t count, Sites& sites, SiteCache& cache, Stream& stream, double ns_of_a_tick);

 private:
  std::map<std::pair<std::uint16_t, std::uintptr_t>, WorkTicks> sums_;
};

}  // namespace stretto::trace
