// SPDX-License-Identifier: BSD-3-Clause
#include "profile/machine_costs.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <set>
#include <string_view>
#include <tuple>

#include "profile/document.hpp"

namespace stretto::profile {
namespace {

using Json = nlohmann::json;
using Methods = std::array<std::string_view, 2>;

// Which method tells a parameter best (as in stretto.model.parameters).
constexpr Methods trains_first{"spaced-trains", "pencils"};
constexpr Methods pencils_first{"pencils", "spaced-trains"};
constexpr std::array<std::string_view, 3> localities{"remote", "mixed", "same-node"};  // the network first
constexpr std::array<std::string_view, 3> sides{"both", "origin", "target"};

std::string text(const Json& entry, const char* name) { return entry.value(name, std::string{}); }

/// The place of a text in a list; behind it where it is not there.
template <std::size_t Count>
std::size_t place_in(const std::array<std::string_view, Count>& list, std::string_view what) {
  return static_cast<std::size_t>(std::ranges::find(list, what) - list.begin());
}

/// A figure, bare or with its interval; nothing where it is absent, unresolved or none.
std::optional<double> figure(const Json& entry, const char* name) {
  const auto found = entry.find(name);
  if (found == entry.end()) return std::nullopt;
  const Json& value = found->is_object() && found->contains("value") ? found->at("value") : *found;
  if (!value.is_number()) return std::nullopt;
  return value.get<double>();
}

/// The entries of a list of the profile that speak of this way, or of all operations of its transport.
std::vector<Json> entries_of(const Json& profile, const char* list, const Way& way, bool exact_progress) {
  std::vector<Json> found;
  const auto entries = profile.find(list);
  if (entries == profile.end() || !entries->is_array()) return found;
  for (const Json& entry : *entries) {
    if (!entry.is_object() || text(entry, "transport") != way.transport) continue;
    if (entry.contains("operation") && text(entry, "operation") != way.operation) continue;
    const std::string progress = entry.value("progress", std::string{"none"});
    if (progress == way.progress || (!exact_progress && progress == "none")) found.push_back(entry);
  }
  return found;
}

/// Of the LogGP entries those of the locality that is preferred.
std::vector<Json> loggp_of(const Json& profile, const Way& way) {
  std::vector<Json> entries = entries_of(profile, "loggp", way, false);
  const auto locality = [](const Json& entry) { return place_in(localities, text(entry, "locality")); };
  std::size_t nearest = localities.size();
  for (const Json& entry : entries) nearest = std::min(nearest, locality(entry));
  std::erase_if(entries, [&](const Json& entry) {
    return locality(entry) != nearest || !entry.contains("ranges") || !entry.at("ranges").is_array();
  });
  return entries;
}

/// A parameter for messages of this size: of an unresolved range that of the nearest lower one.
std::optional<double> parameter(std::vector<Json> entries, const Way& way, const char* name,
                                const Methods& methods, std::uint64_t size_bytes) {
  std::ranges::stable_sort(entries, {}, [&](const Json& entry) {
    return std::tuple(entry.value("progress", std::string{"none"}) != way.progress,
                      place_in(methods, text(entry, "method")));
  });
  for (const Json& entry : entries) {
    std::optional<double> last;
    bool first = true;
    for (const Json& range : entry.at("ranges")) {
      if (!first && range.value("size_min_bytes", std::uint64_t{0}) > size_bytes) break;
      first = false;
      const auto value = figure(range, name);
      if (value) last = value;
    }
    if (last) return last;
  }
  return std::nullopt;
}

/// G when all ranks communicate at once, measured with the nearest number of them.
std::optional<double> contended_gap(const Json& profile, const Way& way, int ranks) {
  std::optional<double> best;
  std::tuple<std::size_t, int> nearest{localities.size(), std::numeric_limits<int>::max()};
  for (const Json& entry : entries_of(profile, "contended", way, false)) {
    const auto gap = figure(entry, "gap_s_per_byte");
    const std::tuple here{place_in(localities, text(entry, "locality")),
                          std::abs(entry.value("ranks", 0) - ranks)};
    if (!gap || (best && here >= nearest)) continue;
    best = gap;
    nearest = here;
  }
  return best;
}

/// eta by size, of the runs that are most like a schedule: between nodes, both ways, both working, at
/// balance.
std::vector<OverlapAt> overlap_of(const Json& profile, const Way& way) {
  using Preference = std::tuple<std::size_t, bool, std::size_t, double>;
  std::optional<Preference> best;
  std::vector<OverlapAt> found;
  for (const Json& entry : entries_of(profile, "overlap", way, true)) {
    const auto eta = figure(entry, "eta");
    if (!eta) continue;
    const Preference here{place_in(localities, text(entry, "locality")),
                          text(entry, "direction") != "both-ways", place_in(sides, text(entry, "side")),
                          std::abs(std::log(std::max(entry.value("ratio", 1.0), 1e-9)))};
    if (best && here > *best) continue;
    if (!best || here < *best) found.clear();
    best = here;
    found.push_back({entry.value("size_bytes", std::uint64_t{0}), *eta});
  }
  std::ranges::sort(found, {}, &OverlapAt::size_bytes);
  return found;
}

std::optional<double> transform_rate(const Json& profile, std::size_t row_length) {
  std::optional<double> best;
  double nearest = std::numeric_limits<double>::infinity();
  const auto entries = profile.find("compute");
  if (entries == profile.end() || !entries->is_array()) return best;
  for (const Json& entry : *entries) {
    const auto rate = figure(entry, "seconds_per_count");
    if (!rate || text(entry, "work_kind") != "fft") continue;
    const double length = entry.value("row_length", static_cast<double>(row_length));
    const double away = std::abs(std::log(std::max(length, 1.0) / static_cast<double>(row_length)));
    if (best && away >= nearest) continue;
    best = rate;
    nearest = away;
  }
  return best;
}

std::optional<MessageCosts> costs_at(const std::vector<Json>& entries, const Way& way, std::uint64_t size,
                                     std::optional<double> contended) {
  const auto get = [&](const char* name, const Methods& methods) {
    return parameter(entries, way, name, methods, size);
  };
  const auto latency_s = get("latency_s", trains_first);
  const auto overhead_s = get("overhead_send_s", pencils_first);
  const auto gap = contended ? contended : get("gap_s_per_byte", pencils_first);
  if (!latency_s || !overhead_s || !gap) return std::nullopt;
  const bool received = way.operation == "send";
  return MessageCosts{
      .size_min_bytes = size,
      .latency_s = *latency_s,
      .overhead_send_s = *overhead_s,
      .overhead_receive_s = received ? get("overhead_receive_s", trains_first).value_or(0) : 0,
      .gap_queue_s = get("gap_queue_s", pencils_first).value_or(0),
      .gap_s_per_byte = *gap};
}

bool is_possible(const MachineCosts& costs) {
  return costs.seconds_per_flop >= 0 && std::ranges::all_of(costs.messages, [](const MessageCosts& one) {
           return std::min({one.latency_s, one.overhead_send_s, one.overhead_receive_s, one.gap_queue_s,
                            one.gap_s_per_byte}) >= 0;
         });
}

}  // namespace

const MessageCosts& MachineCosts::at(std::uint64_t size_bytes) const {
  const auto above = std::ranges::upper_bound(messages, size_bytes, {}, &MessageCosts::size_min_bytes);
  return above == messages.begin() ? messages.front() : *std::prev(above);
}

double MachineCosts::overlap_at(std::uint64_t size_bytes) const {
  if (overlap.empty()) return 1;
  const auto away = [size_bytes](const OverlapAt& one) {
    return std::abs(std::log(static_cast<double>(std::max<std::uint64_t>(one.size_bytes, 1)) /
                             static_cast<double>(std::max<std::uint64_t>(size_bytes, 1))));
  };
  return std::clamp(std::ranges::min_element(overlap, {}, away)->eta, 0.0, 1.0);
}

double MachineCosts::unattended_bytes() const {
  constexpr double lasting = 0.5;
  double largest = 0;
  double held = 0;
  for (const OverlapAt& one : overlap) {
    largest = std::max(largest, one.eta);
    held = std::max(held, one.eta * static_cast<double>(one.size_bytes));
  }
  const bool lasts = overlap.empty() || overlap.back().eta >= lasting * largest;
  return lasts ? std::numeric_limits<double>::infinity() : held;
}

std::optional<MachineCosts> read_machine_costs(const std::filesystem::path& file, const Way& way, int ranks,
                                               std::size_t row_length) {
  const Json profile = read_document(file);
  try {
    const std::vector<Json> entries = loggp_of(profile, way);
    const auto rate = transform_rate(profile, row_length);
    if (entries.empty() || !rate) return std::nullopt;
    std::set<std::uint64_t> sizes{0};
    for (const Json& entry : entries) {
      for (const Json& range : entry.at("ranges")) {
        sizes.insert(range.value("size_min_bytes", std::uint64_t{0}));
      }
    }
    MachineCosts costs{.messages = {}, .overlap = overlap_of(profile, way), .seconds_per_flop = *rate};
    const auto contended = contended_gap(profile, way, ranks);
    for (const std::uint64_t size : sizes) {
      const auto here = costs_at(entries, way, size, contended);
      if (!here) return std::nullopt;
      costs.messages.push_back(*here);
    }
    if (!is_possible(costs)) refuse(file, "a LogGP parameter or a compute rate is below zero; fit it again");
    return costs;
  } catch (const Json::exception& error) {
    refuse(file, std::string("has a member of another kind than formats.md says (") + error.what() +
                     "); correct it");
  }
}

}  // namespace stretto::profile
