// SPDX-License-Identifier: BSD-3-Clause
#include "network/runtime_functions.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <limits>

namespace stretto::network {
namespace {

/// Whether the function is valid for a call, apart from its phase and locality.
bool holds(const RuntimeFunction& function, Operation operation, Algorithm algorithm, int p,
           std::uint64_t size_bytes) {
  return function.operation == operation && function.algorithm == algorithm && function.members.contains(p) &&
         function.size_bytes.contains(size_bytes) && function.root_bytes.contains(bytes_of(p, size_bytes));
}

CallTime unknown(std::string reason) { return {.unknown_reason = std::move(reason)}; }

/// The call in words, for messages.
std::string call_words(Operation operation, int p, std::uint64_t size_bytes) {
  return std::string{to_string(operation)} + " of " + std::to_string(size_bytes) + " bytes among " +
         std::to_string(p);
}

/// The sum of the function's terms. Coefficients may be negative; a prediction of zero or less is unknown.
CallTime sum_of_terms(const RuntimeFunction& function, const GroupPlacement& placement, const Torus& torus,
                      int p, std::uint64_t size_bytes) {
  const GroupedOperation call{.operation = function.operation, .members = p, .placement = placement};
  double time_s = 0;
  for (const RuntimeTerm& term : function.terms) {
    const double bytes = term.of_bytes ? static_cast<double>(size_bytes) : 1.0;
    time_s += term.coefficient * value_of(term.of_p, call, torus) * bytes;
  }
  if (std::isfinite(time_s) && time_s > 0) {
    return {.time_s = time_s, .deviation = function.deviation.value_or(0)};
  }
  std::array<char, 32> shown{};
  std::snprintf(shown.data(), shown.size(), "%.3g", time_s);
  return unknown("the runtime function gives " + std::string{shown.data()} + " s for " +
                 call_words(function.operation, p, size_bytes));
}

}  // namespace

CallTime added(std::span<const CallTime> calls) {
  CallTime total;
  for (const CallTime& call : calls) {
    if (!call.known()) return call;
    total.time_s += call.time_s;
    total.deviation += call.time_s * call.deviation;
  }
  total.deviation = total.time_s == 0 ? 0 : total.deviation / total.time_s;
  return total;
}

CallTime in_sequence(std::span<const CallTime> calls, double excess_s) {
  CallTime total = added(calls);
  if (!total.known()) return total;
  total.time_s += excess_s;
  for (const CallTime& call : calls) total.time_s = std::max(total.time_s, call.time_s);
  return total;
}

std::uint64_t bytes_of(int times, std::uint64_t size_bytes) {
  constexpr std::uint64_t most = std::numeric_limits<std::uint64_t>::max();
  const auto factor = static_cast<std::uint64_t>(times);
  return factor != 0 && size_bytes > most / factor ? most : factor * size_bytes;
}

Locality locality_of(const GroupPlacement& placement, int members, int ranks_per_node) {
  if (placement.stride > 1) {
    const std::int64_t span = std::int64_t{members} * placement.stride;
    return span <= ranks_per_node ? Locality::same_node : Locality::remote;
  }
  const bool fit = members <= ranks_per_node && (placement.groups == 1 || ranks_per_node % members == 0);
  return fit ? Locality::same_node : Locality::remote;
}

bool RuntimeFunctions::depends_on_nodes() const {
  return !measured_.empty() ||
         std::ranges::any_of(functions_, [](const RuntimeFunction& one) { return one.locality.has_value(); });
}

RuntimeFunctions RuntimeFunctions::placed(int ranks_per_node) const {
  RuntimeFunctions result = *this;
  result.ranks_per_node_ = ranks_per_node;
  return result;
}

/// The first function that is valid for the arguments, or null. A function for this phase takes precedence
/// over one for any phase.
const RuntimeFunction* RuntimeFunctions::find(Operation operation, Algorithm algorithm,
                                              std::optional<GridPhase> phase, int p, std::uint64_t size_bytes,
                                              const GroupPlacement& placement) const {
  const Locality locality = locality_of(placement, p, ranks_per_node_);
  const RuntimeFunction* general = nullptr;
  for (const RuntimeFunction& function : functions_) {
    if (function.phases_overlap || !holds(function, operation, algorithm, p, size_bytes)) continue;
    if (function.locality && *function.locality != locality) continue;
    if (function.phase && function.phase == phase) return &function;
    if (!function.phase && general == nullptr) general = &function;
  }
  return general;
}

CallTime RuntimeFunctions::predict(Operation operation, Algorithm algorithm, std::optional<GridPhase> phase,
                                   int p, std::uint64_t size_bytes, const GroupPlacement& placement) const {
  if (p == 1) return {};
  const RuntimeFunction* function = find(operation, algorithm, phase, p, size_bytes, placement);
  if (function == nullptr) return unknown("no runtime function for " + call_words(operation, p, size_bytes));
  if (!function->sum_of.empty()) return predict_sum(*function, phase, p, size_bytes, placement);
  return sum_of_terms(*function, placement, torus_, p, size_bytes);
}

/// A summand may not be a sum itself, which excludes cyclic definitions.
CallTime RuntimeFunctions::predict_sum(const RuntimeFunction& function, std::optional<GridPhase> phase, int p,
                                       std::uint64_t size_bytes, const GroupPlacement& placement) const {
  std::vector<CallTime> summands;
  std::vector<std::vector<GroupedOperation>> messages;
  for (const Summand& summand : function.sum_of) {
    const int blocks = summand.of_root ? p : 1;
    const std::uint64_t bytes = bytes_of(blocks, size_bytes);
    const RuntimeFunction* holding = find(summand.operation, function.algorithm, phase, p, bytes, placement);
    if (holding != nullptr && !holding->sum_of.empty()) {
      return unknown("the runtime function of " + std::string{to_string(summand.operation)} +
                     " is a sum within a sum");
    }
    summands.push_back(predict(summand.operation, function.algorithm, phase, p, bytes, placement));
    if (!summands.back().known()) return summands.back();
    messages.push_back(rooted_operations_of(summand.operation, p, placement, blocks));
  }
  CallTime total = in_sequence(summands, makespan_excess_s(function.algorithm, messages, size_bytes));
  total.deviation = function.deviation.value_or(total.deviation);
  return total;
}

CallTime RuntimeFunctions::predict_flat(Operation operation, Algorithm algorithm, int p,
                                        std::uint64_t size_bytes) const {
  return or_measured(predict(operation, algorithm, std::nullopt, p, size_bytes), operation, algorithm, p,
                     std::nullopt, size_bytes);
}

CallTime RuntimeFunctions::or_measured(CallTime predicted, Operation operation, Algorithm algorithm, int p,
                                       std::optional<Grid> grid, std::uint64_t size_bytes) const {
  const bool is_known = measured_ranks_per_node_ > 0;
  if (!is_known || std::min(p, ranks_per_node_) != std::min(p, measured_ranks_per_node_)) return predicted;
  const auto is_it = [&](const MeasuredCall& one) {
    return one.operation == operation && one.algorithm == algorithm && one.members == p && one.grid == grid;
  };
  const auto call = std::ranges::find_if(measured_, is_it);
  const auto measured = call == measured_.end() ? std::nullopt : call->at(size_bytes);
  if (!measured || (predicted.known() && predicted.deviation < measured->deviation)) return predicted;
  return {.time_s = measured->time_s, .deviation = measured->deviation, .measured = true};
}

double RuntimeFunctions::makespan_excess_s(Algorithm algorithm,
                                           const std::vector<std::vector<GroupedOperation>>& operations,
                                           std::uint64_t size_bytes) const {
  const auto costs = message_costs(algorithm);
  return costs ? network::makespan_excess_s(*costs, operations, static_cast<double>(size_bytes)) : 0;
}

std::optional<MessageCosts> RuntimeFunctions::message_costs(Algorithm algorithm) const {
  return algorithm == Algorithm::reference ? costs_ : std::nullopt;
}

std::optional<double> RuntimeFunctions::phases_overlap(Operation operation, Algorithm algorithm, int p,
                                                       std::uint64_t size_bytes) const {
  for (const RuntimeFunction& function : functions_) {
    if (function.phases_overlap && holds(function, operation, algorithm, p, size_bytes)) {
      return function.phases_overlap;
    }
  }
  return std::nullopt;
}

double RuntimeFunctions::coupling_s(Operation operation, Algorithm algorithm, const Grid& grid,
                                    std::uint64_t size_bytes) const {
  for (const PhaseCoupling& coupling : couplings_) {
    if (coupling.operation != operation || coupling.algorithm != algorithm ||
        !coupling.members.contains(grid.rows * grid.columns) || !coupling.size_bytes.contains(size_bytes)) {
      continue;
    }
    double time_s = 0;
    for (const CouplingTerm& term : coupling.terms) {
      const double bytes = term.of_bytes ? static_cast<double>(size_bytes) : 1.0;
      time_s +=
          term.coefficient * value_of(term.of_p1, grid.rows) * value_of(term.of_p2, grid.columns) * bytes;
    }
    return time_s;
  }
  return 0;
}

}  // namespace stretto::network
