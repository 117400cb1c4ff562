// SPDX-License-Identifier: BSD-3-Clause
#include "trace/work_sums.hpp"

#include "trace/stream.hpp"

namespace stretto::trace {

void WorkSums::write(std::uint32_t count, Sites& sites, SiteCache& cache, Stream& stream,
                     double ns_of_a_tick) {
  const auto ns = [ns_of_a_tick](std::uint64_t ticks) {
    return static_cast<std::uint64_t>(static_cast<double>(ticks) * ns_of_a_tick);
  };
  for (const auto& [key, sum] : sums_) {
    const auto& [site, place] = key;
    record::Record record;
    record.begin_and_call = record::pack_field(0, record::region);
    record.duration_and_site = record::pack_field(ns(sum.dependent), site);
    record.bytes_and_context = record::pack_field(ns(sum.independent), record::no_context);
    record.peer = record::no_peer;
    record.count = count;
    // NOLINTNEXTLINE(performance-no-int-to-ptr): an address in the program's code
    if (place != 0) record.request = sites.number_of(reinterpret_cast<void*>(place), cache, stream);
    stream.append(record);
  }
  sums_.clear();
}

}  // namespace stretto::trace
