// SPDX-License-Identifier: BSD-3-Clause
#include "analysis/sums.hpp"

namespace stretto::analysis {

void DataWork::add(const DataWork& other) {
  messages += other.messages;
  independent_s += other.independent_s;
  dependent_s += other.dependent_s;
  between_parts_s += other.between_parts_s;
  rearrangement_s += other.rearrangement_s;
  untouched_parts += other.untouched_parts;
  for (const auto& [order, count] : other.orders) orders[order] += count;
}

void SiteSums::add(const SiteSums& other) {
  if (count == 0) side = other.side;
  count += other.count;
  size_bytes += other.size_bytes;
  blocked_s += other.blocked_s;
  window_s += other.window_s;
  cost_s += other.cost_s;
  covered_s += other.covered_s;
  nonblocking += other.nonblocking;
  starting_s += other.starting_s;
  at_once += other.at_once;
  data.add(other.data);
  reordered.add(other.reordered);
  data_cost_s += other.data_cost_s;
  data_window_s += other.data_window_s;
}

namespace {

void add_work(WorkSites& all, const WorkSites& of_rank) {
  for (const auto& [place, one] : of_rank) {
    WorkSums& sums = all[place];
    if (sums.call.empty()) sums.call = one.call;
    sums.count += one.count;
    sums.messages += one.messages;
    sums.blocked_s += one.blocked_s;
    sums.cost_s += one.cost_s;
    sums.uncovered_s += one.uncovered_s;
    sums.size_bytes += one.size_bytes;
    sums.before_use_s += one.before_use_s;
    sums.used += one.used;
  }
}

}  // namespace

void Potential::add(const Potential& other) {
  for (const auto& [key, one] : other.sites) sites[key].add(one);
  add_work(arrivals, other.arrivals);
  add_work(sends, other.sends);
  for (std::size_t side = 0; side < regions.size(); ++side) {
    for (const auto& [place, of_place] : other.regions[side]) {
      for (const auto& [where, one] : of_place) {
        RegionSums& sums = regions[side][place][where];
        sums.independent_s += one.independent_s;
        sums.dependent_s += one.dependent_s;
      }
    }
    for (const auto& [place, of_place] : other.accesses[side]) {
      accesses[side][place].insert(of_place.begin(), of_place.end());
    }
  }
}

}  // namespace stretto::analysis
