// SPDX-License-Identifier: BSD-3-Clause
// When a rank was in calls of MPI, of all its threads, as far back as calls that have not ended need it.
#pragma once

#include <algorithm>
#include <cstddef>
#include <deque>
#include <map>
#include <vector>

namespace stretto::analysis {

struct CallTime {
  double begin_s = 0;
  double end_s = 0;
};

/// Share of a message's time that its sender may compute without a part in how long it takes.
inline constexpr double short_share = 0.1;

/// The calls of a rank in the order of their begins. `Calls` is a container of CallTime.
template <typename Calls>
class PastOf {
 public:
  /// The begin of the rank's next call where it is outside of MPI at `time_s`; else that itself.
  [[nodiscard]] double return_s(double time_s) const {
    const auto after = first_after(time_s);
    if (after == calls.begin() || after == calls.end() || (after - 1)->end_s > time_s) return time_s;
    return after->begin_s;
  }

  /// Whether the rank, in a call from `begin_s` on, then computes for a part of the time until `end_s`, and
  /// calls MPI again before: a message between these times may have waited for that.
  [[nodiscard]] bool needs_partner(double begin_s, double end_s) const {
    const auto after = first_after(begin_s);
    if (after == calls.begin() || after == calls.end()) return false;
    return after->begin_s <= end_s && after->begin_s - (after - 1)->end_s > short_share * (end_s - begin_s);
  }

  /// Copies what these two need of the times between two others.
  [[nodiscard]] PastOf<std::vector<CallTime>> between(double begin_s, double end_s) const {
    auto first = first_after(begin_s);
    auto last = first_after(end_s);
    if (first != calls.begin()) --first;
    if (last != calls.end()) ++last;
    return {{first, last}};
  }

  [[nodiscard]] auto first_after(double time_s) const {
    return std::ranges::upper_bound(calls, time_s, {}, &CallTime::begin_s);
  }

  Calls calls;
};

using SomePast = PastOf<std::vector<CallTime>>;

/// The past that grows and is forgotten.
class CallPast : public PastOf<std::deque<CallTime>> {
 public:
  /// Adds a call; those of other threads may have begun later. `put_in_order` follows before anything is
  /// asked.
  void add(const CallTime& call) {
    if (in_order_ == calls.size() && (calls.empty() || !is_earlier(call, calls.back()))) ++in_order_;
    calls.push_back(call);
  }

  /// Orders the calls that were added, and keeps `most` of all. A block of a thread has many calls that began
  /// before those of another: to insert each would take as many moves as their product.
  void put_in_order(std::size_t most) {
    const auto added = calls.begin() + static_cast<std::ptrdiff_t>(in_order_);
    if (added != calls.end()) {
      std::sort(added, calls.end(), is_earlier);
      std::inplace_merge(std::upper_bound(calls.begin(), added, *added, is_earlier), added, calls.end(),
                         is_earlier);
    }
    while (calls.size() > most) calls.pop_front();
    in_order_ = calls.size();
  }

  /// Forgets what no time from `time_s` on needs. All calls are in order.
  void forget_before(double time_s) {
    while (calls.size() > 1 && calls[1].begin_s <= time_s) calls.pop_front();
    in_order_ = calls.size();
  }

 private:
  static bool is_earlier(const CallTime& a, const CallTime& b) {
    return a.begin_s != b.begin_s ? a.begin_s < b.begin_s : a.end_s < b.end_s;
  }

  std::size_t in_order_ = 0;  // calls from the first on
};

}  // namespace stretto::analysis
