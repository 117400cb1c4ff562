// SPDX-License-Identifier: BSD-3-Clause
#include "memory/copied_data.hpp"

#include <sys/uio.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstring>

#include "memory/epochs.hpp"
#include "memory/granules.hpp"

namespace stretto::memory {
namespace {

constexpr std::size_t compared = 64;

/// Where the value of the granule was loaded from before it was stored; 0: unknown.
std::uintptr_t source_of(std::uintptr_t granule) {
  const Page* page = page_of_granule(granule);
  if (page == nullptr || (shadow_of(granule) & stores_watched) == 0) return 0;
  const std::uintptr_t source = page->sources[index_in_page(granule)].load(std::memory_order_relaxed);
  return source % granule_bytes == 0 && granule_of(source) != granule ? source : 0;
}

}  // namespace

MessageStores::MessageStores(const Data& data) {
  for (std::size_t part = 0; part < parts; ++part) {
    const std::vector<Range> blocks = data.part(part).blocks();
    const bool shared =
        !granules_.empty() && !blocks.empty() && granules_.back().granule == granule_of(blocks.front().begin);
    parts_[part].first = granules_.size() - (shared ? 1 : 0);
    for (const Range& block : blocks) {
      const std::uintptr_t last = granule_of(block.end() - 1);
      for (std::uintptr_t granule = granule_of(block.begin); granule <= last; ++granule) {
        if (granules_.empty() || granules_.back().granule != granule) granules_.push_back(stored(granule));
      }
    }
    parts_[part].second = granules_.size() - 1;
  }
}

MessageStores::Granule MessageStores::stored(std::uintptr_t granule) {
  const Page* page = page_of_granule(granule);
  if (page == nullptr) return {.granule = granule};
  const std::uint8_t slot = shadow_of(granule) & slot_mask;
  return {.granule = granule,
          .at = page->stores[index_in_page(granule)].load(std::memory_order_relaxed),
          .epoch = is_alive(slot) ? epoch_of(slot) : 0};
}

void MessageStores::trace_copies() {
  std::vector<std::uintptr_t> sources(granules_.size());
  while (copies_.size() < max_copies) {
    for (std::size_t i = 0; i < granules_.size(); ++i) {
      sources[i] = source_of(granules_[i].granule);
      if (sources[i] == 0) return;
    }
    if (!are_copies(sources)) return;
    const auto [first, last] = std::ranges::minmax_element(granules_, {}, &Granule::at);
    copies_.emplace_back(first->at, last->at);
    for (std::size_t i = 0; i < granules_.size(); ++i) {
      watch_stores(granule_of(sources[i]));
      const Granule before = stored(granule_of(sources[i]));
      // A source that was stored to after the copy, or is not watched until now, says nothing.
      if (before.at == 0 || before.at > granules_[i].at) continue;
      granules_[i] = before;
    }
  }
}

bool MessageStores::are_copies(const std::vector<std::uintptr_t>& sources) const {
  // The kernel reads the sources, because the program may have freed them.
  std::array<std::uint64_t, compared> values{};
  std::array<iovec, compared> from{};
  std::array<std::uintptr_t, compared> own{};
  std::size_t count = 0;
  const std::size_t step = std::max<std::size_t>(granules_.size() / compared, 1);
  for (std::size_t i = 0; i < granules_.size() && count < compared; i += step) {
    from[count] = {pointer_to(sources[i]), granule_bytes};
    own[count++] = granules_[i].granule << granule_bits;
  }
  const iovec to = {values.data(), count * sizeof values[0]};
  const ssize_t read = ::process_vm_readv(::getpid(), &to, 1, from.data(), count, 0);
  if (read != static_cast<ssize_t>(to.iov_len)) return false;
  std::array<std::uint64_t, compared> copies{};
  for (std::size_t i = 0; i < count; ++i) from[i].iov_base = pointer_to(own[i]);
  const iovec to_copies = {copies.data(), count * sizeof copies[0]};
  if (::process_vm_readv(::getpid(), &to_copies, 1, from.data(), count, 0) != read) return false;
  return std::memcmp(values.data(), copies.data(), to.iov_len) == 0;
}

StoreTimes MessageStores::times(std::size_t part, const ComputationHistory* history) const {
  StoreTimes times;
  for (std::size_t index = parts_[part].first; index <= parts_[part].second; ++index) {
    const Granule& one = granules_[index];
    if (times.earliest == 0 || one.at < times.earliest) times.earliest = one.at;
    times.last = std::max(times.last, one.at);
    if (history != nullptr)
      times.reordered = std::max(times.reordered, history->reordered(one.at, one.epoch));
  }
  return times;
}

}  // namespace stretto::memory
