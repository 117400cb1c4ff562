// SPDX-License-Identifier: BSD-3-Clause
// The common members of requests about collectives and Jacobi iterations: runtime functions, grids and
// times as JSON.
#pragma once

#include "network/collective_choice.hpp"
#include "network/request_members.hpp"

namespace stretto::network {

// Members of a request. Each function throws InvalidRequest for an invalid value.
[[nodiscard]] RuntimeFunctions functions_of(const RequestMembers& request);
[[nodiscard]] Algorithm algorithm_of(const RequestMembers& request);
[[nodiscard]] Operation operation_of(const RequestMembers& request);
[[nodiscard]] Grid grid_of(const RequestMembers& request);
[[nodiscard]] std::uint64_t size_of(const RequestMembers& request);
[[nodiscard]] Torus torus_of(const RequestMembers& request);

// Members of an answer.
[[nodiscard]] Json time_json(const CallTime& time);
[[nodiscard]] Json gain_json(const std::optional<Gain>& gain);
[[nodiscard]] Json grid_json(const TwoPhaseTime& two_phase, const CallTime& flat);

}  // namespace stretto::network
