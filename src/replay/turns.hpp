// SPDX-License-Identifier: BSD-3-Clause
// Whose turn it is. Nothing that a rank does is seen by another before `lookahead` has passed, so all ranks
// that have something to do within one window of that length may do it one after the other, in any order.
// Ranks lie in a calendar of windows; a heap has those that go on after its last page.
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

class Turns {
 public:
  explicit Turns(std::uint32_t ranks) : due_s_(ranks, never) {}

  /// Nobody has anything to do; windows are of `lookahead_s` seconds. 0: each is one rank's.
  void reset(double lookahead_s);

  /// The rank has something to do at `time_s`; later than what is known of it changes nothing.
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
        ranks;           ///< until next(); they may be put again meanwhile; none: all is done
    double until_s = 0;  ///< what they have to do before, and one thing at least, is theirs
  };

  /// Those that go first, and no longer are known to have something to do.
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
    return page < most ? static_cast<std::uint64_t>(page) : no_page;  // no number, too
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

  double lookahead_s_ = 0;
  double pages_per_s_ = 0;
  std::vector<double> due_s_;  // per rank
  std::uint64_t page_ = 0;     // whose ranks have their turn
  std::array<std::vector<Entry>, pages> calendar_;
  std::array<std::uint64_t, pages / word_bits> written_{};  // a bit a page
  network::EventHeap<Entry> later_;
  std::vector<Entry> read_;  // of the page
  std::vector<std::uint32_t> turn_;
};

}  // namespace stretto::replay
