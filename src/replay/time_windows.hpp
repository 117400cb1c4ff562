// SPDX-License-Identifier: BSD-3-Clause
// Conservative time windows, which determine the ranks that may run next. No action of a rank reaches
// another within one window. All ranks with an event in the same window may therefore run in any order. The
// ranks are in a calendar of windows; a heap holds those beyond its last page.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "network/event_heap.hpp"

namespace stretto::replay {

class TimeWindows {
 public:
  explicit TimeWindows(std::uint32_t ranks) : due_s_(ranks, never) {}

  /// Removes all events, and sets the length of windows to `window_s` seconds. 0: each window has one rank.
  void reset(double window_s);

  /// Registers an event of the rank at `time_s`; an event later than its known one has no effect.
  void put(std::uint32_t rank, double time_s) {
    if (time_s >= due_s_[rank]) return;
    due_s_[rank] = time_s;
    const std::uint64_t page = std::max(page_of(time_s), page_ + 1);
    if (page - page_ < pages) {
      write(page, {time_s, rank});
    } else {
      later_.push({time_s, rank});
    }
  }

  struct Window {
    std::span<const std::uint32_t>
        ranks;           ///< valid until next(); put() is allowed before; empty: all is done
    double until_s = 0;  ///< each rank runs its first event, and all others before this time
  };

  /// The ranks that run next; their events are removed.
  Window next();

 private:
  static constexpr double never = std::numeric_limits<double>::infinity();
  static constexpr std::size_t pages = 1024;
  static constexpr std::size_t word_bits = 64;
  static constexpr std::uint64_t no_page = std::uint64_t{1} << 62U;  // beyond all

  struct Entry {
    double time_s;
    std::uint32_t rank;

    [[nodiscard]] bool before(const Entry& other) const {
      return time_s < other.time_s || (time_s == other.time_s && rank < other.rank);
    }
  };

  [[nodiscard]] std::uint64_t page_of(double time_s) const {
    constexpr auto most = static_cast<double>(no_page);
    const double page = time_s * pages_per_s_;
    return page < most ? static_cast<std::uint64_t>(page) : no_page;  // also for NaN
  }
  void write(std::uint64_t page, const Entry& entry) {
    calendar_[page % pages].push_back(entry);
    written_[page % pages / word_bits] |= std::uint64_t{1} << page % word_bits;
  }
  [[nodiscard]] bool find_page();
  void copy_later();
  void read_page();
  [[nodiscard]] Window together();
  [[nodiscard]] Window alone(const Entry& first);
  [[nodiscard]] bool take(const Entry& entry);

  double window_s_ = 0;
  double pages_per_s_ = 0;
  std::vector<double> due_s_;  // per rank
  std::uint64_t page_ = 0;     // current page
  std::array<std::vector<Entry>, pages> calendar_;
  std::array<std::uint64_t, pages / word_bits> written_{};  // one bit per page
  network::EventHeap<Entry> later_;
  std::vector<Entry> read_;  // entries of the current page
  std::vector<std::uint32_t> ranks_;
};

}  // namespace stretto::replay
