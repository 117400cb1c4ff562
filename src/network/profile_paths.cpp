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
constexpr std::size_t latency = 0;
constexpr std::size_t send_overhead = 1;
constexpr std::size_t receive_overhead = 2;
constexpr std::size_t card_gap = 3;
constexpr std::size_t queue_gap = 4;
constexpr std::size_t byte_gap = 5;

// Places in measured_members, and what is assumed to be zero where no size has it.
constexpr std::size_t point_time = 0;
constexpr std::size_t point_stream = 1;
constexpr std::size_t point_send = 2;
constexpr std::size_t point_receive = 3;
constexpr std::array<const char*, measured_members.size()> assumed_names{"latency_s", "", "overhead_send_s",
                                                                         "overhead_receive_s"};

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

std::size_t locality_of(const ProfileJson& entry) { return place_in(localities, text_of(entry, "locality")); }

/// The entries of a list that have a list `member`, of one locality.
std::vector<ProfileJson> entries_at(const ProfileJson& profile, const char* list, const char* member,
                                    const TransferClass& transfers, std::size_t locality) {
  std::vector<ProfileJson> entries = entries_of(profile, list, transfers, false);
  std::erase_if(entries, [&](const ProfileJson& entry) {
    return locality_of(entry) != locality || !entry.contains(member) || !entry.at(member).is_array();
  });
  return entries;
}

/// The preferred locality of what the profile has of the costs of these transfers.
std::size_t preferred_locality(const ProfileJson& profile, const TransferClass& transfers) {
  std::size_t nearest = localities.size();
  for (const char* const list : {"loggp", "transfer_times"}) {
    for (const ProfileJson& entry : entries_of(profile, list, transfers, false)) {
      nearest = std::min(nearest, locality_of(entry));
    }
  }
  return nearest;
}

std::uint64_t first_size(const ProfileJson& range) { return range.value("size_min_bytes", std::uint64_t{0}); }

/// Whether a range has only an upper bound of an overhead, because it contains the transfer itself.
bool is_bound_of_overhead(const ProfileJson& range, std::size_t member) {
  if (member != send_overhead && member != receive_overhead) return false;
  const auto figure = range.find(loggp_members[member].name);
  return figure != range.end() && figure->is_object() && text_of(*figure, "bound") == "upper";
}

/// The parameter for messages of this size. An unresolved range takes that of the nearest lower range; a
/// bound of an overhead is taken only where nothing else is known.
std::optional<PathParameter> parameter_of(std::vector<ProfileJson> entries, const TransferClass& transfers,
                                          std::size_t member, std::uint64_t size_bytes) {
  std::ranges::stable_sort(entries, {}, [&](const ProfileJson& entry) {
    const Methods& methods = transfers.one_way ? trains_first : methods_of[member];
    return std::tuple(!has_own_progress(entry, transfers), place_in(methods, text_of(entry, "method")));
  });
  std::optional<PathParameter> bound;
  for (const ProfileJson& entry : entries) {
    std::optional<PathParameter> last;
    bool first = true;
    for (const ProfileJson& range : entry.at("ranges")) {
      if (!first && first_size(range) > size_bytes) break;
      first = false;
      const auto figure = figure_of(range, loggp_members[member].name);
      const bool bounded = is_bound_of_overhead(range, member);
      if (figure && !bounded) {
        last = {.figure = *figure, .range_bytes = first_size(range)};
      } else if (last) {
        last->own = false;
      }
      if (figure && bounded) bound = {.figure = *figure, .range_bytes = first_size(range), .own = false};
    }
    if (last) return last;
  }
  return bound;
}

