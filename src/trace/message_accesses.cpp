// SPDX-License-Identifier: BSD-3-Clause
#include "trace/message_accesses.hpp"

#include "record/trace_format.hpp"
#include "trace/stream.hpp"

namespace stretto::trace {

void MessageAccesses::arrived(std::uint32_t epoch, std::uint16_t site, const memory::Watch& watch) {
  if (epoch == 0) return;
  const std::scoped_lock lock(mutex_);
  pending_[epoch] = site;
  while (pending_.begin()->first + max_pending <= epoch) {
    const auto& [oldest, its_site] = *pending_.begin();
    ++first_[{its_site, watch.first_access(oldest)}];
    pending_.erase(pending_.begin());
  }
}

void MessageAccesses::sent(std::uint16_t site, std::uintptr_t place) {
  const std::scoped_lock lock(mutex_);
  ++last_[{site, place}];
}

void MessageAccesses::write(const memory::Watch& watch, Sites& sites, SiteCache& cache, Stream& stream) {
  const std::scoped_lock lock(mutex_);
  for (const auto& [epoch, site] : pending_) ++first_[{site, watch.first_access(epoch)}];
  pending_.clear();
  Sums in_flight;
  for (const memory::Touch& one : watch.touches()) in_flight[{one.site, one.place}] += one.count;
  write(first_, record::first_accesses, sites, cache, stream);
  write(last_, record::last_stores, sites, cache, stream);
  write(in_flight, record::in_flight, sites, cache, stream);
  first_.clear();
  last_.clear();
}

void MessageAccesses::write(const Sums& sums, std::uint32_t what, Sites& sites, SiteCache& cache,
                            Stream& stream) {
  for (const auto& [key, count] : sums) {
    const auto& [site, place] = key;
    record::Record record;
    record.begin_and_call = record::pack_field(0, record::region);
    record.duration_and_site = record::pack_field(0, site);
    record.bytes_and_context = record::pack_field(0, record::no_context);
    record.peer = record::no_peer;
    record.count = what;
    record.extra = count;
    // NOLINTNEXTLINE(performance-no-int-to-ptr): an address in the program's code
    if (place != 0) record.request = sites.number_of(reinterpret_cast<void*>(place), cache, stream);
    stream.append(record);
  }
}

}  // namespace stretto::trace
