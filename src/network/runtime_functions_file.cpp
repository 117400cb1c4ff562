// SPDX-License-Identifier: BSD-3-Clause
// Reads the part `collectives` of a profile (docs/formats.md) as runtime functions.
#include <algorithm>
#include <functional>
#include <nlohmann/json.hpp>
#include <numeric>
#include <utility>

#include "network/runtime_functions.hpp"
#include "network/runtime_requests.hpp"

namespace stretto::network {
namespace {

constexpr std::size_t max_dimensions = 6;
constexpr int max_nodes = 1 << 20;
// Larger coefficients are mistakes, such as microseconds for seconds.
constexpr double longest_s = 1e3;
constexpr double shortest_s = 1e-12;  // a measured time is above zero
constexpr double slowest_s_per_byte = 1;

[[noreturn]] void refuse(const std::string& where, const std::string& what) {
  throw ProfileError(where + " " + what + "; correct it");
}

/// Reads a whole number from `low` on, where the entry has it.
template <typename T>
void read_bound(const RequestMembers& entry, const char* name, T& value, T low) {
  if (!entry.has(name)) return;
  const Json& given = entry.at(name);
  if (!given.is_number_integer() || given.get<double>() < static_cast<double>(low) ||
      given.get<double>() > static_cast<double>(std::numeric_limits<T>::max())) {
    entry.refuse(name, "give a whole number from " + std::to_string(low) + " on");
  }
  value = given.get<T>();
}

/// The items of a list that has some.
std::vector<RequestMembers> items_of(const RequestMembers& entry, const char* name) {
  std::vector<RequestMembers> items = entry.objects(name);
  if (items.empty()) entry.refuse(name, "is empty");
  return items;
}

/// Whether the member is `second`; it must be `first` or `second`.
bool is_second(const RequestMembers& entry, const char* name, std::string_view first,
               std::string_view second) {
  const std::string text = entry.text(name);
  if (text != first && text != second) {
    entry.refuse(name, "is '" + text + "', not " + std::string{first} + " or " + std::string{second});
  }
  return text == second;
}

/// The coefficient; nothing where it is unresolved (null).
std::optional<double> coefficient_of(const RequestMembers& entry, bool of_bytes) {
  const double most = of_bytes ? slowest_s_per_byte : longest_s;
  if (!entry.at("coefficient").is_object()) return entry.number("coefficient", -most, most);
  const RequestMembers figure = entry.object("coefficient");
  return figure.has("value") ? std::optional(figure.number("value", -most, most)) : std::nullopt;
}

MemberFactor factor_of(const RequestMembers& entry, const char* member) {
  const std::string name = entry.text(member);
  for (const MemberFactorEntry& one : member_factors) {
    if (name == one.name) return one.factor;
  }
  entry.refuse(member, "is '" + name + "', which is none of the terms");
}

std::optional<RuntimeTerm> term_of(const RequestMembers& entry) {
  RuntimeTerm term{.of_p = factor_of(entry, "of_p")};
  term.of_bytes = is_second(entry, "of_b", "1", "b");
  const auto coefficient = coefficient_of(entry, term.of_bytes);
  if (!coefficient) return std::nullopt;
  term.coefficient = *coefficient;
  return term;
}

template <typename Ranged>
void read_ranges(const RequestMembers& entry, Ranged& function) {
  read_bound(entry, "members_min", function.members.low, 1);
  read_bound(entry, "members_max", function.members.high, 1);
  read_bound(entry, "size_min_bytes", function.size_bytes.low, std::uint64_t{0});
  read_bound(entry, "size_max_bytes", function.size_bytes.high, std::uint64_t{0});
}

void read_root_range(const RequestMembers& entry, RuntimeFunction& function) {
  read_bound(entry, "root_min_bytes", function.root_bytes.low, std::uint64_t{0});
  read_bound(entry, "root_max_bytes", function.root_bytes.high, std::uint64_t{0});
}

/// The function; nothing where a coefficient is unresolved.
std::optional<RuntimeFunction> function_of(const RequestMembers& entry) {
  RuntimeFunction function{.operation = operation_of(entry)};
  function.algorithm = algorithm_of(entry);
  if (entry.has("phase")) {
    function.phase =
        is_second(entry, "phase", "leader", "concurrent") ? GridPhase::concurrent : GridPhase::leader;
  }
  if (entry.has("locality")) {
    function.locality =
        is_second(entry, "locality", "same-node", "remote") ? Locality::remote : Locality::same_node;
  }
  read_ranges(entry, function);
  read_root_range(entry, function);
  if (entry.has("deviation")) function.deviation = entry.number("deviation", 0, 1);
  if (entry.has("phases_overlap")) {
    function.phases_overlap = entry.number("phases_overlap", 0, 1);
  } else if (entry.has("sum_of")) {
    for (const RequestMembers& part : items_of(entry, "sum_of")) {
      function.sum_of.push_back(
          {.operation = operation_of(part), .of_root = is_second(part, "of_b", "b", "p b")});
    }
  } else if (entry.has("terms")) {
    for (const RequestMembers& part : items_of(entry, "terms")) {
      const auto term = term_of(part);
      if (!term) return std::nullopt;
      const bool has_messages = function.algorithm == Algorithm::reference && is_rooted(function.operation);
      if (depends_on_messages(term->of_p) && !has_messages) {
        part.refuse("of_p",
                    "depends on messages, which only the reference algorithms of broadcast, "
                    "gather, scatter and reduce are known to send");
      }
      function.terms.push_back(*term);
    }
  } else {
    entry.refuse("terms", "is missing: a function has terms, sum_of or phases_overlap");
  }
  return function;
}

PhaseCoupling coupling_of(const RequestMembers& entry) {
  PhaseCoupling coupling{.operation = operation_of(entry), .algorithm = algorithm_of(entry)};
  read_ranges(entry, coupling);
  for (const RequestMembers& part : items_of(entry, "terms")) {
    CouplingTerm term{.of_p1 = factor_of(part, "of_p1"), .of_p2 = factor_of(part, "of_p2")};
    if (depends_on_messages(term.of_p1)) part.refuse("of_p1", "is none of a coupling's terms");
    if (depends_on_messages(term.of_p2)) part.refuse("of_p2", "is none of a coupling's terms");
    term.of_bytes = is_second(part, "of_b", "1", "b");
    const auto coefficient = coefficient_of(part, term.of_bytes);
    if (!coefficient) part.refuse("coefficient", "is unresolved");
    term.coefficient = *coefficient;
    coupling.terms.push_back(term);
  }
  return coupling;
}

MeasuredTime measured_time_of(const RequestMembers& entry) {
  MeasuredTime time;
  if (!entry.has("size_bytes")) entry.refuse("size_bytes", "is missing");
  read_bound(entry, "size_bytes", time.size_bytes, std::uint64_t{1});
  time.time_s = entry.number("time_s", shortest_s, longest_s);
  time.deviation = entry.number("deviation", 0, 1);
  return time;
}

MeasuredCall measured_call_of(const RequestMembers& entry) {
  MeasuredCall call{.operation = operation_of(entry), .algorithm = algorithm_of(entry), .members = 1};
  read_bound(entry, "members", call.members, 2);
  if (call.members < 2) entry.refuse("members", "is missing");
  if (entry.has("grid")) {
    call.grid = collective::grid_from(entry.text("grid"));
    const bool is_grid = call.grid && call.grid->rows > 1 && call.grid->columns > 1;
    if (!is_grid || std::int64_t{call.grid->rows} * call.grid->columns != call.members) {
      entry.refuse("grid", "is no P1xP2 of " + std::to_string(call.members) + " members");
    }
  }
  for (const RequestMembers& part : items_of(entry, "times")) {
    call.times.push_back(measured_time_of(part));
    if (call.times.size() > 1 && call.times.back().size_bytes <= call.times.end()[-2].size_bytes) {
      part.refuse("size_bytes", "is not above the one before it");
    }
  }
  return call;
}

/// The entries of a list of the profile; none where it is absent.
std::vector<RequestMembers> list_of(const Json& profile, const char* name) {
  std::vector<RequestMembers> entries;
  if (!profile.contains(name) || profile[name].is_null()) return entries;
  if (!profile[name].is_array()) refuse(name, "is not a list");
  for (const Json& item : profile[name]) {
    entries.emplace_back(item, std::string{name} + "[" + std::to_string(entries.size()) + "]");
  }
  return entries;
}

}  // namespace

Torus read_torus(const Json& widths) {
  if (widths.is_null()) return {};
  const auto is_width = [](const Json& width) {
    return width.is_number_integer() && width.get<double>() >= 1 && width.get<double>() <= max_nodes;
  };
  if (!widths.is_array() || widths.empty() || widths.size() > max_dimensions ||
      !std::ranges::all_of(widths, is_width)) {
    refuse("torus", "is not a list of up to " + std::to_string(max_dimensions) + " widths from 1 to " +
                        std::to_string(max_nodes));
  }
  auto found = widths.get<Torus>();
  const double nodes = std::accumulate(found.begin(), found.end(), 1.0, std::multiplies<>());
  if (nodes > max_nodes) refuse("torus", "has more than " + std::to_string(max_nodes) + " nodes");
  return found;
}

namespace {

/// 0: not known.
int read_ranks_per_node(const Json& profile) {
  if (!profile.contains("machine") || !profile["machine"].is_object()) return 0;
  int ranks = 0;
  read_bound(RequestMembers(profile["machine"], "machine"), "ranks_per_node", ranks, 1);
  return ranks;
}

}  // namespace

RuntimeFunctions RuntimeFunctions::from_profile(const Json& profile) try {
  std::vector<RuntimeFunction> functions;
  for (const RequestMembers& entry : list_of(profile, "collectives")) {
    if (auto function = function_of(entry)) functions.push_back(std::move(*function));
  }
  std::vector<PhaseCoupling> couplings;
  for (const RequestMembers& entry : list_of(profile, "couplings")) couplings.push_back(coupling_of(entry));
  std::vector<MeasuredCall> measured;
  for (const RequestMembers& entry : list_of(profile, "measured_collectives")) {
    measured.push_back(measured_call_of(entry));
  }
  return RuntimeFunctions(std::move(functions), std::move(couplings),
                          profile.contains("torus") ? read_torus(profile["torus"]) : Torus{},
                          read_ranks_per_node(profile), std::move(measured));
} catch (const InvalidRequest& error) {
  throw ProfileError(std::string(error.what()) + "; correct it");
}

}  // namespace stretto::network
