// SPDX-License-Identifier: BSD-3-Clause
// The state behind the public classes. Private to the runtime; other components use the public headers and
// api/services.hpp.
#pragma once

#include <memory>
#include <stretto/aggregate.hpp>
#include <stretto/region.hpp>
#include <stretto/runtime.hpp>
#include <stretto/team.hpp>
#include <utility>

namespace stretto::onesided {

struct Access {
  static const std::shared_ptr<RuntimeState>& state(const Runtime& runtime) { return runtime.state_; }
  static const std::shared_ptr<TeamState>& state(const Team& team) { return team.state_; }
  static const std::shared_ptr<RegionState>& state(const Region& region) { return region.state_; }
  static AggregateState& state(const Aggregate& aggregate) { return *aggregate.state_; }

  static Team team(std::shared_ptr<TeamState> state) { return Team(std::move(state)); }
};

}  // namespace stretto::onesided
