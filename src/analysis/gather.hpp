// SPDX-License-Identifier: BSD-3-Clause
// Adds up on process 0 what the processes of a team have found.
#pragma once

#include <concepts>
#include <type_traits>
#include <utility>

#include "analysis/analyse.hpp"
#include "analysis/archive.hpp"
#include "analysis/team.hpp"

namespace stretto::replay {

void fields(auto& archive, std::same_as<TracedPlace> auto& one) { archive(one.module, one.address); }

}  // namespace stretto::replay

namespace stretto::analysis {

void fields(auto& archive, std::same_as<DataWork> auto& one) {
  archive(one.messages, one.independent_s, one.dependent_s, one.between_parts_s, one.rearrangement_s,
          one.untouched_parts, one.orders);
}

void fields(auto& archive, std::same_as<SiteSums> auto& one) {
  archive(one.side, one.count, one.size_bytes, one.blocked_s, one.window_s, one.cost_s, one.covered_s,
          one.nonblocking, one.starting_s, one.at_once, one.data, one.reordered, one.data_cost_s,
          one.data_window_s);
}

void fields(auto& archive, std::same_as<WorkSums> auto& one) {
  archive(one.call, one.count, one.messages, one.size_bytes, one.blocked_s, one.cost_s, one.uncovered_s,
          one.before_use_s, one.used);
}

void fields(auto& archive, std::same_as<Potential> auto& one) {
  archive(one.sites, one.arrivals, one.sends, one.regions, one.accesses);
}

void fields(auto& archive, std::same_as<Program> auto& one) {
  archive(one.modules, one.call_sites, one.records);
}

void fields(auto& archive, std::same_as<PotentialAndProgram> auto& one) {
  archive(one.potential, one.program);
}

void fields(auto& archive, std::same_as<TimeUse::Site> auto& one) { archive(one.blocked, one.call); }

void fields(auto& archive, std::same_as<TimeUse> auto& one) {
  archive(one.run_s, one.sites, one.streams.places);
}

void fields(auto& archive, std::same_as<ShownTimes> auto& one) { archive(one.classes); }

void fields(auto& archive, std::same_as<ShownTimes::Class> auto& one) {
  archive(one.size_bytes, one.times_s);
}

/// The sum of what all processes of a team have found, in their order, on process 0; nothing elsewhere. All
/// call it together.
template <typename Found>
[[nodiscard]] Found gathered(Team& team, Found found) {
  if (team.size() == 1) return found;
  std::vector<Found> to(team.size());
  to[0] = std::move(found);
  Found all;
  for (const Found& one : exchanged(team, std::move(to))) all.add(one);
  return all;
}

}  // namespace stretto::analysis
