// SPDX-License-Identifier: BSD-3-Clause
#include "trace/regions.hpp"

#include <algorithm>

#include "trace/stream.hpp"

namespace stretto::trace {

void Regions::arrived(std::uint32_t epoch, std::uint16_t site) {
  if (epoch == 0) return;
  const std::scoped_lock lock(mutex_);
  if (std::any_of(open_.begin(), open_.end(), [epoch](const Open& one) { return one.epoch == epoch; }))
    return;
  // What follows a call counts with its last arrival, so that no work counts twice with one site.
  std::erase_if(open_, [site](const Open& one) { return one.site == site; });
  if (open_.size() == most_open) open_.erase(open_.begin());
  open_.push_back({epoch, site});
}

void Regions::worked(const std::vector<memory::Work>& work) {
  if (work.empty()) return;
  const std::scoped_lock lock(mutex_);
  for (const Open& one : open_) {
    for (const memory::Work& some : work) {
      Ticks& sum = regions_[{one.site, some.place}];
      (some.epoch < one.epoch ? sum.independent : sum.dependent) += some.ticks;
    }
  }
  std::erase_if(open_, [&work](const Open& one) {
    return std::any_of(work.begin(), work.end(),
                       [&one](const memory::Work& some) { return some.epoch >= one.epoch; });
  });
}

void Regions::write(Sites& sites, SiteCache& cache, Stream& stream, double ns_of_a_tick) {
  const auto ns = [ns_of_a_tick](std::uint64_t ticks) {
    return static_cast<std::uint64_t>(static_cast<double>(ticks) * ns_of_a_tick);
  };
  const std::scoped_lock lock(mutex_);
  for (const auto& [key, sum] : regions_) {
    const auto& [site, place] = key;
    record::Record record;
    record.begin_and_call = record::pack_field(0, record::region);
    record.duration_and_site = record::pack_field(ns(sum.dependent), site);
    record.bytes_and_context = record::pack_field(ns(sum.independent), record::no_context);
    record.peer = record::no_peer;
    // NOLINTNEXTLINE(performance-no-int-to-ptr): an address in the program's code
    if (place != 0) record.request = sites.number_of(reinterpret_cast<void*>(place), cache, stream);
    stream.append(record);
  }
  regions_.clear();
}

}  // namespace stretto::trace
