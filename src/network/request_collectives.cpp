// SPDX-License-Identifier: BSD-3-Clause
// Requests about collective operations, answered by runtime functions. Common members:
//   functions  {"collectives": [...], "couplings": [...], "measured_collectives": [...], "torus": [...]} of a
//              profile (docs/formats.md)
//   algorithm  `library` (the default) or `reference`
//   calls      the list of calls; the answer has a list of the same length
// A time is {"time_s": seconds or null, "deviation": half of a relative 95 % interval, "measured": true where
// it is one of measured calls, "reason": why null}.
//
// collective-calls    {operation, members, size_bytes, phase, stride, groups}: a flat call, or one phase.
//                     Answer: `times`.
// collective-grids    {operation, grid, size_bytes, segments, overlap}: both phases on P1xP2, in one or
//                     several segments. Answer: `grids`, each with its times, the time beyond their sum,
//                     and its gain over flat.
// collective-choices  {operation, members, size_bytes}: flat, a grid, or undecided.
//                     Answer: `choices`, each with all grids, fastest first.
// collective-factors  {operation, members, size_bytes, grid, phase, messages, ranks_per_node}, and one
//                     `torus`: the factors of the terms of a runtime function. Answer: `members`,
//                     `size_bytes`, `stride` and `groups` of the call or phase, `same_node` (whether the
//                     members of a group share one), and `factors` by name. A factor is null where it
//                     depends on messages that are not known or not requested.
#include <limits>

#include "network/requests.hpp"
#include "network/runtime_requests.hpp"
#include "network/two_phase.hpp"

