// SPDX-License-Identifier: BSD-3-Clause
#include "collective/runtime_functions.hpp"

#include <algorithm>
#include <bit>
#include <cmath>

namespace stretto::collective {
namespace {

double ceil_log2(int p) { return p < 2 ? 0 : std::bit_width(static_cast<unsigned>(p - 1)); }
double floor_log2(int p) { return p < 2 ? 0 : std::bit_width(static_cast<unsigned>(p)) - 1; }

/// Along 0 - 1 - 3 - 7 - ...: each of these ranks sends to all its children at once.
double tree_sends(int p) {
  int sends = 0;
  for (int i = 0; p - (1 << i) >= (1 << i); ++i) sends += static_cast<int>(floor_log2(p - (1 << i))) - i + 1;
  return sends;
}

bool fits(const RuntimeFunction& function, Operation operation, Algorithm algorithm, int p,
          std::uint64_t size_bytes) {
  return function.operation == operation && function.algorithm == algorithm && function.members.contains(p) &&
         function.size_bytes.contains(size_bytes) &&
         function.root_bytes.contains(static_cast<std::uint64_t>(p) * size_bytes);
}

/// Nothing for a time that cannot be: a coefficient may be negative, a prediction may not.
std::optional<Prediction> believable(double time_s, double deviation) {
  if (!std::isfinite(time_s) || time_s <= 0) return std::nullopt;
  return Prediction{.time_s = time_s, .deviation = deviation};
}

std::optional<Prediction> sum_of_terms(const RuntimeFunction& function, const Placement& placement,
                                       const Torus& torus, int p, std::uint64_t size_bytes) {
  const Site site{.operation = function.operation, .members = p, .placement = placement};
  double time_s = 0;
  for (const Term& term : function.terms) {
    const double bytes = term.of_bytes ? static_cast<double>(size_bytes) : 1.0;
    time_s += term.coefficient * value_of(term.of_p, site, torus) * bytes;
  }
  return believable(time_s, function.deviation);
}

}  // namespace

bool is_of_messages(OfP factor) {
  return factor == OfP::overheads || factor == OfP::links_eager || factor == OfP::links_in_turn;
}

double value_of(OfP factor, const Site& site, const Torus& torus) {
  if (factor == OfP::overheads) return overheads(site.operation, site.members);
  if (!is_of_messages(factor)) return value_of(factor, site.members);
  const Sending sending = factor == OfP::links_eager ? Sending::eager : Sending::in_turn;
  return link_time(site.operation, site.members, site.placement, torus, sending);
}

double value_of(OfP factor, int p) {
  switch (factor) {
    case OfP::one:
      return 1;
    case OfP::p:
      return p;
    case OfP::p_minus_1:
      return p - 1;
    case OfP::log2:
      return std::log2(p);
    case OfP::ceil_log2:
      return ceil_log2(p);
    case OfP::floor_log2_less_1:
      return floor_log2(p - 1);
    case OfP::p_log2:
      return p * std::log2(p);
    case OfP::p_ceil_log2:
      return p * ceil_log2(p);
    case OfP::tree_sends:
      return tree_sends(p);
    case OfP::overheads:
    case OfP::links_eager:
    case OfP::links_in_turn:
      break;  // not of p alone
  }
  return 0;
}

const RuntimeFunction* RuntimeFunctions::find(Operation operation, Algorithm algorithm,
                                              std::optional<Phase> phase, int p, std::uint64_t size_bytes,
                                              bool only_terms) const {
  const RuntimeFunction* general = nullptr;
  for (const RuntimeFunction& function : functions_) {
    if (function.phases_overlap || (only_terms && function.terms.empty())) continue;
    if (!fits(function, operation, algorithm, p, size_bytes)) continue;
    if (function.phase && function.phase == phase) return &function;
    if (!function.phase && general == nullptr) general = &function;
  }
  return general;
}

std::optional<Prediction> RuntimeFunctions::predict(Operation operation, Algorithm algorithm,
                                                    std::optional<Phase> phase, int p,
                                                    std::uint64_t size_bytes,
                                                    const Placement& placement) const {
  if (p == 1) return Prediction{};
  const RuntimeFunction* function = find(operation, algorithm, phase, p, size_bytes, false);
  if (function == nullptr) return std::nullopt;
  if (function->sum_of.empty()) return sum_of_terms(*function, placement, torus_, p, size_bytes);
  double time_s = 0;
  double longest_s = 0;
  std::vector<std::vector<Part>> operations;
  for (const Addend& addend : function->sum_of) {
    const int blocks = addend.of_root ? p : 1;
    const std::uint64_t bytes = static_cast<std::uint64_t>(blocks) * size_bytes;
    const RuntimeFunction* part = find(addend.operation, algorithm, phase, p, bytes, true);
    if (part == nullptr) return std::nullopt;
    const auto one = sum_of_terms(*part, placement, torus_, p, bytes);
    if (!one) return std::nullopt;
    time_s += one->time_s;
    longest_s = std::max(longest_s, one->time_s);
    operations.push_back(parts_of(addend.operation, p, placement, blocks));
  }
  time_s = std::max(longest_s, time_s + beyond_s(algorithm, operations, size_bytes));
  return believable(time_s, function->deviation);
}

double RuntimeFunctions::beyond_s(Algorithm algorithm, const std::vector<std::vector<Part>>& operations,
                                  std::uint64_t size_bytes) const {
  if (algorithm != Algorithm::reference || !machine_) return 0;
  return collective::beyond_s(*machine_, operations, static_cast<double>(size_bytes));
}

std::optional<double> RuntimeFunctions::phases_overlap(Operation operation, Algorithm algorithm, int p,
                                                       std::uint64_t size_bytes) const {
  for (const RuntimeFunction& function : functions_) {
    if (function.phases_overlap && fits(function, operation, algorithm, p, size_bytes)) {
      return function.phases_overlap;
    }
  }
  return std::nullopt;
}

double RuntimeFunctions::coupling_s(Operation operation, Algorithm algorithm, const Grid& grid,
                                    std::uint64_t size_bytes) const {
  for (const Coupling& coupling : couplings_) {
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

}  // namespace stretto::collective
