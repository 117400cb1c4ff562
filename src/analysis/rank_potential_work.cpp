// SPDX-License-Identifier: BSD-3-Clause
// The work after calls in which messages arrive, and before calls that send some, by call site.
#include <algorithm>
#include <memory>
#include <string>

#include "analysis/rank_potential.hpp"

namespace stretto::analysis {

/// Counts the earliest load of the call's messages once.
void RankPotential::FirstUse::take(double seconds) {
  if (!after_s) ++site->used;
  const double before_s = after_s.value_or(0.0);
  after_s = std::min(after_s.value_or(seconds), seconds);
  site->before_use_s += *after_s - before_s;
}

/// Adds a message to those that arrived in the call; they travel at the same time.
void RankPotential::arrive(Thread& thread, const Event& call, std::uint64_t size_bytes, double cost_s,
                           double window_s) {
  Arrived& arrived = thread.arrived;
  arrived.size_bytes += size_bytes;
  if (arrived.messages++ == 0) {
    arrived.call = call;
    arrived.use = std::make_shared<FirstUse>();
    arrived.use->site = &work_site(arrivals_, found_.arrivals, call.site, call.traits->name);
    arrived.cost_s = cost_s;
    arrived.window_s = window_s;
    return;
  }
  arrived.cost_s += arrived.cost_s > 0 ? std::max(cost_s - cost_.latency_s, 0.0) : cost_s;
  arrived.window_s = std::min(arrived.window_s, window_s);
}

/// Counts the messages that arrived in the last call with its call site.
void RankPotential::end_arrival(Thread& thread) {
  Arrived& arrived = thread.arrived;
  if (arrived.messages == 0) return;
  WorkSums& site = work_site(arrivals_, found_.arrivals, arrived.call.site, arrived.call.traits->name);
  ++site.count;
  site.messages += arrived.messages;
  site.size_bytes += arrived.size_bytes;
  site.cost_s += arrived.cost_s;
  site.add_uncovered(arrived.cost_s - arrived.window_s, arrived.call.duration_s);
  arrived.messages = 0;
  arrived.size_bytes = 0;
}

/// Counts a message that a call sends with its call site.
WorkSums& RankPotential::leave(const Event& event, const std::string& call, double cost_s) {
  WorkSums& site = work_site(sends_, found_.sends, event.site, call);
  ++site.count;
  ++site.messages;
  site.size_bytes += event.size_bytes;
  site.cost_s += cost_s;
  return site;
}

WorkSums& RankPotential::work_site(PerNumber<WorkSums*>& by_site, WorkSites& sites, std::uint16_t site,
                                   const std::string& call) {
  const auto [sums, is_new] = by_site[site];
  if (is_new) {
    sums = &sites[place_of(reader_, site)];
    if (sums->call.empty()) sums->call = call;
  }
  return *sums;
}

/// Work after arrivals or, with count 1, before sends: bytes are ns that do not depend on the data.
void RankPotential::worked(const Event& event) {
  if (event.count == record::first_accesses || event.count == record::last_stores) {
    const std::size_t side = event.count == record::last_stores ? 1 : 0;
    found_.accesses[side][place_of(reader_, event.site)].insert(place_of(reader_, event.request));
  }
  if (event.count > record::work_before) return;  // accesses without work
  RegionSums& sums =
      found_
          .regions[event.count == 1 ? 1 : 0][place_of(reader_, event.site)][place_of(reader_, event.request)];
  sums.independent_s += static_cast<double>(event.size_bytes) * ns;
  sums.dependent_s += event.duration_s;
}

}  // namespace stretto::analysis
