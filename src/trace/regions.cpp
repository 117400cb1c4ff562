// SPDX-License-Identifier: BSD-3-Clause
#include "trace/regions.hpp"

#include <algorithm>

namespace stretto::trace {

void Regions::arrived(std::uint32_t epoch, std::uint16_t site) {
  if (epoch == 0) return;
  const std::scoped_lock lock(mutex_);
  if (std::ranges::any_of(open_, [epoch](const Open& one) { return one.epoch == epoch; })) return;
  // What follows a call counts with its last arrival, so that no work counts twice with one site.
  std::erase_if(open_, [site](const Open& one) { return one.site == site; });
  if (open_.size() == max_open) open_.erase(open_.begin());
  open_.push_back({epoch, site});
}

void Regions::worked(const std::vector<memory::Work>& work) {
  if (work.empty()) return;
  const std::scoped_lock lock(mutex_);
  for (const Open& one : open_) {
    for (const memory::Work& some : work) {
      WorkTicks& sum = sums_.of(one.site, some.place);
      (some.epoch < one.epoch ? sum.independent : sum.dependent) += some.ticks;
    }
  }
  std::erase_if(open_, [&work](const Open& one) {
    return std::ranges::any_of(work, [&one](const memory::Work& some) { return some.epoch >= one.epoch; });
  });
}

void Regions::write(Sites& sites, SiteCache& cache, Stream& stream, double ns_of_a_tick) {
  const std::scoped_lock lock(mutex_);
  sums_.write(0, sites, cache, stream, ns_of_a_tick);
}

}  // namespace stretto::trace