namespace stretto::network {
namespace {

constexpr std::int64_t max_members = std::numeric_limits<int>::max();
constexpr int max_segments = 1 << 20;

int count(const RequestMembers& request, const char* name) {
  return static_cast<int>(request.whole(name, 1, max_members));
}

int count_or(const RequestMembers& request, const char* name, int otherwise) {
  return request.has(name) ? count(request, name) : otherwise;
}

GroupPlacement placement_of(const RequestMembers& request, int members) {
  const GroupPlacement placement{.stride = count_or(request, "stride", 1),
                                 .groups = count_or(request, "groups", 1)};
  const std::int64_t last = (placement.groups - 1) * (placement.stride == 1 ? std::int64_t{members} : 1) +
                            std::int64_t{members - 1} * placement.stride;
  if (last >= max_members) request.refuse("groups", "are too many ranks together");
  return placement;
}

std::optional<GridPhase> phase_of(const RequestMembers& request) {
  if (!request.has("phase")) return std::nullopt;
  const std::string name = request.text("phase");
  if (name == "leader") return GridPhase::leader;
  if (name == "concurrent") return GridPhase::concurrent;
  request.refuse("phase", "give leader or concurrent");
}

Json factor_json(MemberFactor factor, const GroupedOperation& call, const Torus& torus, bool knows_messages) {
  if (depends_on_messages(factor) && !knows_messages) return nullptr;
  return value_of(factor, call, torus);
}

/// The call or phase that a question of collective-factors names.
GroupedOperation grouped_call(const RequestMembers& request) {
  GroupedOperation call{.operation = operation_of(request)};
  const auto phase = phase_of(request);
  const std::uint64_t bytes = size_of(request);
  if (!phase) {
    call.members = count(request, "members");
    call.size = static_cast<double>(bytes);
    return call;
  }
  const Grid grid = grid_of(request);
  call.members = phase_members(*phase, grid);
  call.placement = phase_placement(call.operation, *phase, grid);
  call.size = static_cast<double>(phase_bytes(call.operation, *phase, grid, bytes));
  return call;
}

Json grids_json(const std::vector<TwoPhaseTime>& grids, const CallTime& flat) {
  Json found = Json::array();
  for (const TwoPhaseTime& grid : grids) found.push_back(grid_json(grid, flat));
  return found;
}

Json choice_json(const CollectiveChoice& choice, const std::vector<TwoPhaseTime>& grids) {
  static constexpr std::array verdicts = {"flat", "grid", "undecided"};
  const bool is_grid = choice.verdict == Verdict::grid;
  return {
      {"use", is_grid ? to_string(choice.best->grid) : verdicts[static_cast<std::size_t>(choice.verdict)]},
      {"flat", time_json(choice.flat)},
      {"gain", gain_json(choice.gain)},
      {"reason", choice.reason.empty() ? Json() : Json(choice.reason)},
      {"grids", grids_json(grids, choice.flat)}};
}

}  // namespace

Json answer_collective_calls(const RequestMembers& request) {
  const RuntimeFunctions functions = functions_of(request);
  const Algorithm algorithm = algorithm_of(request);
  Json times = Json::array();
  for (const RequestMembers& call : request.objects("calls")) {
    const int members = count(call, "members");
    const auto phase = phase_of(call);
    const GroupPlacement placement = placement_of(call, members);
    const bool is_whole = !phase && placement == GroupPlacement{};
    times.push_back(time_json(
        is_whole
            ? functions.predict_flat(operation_of(call), algorithm, members, size_of(call))
            : functions.predict(operation_of(call), algorithm, phase, members, size_of(call), placement)));
  }
  return {{"times", std::move(times)}};
}

Json answer_collective_grids(const RequestMembers& request) {
  const RuntimeFunctions functions = functions_of(request);
  const Algorithm algorithm = algorithm_of(request);
  Json grids = Json::array();
  for (const RequestMembers& call : request.objects("calls")) {
    const Operation operation = operation_of(call);
    const Grid grid = grid_of(call);
    const std::uint64_t bytes = size_of(call);
    const int segments = call.has("segments") ? static_cast<int>(call.whole("segments", 1, max_segments)) : 1;
    const TwoPhaseTime found = segments == 1 ? predict_two_phase(functions, operation, algorithm, grid, bytes)
                                             : predict_segmented(functions, operation, algorithm, grid, bytes,
                                                                 segments, call.number("overlap", 0, 1));
    grids.push_back(
        grid_json(found, functions.predict_flat(operation, algorithm, grid.rows * grid.columns, bytes)));
  }
  return {{"grids", std::move(grids)}};
}

Json answer_collective_choices(const RequestMembers& request) {
  const RuntimeFunctions functions = functions_of(request);
  const Algorithm algorithm = algorithm_of(request);
  Json choices = Json::array();
  for (const RequestMembers& call : request.objects("calls")) {
    const auto grids =
        all_grids(functions, operation_of(call), algorithm, count(call, "members"), size_of(call));
    choices.push_back(choice_json(
        choose(functions, operation_of(call), algorithm, count(call, "members"), size_of(call)), grids));
  }
  return {{"choices", std::move(choices)}};
}

Json answer_collective_factors(const RequestMembers& request) {
  const Torus torus = torus_of(request);
  Json answer = {{"members", Json::array()},
                 {"size_bytes", Json::array()},
                 {"stride", Json::array()},
                 {"groups", Json::array()},
                 {"same_node", Json::array()}};
  Json& by_name = answer["factors"];
  for (const MemberFactorEntry& one : member_factors) by_name[std::string{one.name}] = Json::array();
  for (const RequestMembers& question : request.objects("calls")) {
    const GroupedOperation call = grouped_call(question);
    answer["members"].push_back(call.members);
    answer["size_bytes"].push_back(call.size);
    answer["stride"].push_back(call.placement.stride);
    answer["groups"].push_back(call.placement.groups);
    const int ranks_per_node = question.has("ranks_per_node")
                                   ? static_cast<int>(question.whole("ranks_per_node", 0, max_members))
                                   : 0;
    answer["same_node"].push_back(locality_of(call.placement, call.members, ranks_per_node) ==
                                  Locality::same_node);
    const bool knows_messages = question.flag_or("messages", false) && is_rooted(call.operation);
    for (const MemberFactorEntry& one : member_factors) {
      by_name[std::string{one.name}].push_back(factor_json(one.factor, call, torus, knows_messages));
    }
  }
  return answer;
}

}  // namespace stretto::network
