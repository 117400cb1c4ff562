// SPDX-License-Identifier: BSD-3-Clause
// What the analysis adds up by place in a program: of one rank, or of all ranks. Times in seconds.
#pragma once

#include <array>
#include <cstdint>
#include <deque>
#include <map>
#include <set>
#include <string>
#include <utility>

#include "analysis/call_traits.hpp"
#include "replay/trace_definitions.hpp"

namespace stretto::analysis {

using Place = replay::TracedPlace;

/// Values by key, in the order of their first use.
template <typename Key, typename Value>
class Ordered {
 public:
  /// The value of a key, created if needed.
  Value& operator[](const Key& key) {
    const auto [found, is_new] = numbers_.try_emplace(key, all_.size());
    if (is_new) all_.emplace_back(key, Value());
    return all_[found->second].second;
  }
  [[nodiscard]] std::size_t size() const { return all_.size(); }
  [[nodiscard]] auto begin() const { return all_.begin(); }
  [[nodiscard]] auto end() const { return all_.end(); }

 private:
  std::map<Key, std::size_t> numbers_;
  std::deque<std::pair<Key, Value>> all_;  // references to values stay valid
};

/// The order in which the parts of a message's data are touched.
enum class Order : std::uint8_t { at_once, in_order, in_reverse_order, in_mixed_order };

/// Work around messages with known data accesses (Sancho et al., slides 6 to 12).
struct DataWork {
  std::uint64_t messages = 0;
  double independent_s = 0;    ///< between the data accesses and the call: touches no part of the message
  double dependent_s = 0;      ///< from the first part to the last
  double between_parts_s = 0;  ///< of it what loop indexing could move to the other end
  /// On the producer, work between the last call before the data and the data: bounds code re-arrangement.
  double rearrangement_s = 0;
  std::int64_t untouched_parts = 0;  ///< of `messages`, which have at least one touched part each
  Ordered<Order, std::uint64_t> orders;

  void add(const DataWork& other);
};

/// The operations that one call of a program started.
struct SiteSums {
  Side side = Side::send;
  std::uint64_t count = 0;
  std::uint64_t size_bytes = 0;
  double blocked_s = 0;
  double window_s = 0;
  double cost_s = 0;
  double covered_s = 0;
  std::uint64_t nonblocking = 0;
  double starting_s = 0;
  std::uint64_t at_once = 0;
  DataWork data;       ///< in the order of the program
  DataWork reordered;  ///< as if work that needs nothing of what arrived were done first
  double data_cost_s = 0;
  double data_window_s = 0;

  void add(const SiteSums& other);
};

struct RegionSums {
  double independent_s = 0;
  double dependent_s = 0;
};

/// All calls at one place in which data arrived, or which sent data.
struct WorkSums {
  std::string call;
  std::uint64_t count = 0;
  std::uint64_t messages = 0;
  std::uint64_t size_bytes = 0;  ///< of the messages
  double blocked_s = 0;
  double cost_s = 0;       ///< messages that arrive in one call share the latency
  double uncovered_s = 0;  ///< of the cost what no computation between start and wait covers
  /// Work between calls and the first load of what arrived in them. It needs none of it, and no branch on it.
  double before_use_s = 0;
  std::uint64_t used = 0;  ///< calls of which that is known

  /// Adds the part of a cost that nothing covers, at least 0, and the time of the call.
  void add_uncovered(double uncovered, double blocked) {
    uncovered_s += uncovered > 0 ? uncovered : 0;
    blocked_s += blocked;
  }
};

/// Work that lies after the calls of a place, or before them, by the place of the work.
using Regions = Ordered<Place, Ordered<Place, RegionSums>>;
using Sites = Ordered<std::pair<Place, std::string>, SiteSums>;
using WorkSites = Ordered<Place, WorkSums>;
/// Places that access a message's data, by the place of its call; an empty one where that is not known.
using Accesses = std::map<Place, std::set<Place>>;

struct Potential {
  Sites sites;
  WorkSites arrivals;
  WorkSites sends;
  std::array<Regions, 2> regions;    ///< of arrivals and of sends
  std::array<Accesses, 2> accesses;  ///< the first to what arrived, and the last stores to what is sent

  /// Adds those of another rank.
  void add(const Potential& other);
};

}  // namespace stretto::analysis
