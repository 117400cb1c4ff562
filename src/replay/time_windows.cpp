// SPDX-License-Identifier: BSD-3-Clause
#include "replay/time_windows.hpp"

#include <bit>

namespace stretto::replay {
namespace {

/// A slightly smaller time, because the sums of times may have been rounded down.
double a_little_before(double time_s) { return time_s * (1 - 8 * std::numeric_limits<double>::epsilon()); }

}  // namespace

void TimeWindows::reset(double window_s) {
  window_s_ = window_s;
  pages_per_s_ = 1 / window_s;
  std::ranges::fill(due_s_, never);
  page_ = 0;
  for (std::vector<Entry>& entries : calendar_) entries.clear();
  written_.fill(0);
  later_.clear();
}

TimeWindows::Window TimeWindows::next() {
  for (;;) {
    copy_later();
    if (find_page()) {
      read_page();
      if (!read_.empty()) return together();
    } else if (later_.empty()) {
      return {};
    } else if (const std::uint64_t page = page_of(later_.top().time_s); page < no_page) {
      page_ = page - 1;
    } else if (const Entry first = later_.top(); later_.pop(), take(first)) {
      return alone(first);
    }
  }
}

/// Takes an entry; false if the rank has an earlier event by now, or has run.
bool TimeWindows::take(const Entry& entry) {
  if (due_s_[entry.rank] != entry.time_s) return false;
  due_s_[entry.rank] = never;
  return true;
}

/// Advances to the next page with entries; returns false if there is none.
bool TimeWindows::find_page() {
  for (std::uint64_t page = page_ + 1; page < page_ + pages;) {
    const std::uint64_t here = written_[page % pages / word_bits] >> page % word_bits;
    if (here != 0) {
      page_ = page + static_cast<unsigned>(std::countr_zero(here));
      return true;
    }
    page += word_bits - page % word_bits;
  }
  return false;
}

/// Copies the entries that now fall into the calendar's pages.
void TimeWindows::copy_later() {
  while (!later_.empty()) {
    const Entry entry = later_.top();
    const std::uint64_t page = page_of(entry.time_s);
    if (page >= page_ + pages) return;
    later_.pop();
    if (due_s_[entry.rank] == entry.time_s) write(page, entry);
  }
}

void TimeWindows::read_page() {
  std::vector<Entry>& entries = calendar_[page_ % pages];
  read_.clear();
  for (const Entry& entry : entries) {
    if (take(entry)) read_.push_back(entry);
  }
  entries.clear();
  written_[page_ % pages / word_bits] &= ~(std::uint64_t{1} << page_ % word_bits);
}

/// All ranks of the page, except those without an event before the earliest one could reach them.
TimeWindows::Window TimeWindows::together() {
  double first_s = never;
  for (const Entry& entry : read_) first_s = std::min(first_s, entry.time_s);
  const double until_s = a_little_before(first_s + window_s_);
  ranks_.clear();
  for (const Entry& entry : read_) {
    if (entry.time_s < until_s || entry.time_s == first_s) {
      ranks_.push_back(entry.rank);
    } else {
      put(entry.rank, entry.time_s);
    }
  }
  return {ranks_, until_s};
}

/// Runs the first event of one rank, so late that a window is less than the rounding of its time.
TimeWindows::Window TimeWindows::alone(const Entry& first) {
  ranks_.assign(1, first.rank);
  return {ranks_, first.time_s};
}

}  // namespace stretto::replay
