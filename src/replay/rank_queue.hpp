// SPDX-License-Identifier: BSD-3-Clause
// Whose turn it is: ranks by the time of their earliest event, ties by rank. A four-way heap in which a
// rank's place is known, so that its time can be put forward when a message comes in.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

#include "replay/four_way_heap.hpp"

namespace stretto::replay {

class RankQueue {
  struct Entry {
    double time_s;
    std::uint32_t rank;

    [[nodiscard]] bool before(const Entry& other) const {
      // No short cuts: which is first is a toss-up, and a branch on it would be mispredicted.
      return bool((time_s < other.time_s) | ((time_s == other.time_s) & (rank < other.rank)));
    }
  };

  auto setting() {
    return [this](std::size_t at, const Entry& entry) {
      heap_[at] = entry;
      place_[entry.rank] = static_cast<std::uint32_t>(at);
    };
  }

 public:
  explicit RankQueue(std::uint32_t ranks) : place_(ranks, nowhere) {}

  [[nodiscard]] bool empty() const { return heap_.empty(); }
  // A turn: the first rank stays first until it is known when it goes on, whatever comes in meanwhile.

  struct Turn {
    std::uint32_t rank;
    double time_s;
    double next_s;  ///< when the first of the others goes on; infinity: none does
  };

  /// The first rank's turn; the queue must not be empty.
  Turn begin_turn() {
    Turn turn{heap_.front().rank, heap_.front().time_s, std::numeric_limits<double>::infinity()};
    const std::size_t end = std::min(heap_.size(), four_way_heap::ways + 1);
    for (std::size_t child = 1; child < end; ++child)
      turn.next_s = std::min(turn.next_s, heap_[child].time_s);
    heap_.front().time_s = -std::numeric_limits<double>::infinity();
    return turn;
  }

  /// It goes on at `time_s`.
  void end_turn(double time_s) { sink({time_s, heap_.front().rank}); }

  /// It does not go on before somebody puts it in again.
  void end_turn() {
    place_[heap_.front().rank] = nowhere;
    const Entry last = heap_.back();
    heap_.pop_back();
    if (!heap_.empty()) sink(last);
  }

  /// Adds the rank, or puts its time forward; a later time than it has changes nothing.
  void put(std::uint32_t rank, double time_s) {
    std::size_t at = place_[rank];
    if (at == nowhere) {
      at = heap_.size();
      heap_.push_back({time_s, rank});
    } else if (time_s >= heap_[at].time_s) {
      return;
    }
    four_way_heap::rise(heap_, at, Entry{time_s, rank}, setting());
  }

 private:
  static constexpr std::uint32_t nowhere = 0xFFFFFFFF;

  void sink(const Entry& entry) { four_way_heap::sink(heap_, entry, setting()); }

  std::vector<Entry> heap_;
  std::vector<std::uint32_t> place_;
};

}  // namespace stretto::replay
