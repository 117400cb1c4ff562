// SPDX-License-Identifier: BSD-3-Clause
// The costs of one message, from the runtime functions of operations with known messages.
#include "network/message_costs.hpp"

#include <algorithm>
#include <cstddef>
#include <initializer_list>
#include <limits>

#include "network/runtime_functions.hpp"

namespace stretto::network {
namespace {

constexpr int max_linear_broadcast =
    4;  // up to this number of ranks a broadcast treats eager messages like others

/// The sum of the coefficients of these factors.
double coefficient(const RuntimeFunction& function, std::initializer_list<MemberFactor> factors,
                   bool of_bytes) {
  double sum = 0;
  for (const RuntimeTerm& term : function.terms) {
    if (term.of_bytes == of_bytes && std::ranges::find(factors, term.of_p) != factors.end()) {
      sum += term.coefficient;
    }
  }
  return sum;
}

/// The median, or the upper of the two middle values. At least one value is required.
double median_of(std::vector<double> values) {
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::ranges::nth_element(values, middle);
  return *middle;
}

/// The largest size for which broadcast trees send eagerly; unlimited where they always do.
double eager_limit(const std::vector<RuntimeFunction>& known) {
  double limit = 0;
  bool all = true;
  for (const RuntimeFunction& function : known) {
    if (function.operation != Operation::broadcast || function.members.high <= max_linear_broadcast) continue;
    if (coefficient(function, {MemberFactor::links_eager}, true) != 0) {
      limit = std::max(limit, static_cast<double>(function.size_bytes.high));
    } else {
      all = false;
    }
  }
  return all ? std::numeric_limits<double>::infinity() : limit;
}

}  // namespace

std::optional<MessageCosts> message_costs_of(const std::vector<RuntimeFunction>& functions,
                                             const Torus& torus) {
  std::vector<RuntimeFunction> known;
  std::vector<double> overheads_s;
  std::vector<double> one_ways_s;
  std::vector<double> gaps;
  for (const RuntimeFunction& function : functions) {
    const double gap =
        coefficient(function, {MemberFactor::links_eager, MemberFactor::links_serialised}, true);
    if (function.algorithm != Algorithm::reference || function.phase || gap <= 0) continue;
    known.push_back(function);
    gaps.push_back(gap);
    overheads_s.push_back(coefficient(function, {MemberFactor::overheads}, false));
    one_ways_s.push_back(coefficient(function, {MemberFactor::one, MemberFactor::ceil_log2}, false) +
                         2 * overheads_s.back());
  }
  if (known.empty()) return std::nullopt;
  const double overhead_s = std::max(0.0, median_of(overheads_s));  // coefficients may be negative
  return MessageCosts{.overhead_s = overhead_s,
                      .latency_s = std::max(0.0, median_of(one_ways_s) - 2 * overhead_s),
                      .gap_s_per_byte = median_of(gaps),
                      .eager_limit_bytes = eager_limit(known),
                      .torus = torus};
}

}  // namespace stretto::network
