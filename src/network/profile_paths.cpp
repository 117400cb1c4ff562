// SPDX-License-Identifier: BSD-3-Clause
#include "network/profile_paths.hpp"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <limits>
#include <set>
#include <string_view>
#include <tuple>

namespace stretto::network {
namespace {

using ProfileJson = nlohmann::json;
using Methods = std::array<std::string_view, 2>;

// The preferred methods of each parameter; entries by other methods (written by hand) come last.
constexpr Methods trains_first{"spaced-trains", "pencils"};
constexpr Methods pencils_first{"pencils", "spaced-trains"};
constexpr std::array<std::string_view, 3> localities{"remote", "mixed", "same-node"};  // the network first
constexpr std::array<std::string_view, 3> sides{"both", "origin", "target"};
constexpr double same_time = 1.1;  // times that differ by a smaller factor are considered equal

// In the order of loggp_members.
constexpr std::array<Methods, loggp_members.size()> methods_of{trains_first, pencils_first, trains_first,
                                                               trains_first, pencils_first, pencils_first};
constexpr std::array<std::size_t, 3> needed{0, 1, 5};
constexpr std::size_t receive_overhead = 2;
constexpr std::size_t card_gap = 3;
constexpr std::size_t queue_gap = 4;

std::string text_of(const ProfileJson& entry, const char* name) { return entry.value(name, std::string{}); }

/// The index of a text in a list; the length of the list where it is absent.
template <std::size_t Count>
std::size_t place_in(const std::array<std::string_view, Count>& list, std::string_view text) {
  return static_cast<std::size_t>(std::ranges::find(list, text) - list.begin());
}

bool has_own_progress(const ProfileJson& entry, const TransferClass& transfers) {
  return entry.value("progress", std::string{"none"}) == transfers.progress;
}

/// The entries of a list of the profile for these transfers, or for all operations of their transport.
/// Entries with progress `none` stand in for other progress modes, unless `same_progress`.
std::vector<ProfileJson> entries_of(const ProfileJson& profile, const char* list,
                                    const TransferClass& transfers, bool same_progress) {
  std::vector<ProfileJson> found;
  const auto entries = profile.find(list);
  if (entries == profile.end() || !entries->is_array()) return found;
  for (const ProfileJson& entry : *entries) {
    if (!entry.is_object() || text_of(entry, "transport") != transfers.transport) continue;
    if (entry.contains("operation") && text_of(entry, "operation") != transfers.operation) continue;
    const bool without_progress = entry.value("progress", std::string{"none"}) == "none";
    if (has_own_progress(entry, transfers) || (!same_progress && without_progress)) found.push_back(entry);
  }
  return found;
}

/// The LogGP entries of the preferred locality.
std::vector<ProfileJson> loggp_entries(const ProfileJson& profile, const TransferClass& transfers) {
  std::vector<ProfileJson> entries = entries_of(profile, "loggp", transfers, false);
  const auto locality = [](const ProfileJson& entry) {
    return place_in(localities, text_of(entry, "locality"));
  };
  std::size_t nearest = localities.size();
  for (const ProfileJson& entry : entries) nearest = std::min(nearest, locality(entry));
  std::erase_if(entries, [&](const ProfileJson& entry) {
    return locality(entry) != nearest || !entry.contains("ranges") || !entry.at("ranges").is_array();
  });
  return entries;
}

std::uint64_t first_size(const ProfileJson& range) { return range.value("size_min_bytes", std::uint64_t{0}); }

/// The parameter for messages of this size; an unresolved range takes that of the nearest lower range.
std::optional<PathParameter> parameter_of(std::vector<ProfileJson> entries, const TransferClass& transfers,
                                          std::size_t member, std::uint64_t size_bytes) {
  std::ranges::stable_sort(entries, {}, [&](const ProfileJson& entry) {
    return std::tuple(!has_own_progress(entry, transfers),
                      place_in(methods_of[member], text_of(entry, "method")));
  });
  for (const ProfileJson& entry : entries) {
    std::optional<PathParameter> last;
    bool first = true;
    for (const ProfileJson& range : entry.at("ranges")) {
      if (!first && first_size(range) > size_bytes) break;
      first = false;
      if (const auto figure = figure_of(range, loggp_members[member].name)) {
        last = {.figure = *figure, .range_bytes = first_size(range)};
      }
    }
    if (last) return last;
  }
  return std::nullopt;
}

PathRange range_at(const std::vector<ProfileJson>& entries, const TransferClass& transfers,
                   std::uint64_t size_bytes) {
  PathRange range{.from_bytes = size_bytes, .parameters = {}};
  for (std::size_t member = 0; member < loggp_members.size(); ++member) {
    range.parameters[member] = parameter_of(entries, transfers, member, size_bytes);
  }
  if (transfers.operation != "send") range.parameters[receive_overhead].reset();
  // Trains of messages measure the slower of the card and the injection queue. A gap that is not longer
  // than that of the queue is attributed to the queue.
  const double queue_s = range.parameters[queue_gap] ? range.parameters[queue_gap]->figure.value : 0;
  auto& gap = range.parameters[card_gap];
  if (gap && gap->figure.value <= same_time * queue_s) gap.reset();
  return range;
}

/// G when all ranks communicate at once, measured with the nearest number of ranks.
std::optional<Figure> contended_gap(const ProfileJson& profile, const TransferClass& transfers, int ranks) {
  using Distance = std::tuple<std::size_t, int, bool>;
  std::optional<Figure> best;
  Distance nearest{localities.size(), std::numeric_limits<int>::max(), true};
  for (const ProfileJson& entry : entries_of(profile, "contended", transfers, false)) {
    const auto gap = figure_of(entry, "gap_s_per_byte");
    const Distance here{place_in(localities, text_of(entry, "locality")),
                        std::abs(entry.value("ranks", 0) - ranks), !has_own_progress(entry, transfers)};
    if (!gap || (best && here >= nearest)) continue;
    best = gap;
    nearest = here;
  }
  return best;
}

/// eta by size, from the runs most similar to a schedule: between nodes, both ways, both sides computing,
/// and T_w/T_c nearest to 1.
std::vector<PathOverlap> overlap_of(const ProfileJson& profile, const TransferClass& transfers) {
  using Preference = std::tuple<std::size_t, bool, std::size_t, double>;
  std::optional<Preference> best;
  std::vector<PathOverlap> found;
  for (const ProfileJson& entry : entries_of(profile, "overlap", transfers, true)) {
    const auto eta = figure_of(entry, "eta");
    if (!eta) continue;
    const Preference here{place_in(localities, text_of(entry, "locality")),
                          text_of(entry, "direction") != "both-ways", place_in(sides, text_of(entry, "side")),
                          std::abs(std::log(std::max(entry.value("ratio", 1.0), 1e-9)))};
    if (best && here > *best) continue;
    if (!best || here < *best) found.clear();
    best = here;
    found.push_back({entry.value("size_bytes", std::uint64_t{0}), *eta});
  }
  std::ranges::stable_sort(found, {}, &PathOverlap::size_bytes);
  return found;
}

}  // namespace

std::optional<Figure> figure_of(const nlohmann::json& entry, const char* name) {
  const auto found = entry.find(name);
  if (found == entry.end()) return std::nullopt;
  const auto number = [](const ProfileJson& from, const char* member) {
    const auto at = from.find(member);
    return at != from.end() && at->is_number() ? std::optional(at->get<double>()) : std::nullopt;
  };
  if (found->is_number()) return Figure{.value = found->get<double>()};
  if (!found->is_object()) return std::nullopt;
  const auto value = number(*found, "value");
  if (!value) return std::nullopt;
  return Figure{.value = *value, .low = number(*found, "ci95_low"), .high = number(*found, "ci95_high")};
}

PathFigures path_figures(const nlohmann::json& profile, const TransferClass& transfers, int ranks) {
  const std::vector<ProfileJson> entries = loggp_entries(profile, transfers);
  std::set<std::uint64_t> sizes{0};
  for (const ProfileJson& entry : entries) {
    for (const ProfileJson& range : entry.at("ranges")) sizes.insert(first_size(range));
  }
  PathFigures figures{.overlap = overlap_of(profile, transfers),
                      .contended_gap_s_per_byte = contended_gap(profile, transfers, ranks)};
  for (const std::uint64_t size : sizes) figures.ranges.push_back(range_at(entries, transfers, size));
  for (const std::size_t member : needed) {
    if (figures.missing == nullptr && !figures.ranges.front().parameters[member]) {
      figures.missing = loggp_members[member].name;
    }
  }
  return figures;
}

PathCosts PathFigures::point_costs() const {
  PathCosts costs;
  costs.ranges.clear();
  for (const PathRange& range : ranges) {
    NetworkRange& here = costs.ranges.emplace_back();
    here.from_bytes = range.from_bytes;
    for (std::size_t member = 0; member < loggp_members.size(); ++member) {
      if (range.parameters[member]) {
        here.loggp.*loggp_members[member].parameter = range.parameters[member]->figure.value;
      }
    }
    if (contended_gap_s_per_byte) here.loggp.gap_s_per_byte = contended_gap_s_per_byte->value;
  }
  for (const PathOverlap& one : overlap) costs.overlap.push_back({one.size_bytes, one.eta.value});
  costs.unattended_bytes = network::unattended_bytes(costs.overlap);
  return costs;
}

}  // namespace stretto::network
