// SPDX-License-Identifier: BSD-3-Clause
// Where in the code the program accesses the data of messages, summed by call site: the first access to what
// arrived, the last store to what is sent, and accesses to messages in flight. Knows no MPI.
#pragma once

#include <cstdint>
#include <map>
#include <mutex>
#include <utility>

#include "memory/watch.hpp"
#include "trace/sites.hpp"

namespace stretto::trace {

class MessageAccesses {
 public:
  /// Data of this arrival came with a call at `site`. Arrival 0: it is not followed.
  void arrived(std::uint32_t epoch, std::uint16_t site, const memory::Watch& watch);
  /// A call at `site` sent data that was stored to last at `place`; 0: not known.
  void sent(std::uint16_t site, std::uintptr_t place);
  /// Writes a `region` record without work for each sum, and forgets them.
  void write(const memory::Watch& watch, Sites& sites, SiteCache& cache, Stream& stream);

 private:
  /// Fewer than what a watch keeps: the first access to older arrivals is no longer waited for.
  static constexpr std::uint32_t max_pending = 64;
  using Sums = std::map<std::pair<std::uint16_t, std::uintptr_t>, std::uint64_t>;

  static void write(const Sums& sums, std::uint32_t what, Sites& sites, SiteCache& cache, Stream& stream);

  std::mutex mutex_;
  std::map<std::uint32_t, std::uint16_t> pending_;  // site, by arrival
  Sums first_;
  Sums last_;
};

}  // namespace stretto::trace
