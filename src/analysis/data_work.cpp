// SPDX-License-Identifier: BSD-3-Clause
#include "analysis/data_work.hpp"

#include <algorithm>

namespace stretto::analysis {
namespace {

constexpr std::ptrdiff_t max_calls = 1 << 17;
/// Share of the independent work within which parts count as touched together.
constexpr double together_share = 0.02;

/// The gaps between the parts' own intervals, which may overlap.
double between(const std::vector<PartTouched>& parts) {
  std::vector<std::pair<double, double>> intervals;
  intervals.reserve(parts.size());
  for (const PartTouched& one : parts) intervals.emplace_back(std::minmax(one.time_s, one.other_end_s));
  std::ranges::sort(intervals);
  double gaps_s = 0;
  double end_s = intervals.front().second;
  for (const auto& [begin_s, until_s] : intervals) {
    gaps_s += std::max(begin_s - end_s, 0.0);
    end_s = std::max(end_s, until_s);
  }
  return gaps_s;
}

Order order_of(std::vector<PartTouched> parts, double dependent_s, double independent_s) {
  if (dependent_s <= together_share * independent_s || dependent_s == 0) return Order::at_once;
  const auto earlier = [](const PartTouched& a, const PartTouched& b) { return a.time_s < b.time_s; };
  const auto lower = [](const PartTouched& a, const PartTouched& b) { return a.part < b.part; };
  std::ranges::stable_sort(parts, earlier);
  if (std::ranges::is_sorted(parts, lower)) return Order::in_order;
  const bool is_reversed = std::is_sorted(parts.rbegin(), parts.rend(), lower);
  return is_reversed ? Order::in_reverse_order : Order::in_mixed_order;
}

}  // namespace

void ComputedTime::add_call(double begin_s, double end_s) {
  const double computed_s = calls_.empty() ? 0 : at(begin_s);
  calls_.push_back({begin_s, calls_.empty() ? end_s : std::max(end_s, calls_.back().end_s), computed_s});
  if (calls_.size() > 2 * max_calls) calls_.erase(calls_.begin(), calls_.begin() + max_calls);
}

double ComputedTime::at(double time_s) const {
  const Call* call = last_at(time_s);
  if (call == nullptr) return calls_.empty() ? 0 : calls_.front().computed_s;
  return call->computed_s + std::max(time_s - call->end_s, 0.0);
}

double ComputedTime::call_before(double time_s) const {
  const Call* call = last_at(time_s);
  return call == nullptr ? at(time_s) : call->computed_s;
}

const ComputedTime::Call* ComputedTime::last_at(double time_s) const {
  if (!calls_.empty() && time_s >= calls_.back().begin_s) return &calls_.back();
  const auto above = std::ranges::upper_bound(calls_, time_s, {}, &Call::begin_s);
  return above == calls_.begin() ? nullptr : &*(above - 1);
}

void add_message(DataWork& work, const std::vector<PartTouched>& parts, double call_s, double phase_s,
                 bool produces, std::int64_t all_parts) {
  const auto [first, last] = std::ranges::minmax_element(parts, {}, &PartTouched::time_s);
  const double dependent_s = last->time_s - first->time_s;
  const double independent_s = std::max(produces ? call_s - last->time_s : first->time_s - call_s, 0.0);
  ++work.messages;
  work.independent_s += independent_s;
  work.dependent_s += dependent_s;
  work.between_parts_s += between(parts);
  if (produces) {
    const auto earliest = std::ranges::min_element(parts, {}, &PartTouched::other_end_s);
    work.rearrangement_s += std::max(earliest->other_end_s - phase_s, 0.0);
  }
  work.untouched_parts += all_parts - static_cast<std::int64_t>(parts.size());
  ++work.orders[order_of(parts, dependent_s, independent_s)];
}

}  // namespace stretto::analysis