PathRange range_at(const std::vector<ProfileJson>& entries, const TransferClass& transfers,
                   std::uint64_t size_bytes) {
  PathRange range{.from_bytes = size_bytes, .parameters = {}};
  for (std::size_t member = 0; member < loggp_members.size(); ++member) {
    range.parameters[member] = parameter_of(entries, transfers, member, size_bytes);
  }
  if (transfers.operation != "send") range.parameters[receive_overhead].reset();
  // Trains of messages measure the slower of the card and the injection queue. A gap that is not longer
  // than that of the queue is attributed to the queue. One that a range does not show hides behind an
  // overhead; that of a lower range is none of its own.
  const double queue_s = range.parameters[queue_gap] ? range.parameters[queue_gap]->figure.value : 0;
  auto& gap = range.parameters[card_gap];
  if (gap && (!gap->own || gap->figure.value <= same_time * queue_s)) gap.reset();
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

/// The measured times of the transfers themselves, of the entry for their own progress mode if there is one.
std::vector<PathPoint> points_of(const std::vector<ProfileJson>& entries, const TransferClass& transfers) {
  std::vector<PathPoint> points;
  const auto own = std::ranges::find_if(
      entries, [&](const ProfileJson& entry) { return has_own_progress(entry, transfers); });
  if (entries.empty()) return points;
  for (const ProfileJson& size : (own != entries.end() ? *own : entries.front()).at("sizes")) {
    PathPoint& point =
        points.emplace_back(PathPoint{.size_bytes = size.value("size_bytes", std::uint64_t{0}), .times = {}});
    for (std::size_t member = 0; member < measured_members.size(); ++member) {
      point.times[member] = figure_of(size, measured_members[member].name);
    }
  }
  std::ranges::stable_sort(points, {}, &PathPoint::size_bytes);
  return points;
}

bool is_complete(const PathRange& range) {
  return std::ranges::all_of(needed, [&](std::size_t member) {
    return range.parameters[member].has_value() && range.parameters[member]->own;
  });
}

/// Leaves each size to the ranges or to the points: to a range that has all parameters that the models need,
/// else to the points within it, and without any to the range.
void divide_sizes(PathFigures& figures) {
  std::vector<PathRange> ranges;
  std::vector<PathPoint> points;
  for (std::size_t i = 0; i < figures.ranges.size(); ++i) {
    const std::uint64_t from = figures.ranges[i].from_bytes;
    const std::uint64_t end = i + 1 < figures.ranges.size() ? figures.ranges[i + 1].from_bytes
                                                            : std::numeric_limits<std::uint64_t>::max();
    std::vector<PathPoint> mine;
    std::ranges::copy_if(figures.points, std::back_inserter(mine), [&](const PathPoint& point) {
      return point.size_bytes >= from && point.size_bytes < end;
    });
    if (mine.empty() || is_complete(figures.ranges[i])) {
      ranges.push_back(figures.ranges[i]);
    } else {
      points.insert(points.end(), mine.begin(), mine.end());
    }
  }
  figures.ranges = std::move(ranges);
  figures.points = std::move(points);
}

/// The first parameter that the models need and that neither ranges nor points give.
const char* missing_of(const PathFigures& figures) {
  const bool by_points = std::ranges::any_of(figures.points, [](const PathPoint& point) {
    return point.times[point_time].has_value() || point.times[point_stream].has_value();
  });
  if (by_points) return nullptr;
  if (figures.ranges.empty()) return loggp_members[needed.front()].name;
  for (const std::size_t member : needed) {
    if (!figures.ranges.front().parameters[member]) return loggp_members[member].name;
  }
  return nullptr;
}

/// The parameters that no point states.
std::vector<const char*> assumed_of(const PathFigures& figures) {
  std::vector<const char*> assumed;
  if (figures.points.empty()) return assumed;
  for (std::size_t member = 0; member < measured_members.size(); ++member) {
    if (member == point_stream || (member == point_receive && figures.one_sided)) continue;
    const bool known = std::ranges::any_of(
        figures.points, [&](const PathPoint& point) { return point.times[member].has_value(); });
    if (!known) assumed.push_back(assumed_names[member]);
  }
  return assumed;
}

/// The largest size that a send needs no receive for; nothing where no size waited.
std::optional<double> eager_bytes_of(const std::vector<ProfileJson>& entries) {
  for (const ProfileJson& entry : entries) {
    const auto limit = figure_of(entry, "eager_bytes");
    if (limit && !(entry.at("eager_bytes").is_object() && entry.at("eager_bytes").contains("bound"))) {
      return limit->value;
    }
  }
  return std::nullopt;
}

/// The overlap where no run with computation measured it: what starting a message and a receive that comes
/// late take beyond those of the smallest size needs a processor. Only of sizes at which the bytes take most
/// of the time.
std::vector<PathOverlap> unattended_share(const std::vector<PathPoint>& points) {
  constexpr double bytes_dominate = 2;  // times what the smallest size takes
  std::vector<PathOverlap> found;
  const auto value = [](const PathPoint& point, std::size_t member) { return point.times[member]->value; };
  const auto has_all = [](const PathPoint& point) {
    return point.times[point_time] && point.times[point_send] && point.times[point_receive];
  };
  const auto small = std::ranges::find_if(points, has_all);
  for (auto point = small; point != points.end(); ++point) {
    if (!has_all(*point) || value(*point, point_time) < bytes_dominate * value(*small, point_time)) continue;
    const double bytes_s = value(*point, point_time) - value(*small, point_time);
    const double busy_s = value(*point, point_send) - value(*small, point_send) +
                          value(*point, point_receive) - value(*small, point_receive);
    found.push_back({point->size_bytes, {.value = std::clamp(1 - busy_s / bytes_s, 0.0, 1.0)}});
  }
  return found;
}

MeasuredTransfer measured(const PathPoint& point) {
  MeasuredTransfer transfer{.size_bytes = point.size_bytes};
  for (std::size_t member = 0; member < measured_members.size(); ++member) {
    if (point.times[member]) transfer.*measured_members[member].time = point.times[member]->value;
  }
  return transfer;
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
  const std::size_t locality = preferred_locality(profile, transfers);
  const std::vector<ProfileJson> entries = entries_at(profile, "loggp", "ranges", transfers, locality);
  const std::vector<ProfileJson> curves = entries_at(profile, "transfer_times", "sizes", transfers, locality);
  std::set<std::uint64_t> sizes;
  for (const ProfileJson& entry : entries) {
    for (const ProfileJson& range : entry.at("ranges")) sizes.insert(first_size(range));
  }
  if (!sizes.empty()) sizes.erase(sizes.begin());  // the first range also covers smaller sizes
  sizes.insert(0);
  PathFigures figures{.points = points_of(curves, transfers),
                      .overlap = overlap_of(profile, transfers),
                      .contended_gap_s_per_byte = contended_gap(profile, transfers, ranks),
                      .eager_bytes = eager_bytes_of(curves),
                      .one_sided = transfers.operation != "send"};
  if (figures.overlap.empty()) figures.overlap = unattended_share(figures.points);
  for (const std::uint64_t size : sizes) figures.ranges.push_back(range_at(entries, transfers, size));
  divide_sizes(figures);
  figures.missing = missing_of(figures);
  figures.assumed = assumed_of(figures);
  return figures;
}

PathCosts PathFigures::point_costs(const CurveUse& use) const {
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
  }
  std::vector<MeasuredTransfer> transfers;
  transfers.reserve(points.size());
  for (const PathPoint& point : points) transfers.push_back(measured(point));
  costs.add(measured_ranges(transfers, use));
  if (contended_gap_s_per_byte) costs.set_byte_gap(contended_gap_s_per_byte->value);
  for (const PathOverlap& one : overlap) costs.overlap.push_back({one.size_bytes, one.eta.value});
  costs.unattended_bytes = network::unattended_bytes(costs.overlap);
  return costs;
}

PathCosts PathFigures::point_costs() const {
  return point_costs({.one_sided = one_sided, .overlap_known = !overlap.empty()});
}

void PathFigures::assume_overheads() {
  if (missing == nullptr || ranges.empty() || !ranges.front().parameters[latency]) return;
  const auto has_gap = [](const PathRange& range) { return range.parameters[byte_gap].has_value(); };
  if (std::ranges::none_of(ranges, has_gap)) {
    missing = loggp_members[byte_gap].name;
    return;
  }
  missing = nullptr;
  for (const std::size_t member : needed) {
    if (!ranges.front().parameters[member]) assumed.push_back(loggp_members[member].name);
  }
}

}  // namespace stretto::network
