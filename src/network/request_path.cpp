// SPDX-License-Identifier: BSD-3-Clause
// `path`: the parameters that the models take from a profile for one path. Members: `profile` (the
// document), `transport`, `operation`, `progress`, `ranks`. The answer has `ranges` (`from_bytes`, and per
// parameter a figure and `range_bytes` of its fitted range), `points` (`size_bytes` and measured times, for
// sizes at which the profile lacks a parameter), `overlap` (`size_bytes`, `eta`), `unattended_bytes` (null:
// unlimited), `contended_gap_s_per_byte` (null: not measured), `missing` (the first parameter that the
// models need and the profile lacks; else null) and `assumed` (parameters that are taken as zero). A figure
// is `value`, `ci95_low`, `ci95_high`.
//
// `costs`: the costs of messages of some sizes. Members: `path` as in `schedule`, and `sizes_bytes`. The
// answer has `costs`: per size an object with the LogGP parameters, `overlap` and `unattended_bytes`, each
// in all draws.
#include <cmath>

#include "network/draws.hpp"
#include "network/profile_paths.hpp"
#include "network/requests.hpp"

namespace stretto::network {
namespace {

Json figure_json(const Figure& figure) {
  Json json = {{"value", figure.value}};
  if (figure.low) json["ci95_low"] = *figure.low;
  if (figure.high) json["ci95_high"] = *figure.high;
  return json;
}

/// The value, or null where it is infinite, for which JSON has no number.
Json limit_json(double value) { return std::isinf(value) ? Json() : Json(value); }

Json range_json(const PathRange& range) {
  Json json = {{"from_bytes", range.from_bytes}};
  for (std::size_t member = 0; member < loggp_members.size(); ++member) {
    const auto& parameter = range.parameters[member];
    if (!parameter) continue;
    Json& mine = json[loggp_members[member].name] = figure_json(parameter->figure);
    mine["range_bytes"] = parameter->range_bytes;
  }
  return json;
}

Json point_json(const PathPoint& point) {
  Json json = {{"size_bytes", point.size_bytes}};
  for (std::size_t member = 0; member < measured_members.size(); ++member) {
    if (point.times[member]) json[measured_members[member].name] = figure_json(*point.times[member]);
  }
  return json;
}

Json figures_json(const PathFigures& figures) {
  const auto& contended = figures.contended_gap_s_per_byte;
  Json json = {{"ranges", Json::array()},
               {"points", Json::array()},
               {"overlap", Json::array()},
               {"unattended_bytes", limit_json(figures.point_costs().unattended_bytes)},
               {"contended_gap_s_per_byte", contended ? figure_json(*contended) : Json()},
               {"missing", figures.missing == nullptr ? Json() : Json(figures.missing)},
               {"assumed", figures.assumed}};
  for (const PathRange& range : figures.ranges) json["ranges"].push_back(range_json(range));
  for (const PathPoint& point : figures.points) json["points"].push_back(point_json(point));
  for (const PathOverlap& one : figures.overlap) {
    json["overlap"].push_back({{"size_bytes", one.size_bytes}, {"eta", figure_json(one.eta)}});
  }
  return json;
}

}  // namespace

Json answer_path(const RequestMembers& request) {
  constexpr std::int64_t most = 1 << 30;
  const TransferClass transfers{.transport = request.text("transport"),
                                .operation = request.text("operation"),
                                .progress = request.text_or("progress", "none")};
  const auto ranks = static_cast<int>(request.whole("ranks", 1, most));
  try {
    return figures_json(path_figures(request.at("profile"), transfers, ranks));
  } catch (const Json::exception& error) {
    request.refuse("profile", error.what());
  }
}

Json answer_costs(const RequestMembers& request) {
  const DrawnPath path(request.object("path"));
  Json costs = Json::array();
  for (const double size : request.numbers("sizes_bytes")) {
    Json& here = costs.emplace_back(Json::object());
    for (std::size_t draw = 0; draw < path.count(); ++draw) {
      const TransferCosts one = path.at(draw).at(static_cast<std::uint64_t>(size));
      for (const LogGpMember& member : loggp_members)
        here[member.name].push_back(one.loggp.*member.parameter);
      here["overlap"].push_back(one.overlap);
      here["unattended_bytes"].push_back(limit_json(one.unattended_bytes));
    }
  }
  return {{"costs", std::move(costs)}};
}

}  // namespace stretto::network
