// SPDX-License-Identifier: BSD-3-Clause
#include "measure/stopping.hpp"

#include <algorithm>
#include <stdexcept>
#include <stretto/statistics.hpp>

namespace stretto::measure {

std::string_view to_string(StopReason reason) {
  switch (reason) {
    case StopReason::noise:
      return "noise";
    case StopReason::budget:
      return "budget";
    case StopReason::rounds:
      return "rounds";
  }
  throw std::logic_error("no such reason to end");
}

Stopper::Stopper(const StoppingRule& rule, std::size_t quantities)
    : rule_(rule), values_(quantities), next_check_(rule.min_rounds) {}

void Stopper::add_round(const std::vector<double>& values) {
  if (values.size() != values_.size()) throw std::invalid_argument("a round has one value a quantity");
  for (std::size_t i = 0; i < values.size(); ++i) values_[i].push_back(values[i]);
  ++rounds_;
}

std::optional<StopReason> Stopper::decide(double elapsed_s) {
  if (rounds_ < rule_.min_rounds) {
    // Three rounds give a median even of a case that far exceeds its budget.
    const bool over_budget = rounds_ >= 3 && elapsed_s > 4 * rule_.budget_s;
    return over_budget ? std::optional{StopReason::budget} : std::nullopt;
  }
  // Testing after every round would stop too early by chance (repeated tests of one interval), and costs
  // time.
  if (rounds_ >= next_check_) {
    if (precise_enough()) return StopReason::noise;
    next_check_ = rounds_ + std::max(1, rounds_ / 4);
  }
  if (rounds_ >= rule_.max_rounds) return StopReason::rounds;
  if (elapsed_s >= rule_.budget_s) return StopReason::budget;
  return std::nullopt;
}

bool Stopper::precise_enough() const {
  return std::all_of(values_.begin(), values_.end(), [&](const std::vector<double>& values) {
    const Interval interval = bootstrap_median(values, static_cast<std::uint64_t>(rounds_));
    return interval.high - interval.low <= 2 * rule_.max_noise * median(values);
  });
}

}  // namespace stretto::measure
