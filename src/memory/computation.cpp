// SPDX-License-Identifier: BSD-3-Clause
#include "memory/computation.hpp"

#include <algorithm>
#include <utility>

namespace stretto::memory {

void Computation::add(std::uint64_t now, double base_ticks, double rest_ticks) {
  base_ticks_ += base_ticks;
  rest_ticks_ += rest_ticks;
  if (++skipped_ < stride_) return;
  skipped_ = 0;
  knots_.push_back({now, base_ticks_, rest_ticks_});
  if (knots_.size() < most_knots) return;
  for (std::size_t kept = 0; kept < most_knots / 2; ++kept) knots_[kept] = knots_[2 * kept + 1];
  knots_.resize(most_knots / 2);
  stride_ *= 2;
}

void Computation::end(std::uint64_t now, std::uint32_t base, std::map<std::uint32_t, double> work) {
  end_ = now;
  base_ = base;
  work_ = std::move(work);
  double base_work = 0;
  double rest = 0;
  for (const auto& [epoch, ticks] : work_) (epoch <= base ? base_work : rest) += ticks;
  base_scale_ = base_ticks_ > 0 ? base_work / base_ticks_ : 1;
  rest_scale_ = rest_ticks_ > 0 ? rest / rest_ticks_ : 1;
  knots_.push_back({now, base_ticks_, rest_ticks_});
}

Computation::Knot Computation::at(std::uint64_t ticks) const {
  Knot before = {begin_, 0, 0};
  const auto after = std::lower_bound(knots_.begin(), knots_.end(), ticks,
                                      [](const Knot& one, std::uint64_t time) { return one.at < time; });
  if (after == knots_.end()) return knots_.empty() ? before : knots_.back();
  if (after != knots_.begin()) before = *std::prev(after);
  const double share = after->at == before.at ? 1.0
                                              : static_cast<double>(ticks - before.at) /
                                                    static_cast<double>(after->at - before.at);
  return {ticks, before.base + share * (after->base - before.base),
          before.rest + share * (after->rest - before.rest)};
}

std::uint64_t Computation::reordered(std::uint64_t ticks, std::uint32_t epoch) const {
  const Knot knot = at(ticks);
  if (epoch <= base_) return std::min(begin_ + static_cast<std::uint64_t>(knot.base * base_scale_), end_);
  double older = 0;
  double rest = 0;
  for (const auto& [one, work] : work_) {
    if (one < epoch) older += work;
    if (one > base_) rest += work;
  }
  // Of the marked work until then, the epoch's share.
  const auto found = work_.find(epoch);
  const double own = found == work_.end() || rest <= 0 ? 0.0 : found->second / rest;
  const double before = knot.rest * rest_scale_ * own;
  return std::min(begin_ + static_cast<std::uint64_t>(older + before), end_);
}

std::uint64_t ComputationHistory::reordered(std::uint64_t at, std::uint32_t epoch) const {
  const auto after =
      std::upper_bound(past_.begin(), past_.end(), at,
                       [](std::uint64_t time, const Computation& one) { return time < one.begin(); });
  if (after == past_.begin()) return at;
  const Computation& found = *std::prev(after);
  return at > found.end() ? at : found.reordered(at, epoch);
}

}  // namespace stretto::memory
