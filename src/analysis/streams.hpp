// SPDX-License-Identifier: BSD-3-Clause
// Call sites of streams, as in a pipeline or a wavefront: most of their messages go to, or come from, a rank
// without one in the other direction between two of them.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <unordered_map>
#include <vector>

#include "analysis/places.hpp"

namespace stretto::analysis {

/// The messages of a place: how many, and how many of them follow another in the same direction.
struct Streamed {
  std::uint64_t messages = 0;
  std::uint64_t streamed = 0;
};

/// Those of all ranks.
struct StreamSites {
  std::map<Place, Streamed> places;

  void add(const Place& place, const Streamed& messages);
  [[nodiscard]] std::vector<Place> streams() const;
};

/// Of a rank, where it last received from, or sent to, each peer while nothing went the other way. Its sites
/// are known places.
class RankStreams {
 public:
  void take(std::uint16_t site, std::int32_t peer, bool sends);
  void add_to(StreamSites& all, const replay::TraceReader& reader) const;

 private:
  struct Last {
    std::uint16_t site = 0;
    bool is_known = false;
  };
  std::unordered_map<std::int32_t, std::array<Last, 2>> peers_;  // of receives and of sends
  std::map<std::uint16_t, Streamed> sites_;
};

}  // namespace stretto::analysis
