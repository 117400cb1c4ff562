// SPDX-License-Identifier: BSD-3-Clause
#include "network/runtime_requests.hpp"

namespace stretto::network {
namespace {

constexpr std::int64_t largest_size = (std::int64_t{1} << 53) - 1;  // a double holds it exactly

}  // namespace

RuntimeFunctions functions_of(const RequestMembers& request) {
  try {
    return RuntimeFunctions::from_profile(request.at("functions"));
  } catch (const ProfileError& error) {
    request.refuse("functions", error.what());
  }
}

Algorithm algorithm_of(const RequestMembers& request) {
  const auto algorithm = collective::algorithm_from(request.text_or("algorithm", "library"));
  if (!algorithm) request.refuse("algorithm", "give library or reference");
  return *algorithm;
}

Operation operation_of(const RequestMembers& request) {
  const std::string name = request.text("operation");
  const auto operation = collective::operation_from(name);
  if (!operation) request.refuse("operation", "is '" + name + "', which is no collective operation");
  return *operation;
}

Grid grid_of(const RequestMembers& request) {
  const auto grid = collective::grid_from(request.text("grid"));
  if (!grid || grid->rows < 1 || grid->columns < 1) request.refuse("grid", "give P1xP2");
  if (std::int64_t{grid->rows} * grid->columns > std::numeric_limits<int>::max()) {
    request.refuse("grid", "has too many ranks");
  }
  return *grid;
}

std::uint64_t size_of(const RequestMembers& request) {
  return static_cast<std::uint64_t>(request.whole("size_bytes", 0, largest_size));
}

Torus torus_of(const RequestMembers& request) {
  if (!request.has("torus")) return {};
  try {
    return read_torus(request.at("torus"));
  } catch (const ProfileError& error) {
    request.refuse("torus", error.what());
  }
}

Json time_json(const CallTime& time) {
  if (!time.known()) return {{"time_s", nullptr}, {"deviation", 0}, {"reason", time.unknown_reason}};
  Json known = {{"time_s", time.time_s}, {"deviation", time.deviation}};
  if (time.measured) known["measured"] = true;
  return known;
}

Json gain_json(const std::optional<Gain>& gain) {
  if (!gain) return nullptr;
  return {{"value", gain->value}, {"ci95_low", gain->ci95_low}, {"ci95_high", gain->ci95_high}};
}

Json grid_json(const TwoPhaseTime& two_phase, const CallTime& flat) {
  const CallTime total = two_phase.total();
  return {{"rows", two_phase.grid.rows},
          {"columns", two_phase.grid.columns},
          {"segments", two_phase.segments},
          {"overlap", two_phase.overlap},
          {"beyond_s", two_phase.excess_s},
          {"leader", time_json(two_phase.leader)},
          {"concurrent", time_json(two_phase.concurrent)},
          {"total", time_json(total)},
          {"gain", gain_json(gain_of(flat, total))}};
}

}  // namespace stretto::network
