// SPDX-License-Identifier: BSD-3-Clause
#include "memory/computation.hpp"

#include <algorithm>
#include <utility>

namespace stretto::memory {

void WorkSoFar::append(const Segment& segment) {
  if (segments_.empty() || segment.end - segments_.back().begin > length_) {
    segments_.push_back(segment);
  } else {
    segments_.back().end = segment.end;
    segments_.back().done = segment.done;
  }
}

void WorkSoFar::add(std::uint64_t begin, std::uint64_t end, double ticks) {
  append({begin, end, all() + ticks});
  if (segments_.size() < max_segments) return;
  length_ = std::max(2 * length_, (end - segments_.front().begin) / (max_segments / 4));
  for (const Segment& one : std::exchange(segments_, {})) append(one);
}

double WorkSoFar::until(std::uint64_t moment) const {
  const auto later = std::ranges::upper_bound(segments_, moment, {}, &Segment::begin);
  if (later == segments_.begin()) return 0;
  const auto found = std::prev(later);
  if (moment >= found->end) return found->done;
  const double before = found == segments_.begin() ? 0.0 : std::prev(found)->done;
  const double share =
      static_cast<double>(moment - found->begin) / static_cast<double>(found->end - found->begin);
  return before + share * (found->done - before);
}

void Computation::add(std::uint32_t epoch, std::uint64_t begin, std::uint64_t end, double ticks) {
  so_far_[epoch].add(begin, end, ticks);
}

void Computation::end(std::uint64_t now, std::uint32_t base, std::map<std::uint32_t, double> work) {
  end_ = now;
  base_ = base;
  work_ = std::move(work);
}

/// Of `work` that depends on `epoch`, what is done until `moment`.
double Computation::done(std::uint32_t epoch, double work, std::uint64_t moment) const {
  const auto found = so_far_.find(epoch);
  if (found == so_far_.end() || found->second.all() <= 0) return 0;
  return found->second.until(moment) / found->second.all() * work;
}

std::uint64_t Computation::reordered(std::uint64_t ticks, std::uint32_t epoch) const {
  double before = 0;
  for (const auto& [one, work] : work_) {
    const bool is_older = one < epoch && epoch > base_;
    const bool is_own = one == epoch || (one <= base_ && epoch <= base_);
    if (is_older) before += work;
    if (is_own) before += done(one, work, ticks);
  }
  return std::min(begin_ + static_cast<std::uint64_t>(before), end_);
}

std::uint64_t ComputationHistory::reordered(std::uint64_t at, std::uint32_t epoch) const {
  const auto after = std::ranges::upper_bound(past_, at, {}, &Computation::begin);
  if (after == past_.begin()) return at;
  const Computation& found = *std::prev(after);
  return at > found.end() ? at : found.reordered(at, epoch);
}

}  // namespace stretto::memory
