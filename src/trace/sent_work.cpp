// SPDX-License-Identifier: BSD-3-Clause
#include "trace/sent_work.hpp"

#include <algorithm>

namespace stretto::trace {
namespace {

/// A place that copies for nearly all of its time does nothing else: its first sample began before the copy.
constexpr double nearly_all = 0.9;

/// Fractions of an interval: the part after a time, and of that part what lies in copies.
struct Shares {
  double after = 0;
  double copied = 0;
};

Shares shares_of(const memory::Interval& interval, std::uint64_t from_ns,
                 const std::vector<memory::Interval>& copies) {
  const std::uint64_t begin = std::max(interval.from_ns, from_ns);
  if (begin >= interval.until_ns) return {};
  std::uint64_t copied = 0;
  std::uint64_t reached = begin;
  for (const memory::Interval& copy : copies) {  // in the order of their begins
    const std::uint64_t from = std::max(copy.from_ns, reached);
    const std::uint64_t until = std::min(copy.until_ns, interval.until_ns);
    if (from >= until) continue;
    copied += until - from;
    reached = until;
  }
  const auto all = static_cast<double>(interval.until_ns - interval.from_ns);
  return {static_cast<double>(interval.until_ns - begin) / all, static_cast<double>(copied) / all};
}

/// Adds a copy, or extends one that it overlaps: data that is sent again has the same copies again.
void add_copy(std::vector<memory::Interval>& copies, const memory::Interval& copy) {
  if (copy.until_ns <= copy.from_ns) return;
  const auto known = std::ranges::find_if(copies, [&copy](const memory::Interval& one) {
    return one.from_ns < copy.until_ns && copy.from_ns < one.until_ns;
  });
  if (known == copies.end()) {
    copies.push_back(copy);
  } else {
    *known = {std::min(known->from_ns, copy.from_ns), std::max(known->until_ns, copy.until_ns)};
  }
}

}  // namespace

void SentWork::sent(std::uint16_t site, const memory::PartTimes& last_stores) {
  const std::uint64_t ready_ns = *std::ranges::max_element(last_stores.ns);
  const std::scoped_lock lock(mutex_);
  if (phases_.empty()) return;
  const auto known = bursts_.find(site);
  if (known != bursts_.end() && ready_ns > known->second.begin_ns) {
    count(site, known->second);
    bursts_.erase(known);
  }
  Burst& burst = bursts_[site];
  if (burst.phases.empty()) {
    for (const memory::Work& one : phases_.back()->work) {
      burst.begin_ns = std::max(burst.begin_ns, one.interval.until_ns);
    }
    const std::uint64_t counted = counted_[site];
    std::ranges::copy_if(phases_, std::back_inserter(burst.phases),
                         [counted](const auto& phase) { return phase->number > counted; });
  }
  burst.ready_ns = std::max(burst.ready_ns, ready_ns);
  for (const memory::Interval& copy : last_stores.copies) {
    // Later copies concern none of the burst's work.
    if (copy.from_ns < burst.begin_ns) add_copy(burst.copies, copy);
  }
}

void SentWork::worked(const std::vector<memory::Work>& work) {
  if (work.empty()) return;
  const std::scoped_lock lock(mutex_);
  if (phases_.size() == max_phases) phases_.pop_front();
  phases_.push_back(std::make_shared<const Phase>(Phase{++last_phase_, work}));
}

void SentWork::count(std::uint16_t site, const Burst& burst) {
  std::vector<memory::Interval> copies = burst.copies;
  std::ranges::sort(copies, {}, &memory::Interval::from_ns);
  for (const auto& phase : burst.phases) {
    for (const memory::Work& one : phase->work) {
      const Shares shares = shares_of(one.interval, burst.ready_ns, copies);
      if (shares.after <= 0) continue;
      const double copied = shares.copied >= nearly_all * shares.after ? shares.after : shares.copied;
      const auto ticks = static_cast<double>(one.ticks);
      WorkTicks& sum = sums_.of(site, one.place);
      sum.dependent += static_cast<std::uint64_t>(ticks * copied);
      sum.independent += static_cast<std::uint64_t>(ticks * (shares.after - copied));
    }
    counted_[site] = phase->number;
  }
}

void SentWork::write(Sites& sites, SiteCache& cache, Stream& stream, double ns_of_a_tick) {
  const std::scoped_lock lock(mutex_);
  for (const auto& [site, burst] : bursts_) count(site, burst);
  bursts_.clear();
  sums_.write(1, sites, cache, stream, ns_of_a_tick);
}

}  // namespace stretto::trace
