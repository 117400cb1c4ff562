// SPDX-License-Identifier: BSD-3-Clause
// jacobi: the iterations of the Jacobi method for each layout and grid (equations 1 and 2).
//   functions, algorithm  as in request_collectives.cpp
//   unknowns, ranks       n and p
//   layouts               [{layout: `row` or `column`, operation_s: t_op}]
//   grids                 `flat` or P1xP2; absent: flat and every grid of p
// Answer: `iterations`, fastest first, those without a prediction last. Each has its `layout`, the `rows` and
// `columns` of its grid (0 for flat), `compute_s`, `communication`, `time` and its `gain` over the flat
// iteration of its layout. `chosen` is the index of the one to use, or null.
#include <limits>

#include "network/jacobi_iteration.hpp"
#include "network/requests.hpp"
#include "network/runtime_requests.hpp"

namespace stretto::network {
namespace {

constexpr std::int64_t max_unknowns = std::int64_t{1} << 30;

std::vector<JacobiOperationTime> layouts_of(const RequestMembers& request) {
  std::vector<JacobiOperationTime> layouts;
  for (const RequestMembers& one : request.objects("layouts")) {
    const std::string name = one.text("layout");
    if (name != "row" && name != "column") one.refuse("layout", "give row or column");
    layouts.push_back({.layout = name == "row" ? JacobiLayout::row : JacobiLayout::column,
                       .operation_s = one.number("operation_s")});
  }
  return layouts;
}

std::vector<std::optional<Grid>> grids_of(const RequestMembers& request, int ranks) {
  std::vector<std::optional<Grid>> grids;
  if (!request.has("grids")) {
    grids.emplace_back();
    for (const Grid& grid : collective::factorisations(ranks)) grids.emplace_back(grid);
    return grids;
  }
  if (!request.at("grids").is_array()) request.refuse("grids", "give a list of flat or P1xP2");
  for (const Json& text : request.at("grids")) {
    const auto grid = text.is_string() ? collective::grid_from(text.get<std::string>()) : std::nullopt;
    if (!grid) request.refuse("grids", "give a list of flat or P1xP2");
    if (text == "flat") {
      grids.emplace_back();
    } else if (grid->is_regular(ranks)) {
      grids.emplace_back(grid);
    } else {
      request.refuse("grids", "give P1xP2 of all ranks");
    }
  }
  return grids;
}

Json iteration_json(const JacobiIteration& one) {
  return {{"layout", one.layout == JacobiLayout::row ? "row" : "column"},
          {"rows", one.grid ? one.grid->rows : 0},
          {"columns", one.grid ? one.grid->columns : 0},
          {"compute_s", one.compute_s},
          {"communication", time_json(one.communication)},
          {"time", time_json(one.time())},
          {"gain", gain_json(one.gain)}};
}

}  // namespace

Json answer_jacobi(const RequestMembers& request) {
  const JacobiProblem problem{
      .unknowns = request.whole("unknowns", 1, max_unknowns),
      .ranks = static_cast<int>(request.whole("ranks", 1, std::numeric_limits<int>::max()))};
  const auto found = all_iterations(functions_of(request), algorithm_of(request), problem,
                                    layouts_of(request), grids_of(request, problem.ranks));
  Json iterations = Json::array();
  for (const JacobiIteration& one : found) iterations.push_back(iteration_json(one));
  const auto chosen = choose_iteration(found);
  return {{"iterations", std::move(iterations)}, {"chosen", chosen ? Json(*chosen) : Json()}};
}

}  // namespace stretto::network
