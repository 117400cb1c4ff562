// SPDX-License-Identifier: BSD-3-Clause
#include "profile/machine_costs.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>

#include "profile/document.hpp"

namespace stretto::profile {
namespace {

using Json = nlohmann::json;

/// The rate of the transforms with the nearest length.
std::optional<double> transform_rate(const Json& profile, std::size_t row_length) {
  std::optional<double> best;
  double nearest = std::numeric_limits<double>::infinity();
  const auto entries = profile.find("compute");
  if (entries == profile.end() || !entries->is_array()) return best;
  for (const Json& entry : *entries) {
    const auto rate = network::figure_of(entry, "seconds_per_count");
    if (!rate || entry.value("work_kind", std::string{}) != "fft") continue;
    const double length = entry.value("row_length", static_cast<double>(row_length));
    const double distance = std::abs(std::log(std::max(length, 1.0) / static_cast<double>(row_length)));
    if (best && distance >= nearest) continue;
    best = rate->value;
    nearest = distance;
  }
  return best;
}

bool is_possible(const MachineCosts& costs) {
  return costs.seconds_per_flop >= 0 &&
         std::ranges::all_of(costs.path.ranges, [](const network::NetworkRange& range) {
           return std::ranges::all_of(network::loggp_members, [&](const network::LogGpMember& member) {
             return range.loggp.*member.parameter >= 0;
           });
         });
}

}  // namespace

std::optional<MachineCosts> read_machine_costs(const std::filesystem::path& file,
                                               const network::TransferClass& transfers, int ranks,
                                               std::size_t row_length) {
  const Json profile = read_document(file);
  try {
    const network::PathFigures figures = network::path_figures(profile, transfers, ranks);
    const auto rate = transform_rate(profile, row_length);
    if (figures.missing != nullptr || !rate) return std::nullopt;
    const MachineCosts costs{.path = figures.point_costs(), .seconds_per_flop = *rate};
    if (!is_possible(costs)) refuse(file, "a LogGP parameter or a compute rate is below zero; fit it again");
    return costs;
  } catch (const Json::exception& error) {
    refuse(file, std::string("has a member of another kind than formats.md says (") + error.what() +
                     "); correct it");
  }
}

}  // namespace stretto::profile
