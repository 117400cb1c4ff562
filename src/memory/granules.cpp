// SPDX-License-Identifier: BSD-3-Clause
#include "memory/granules.hpp"

#include <sys/mman.h>

#include <algorithm>
#include <mutex>

#include "memory/entry_points.hpp"
#include "memory/filter.hpp"

namespace stretto::memory {

std::atomic<Page*>* page_table = nullptr;

namespace {

constexpr std::size_t most_pages = std::size_t{1}
                                   << 18U;  // 1 GiB of data with 2 GiB of times; pages beyond are not watched

/// Calls `use(page, first granule, past the last)` for every page that the range lies on.
template <typename Use>
void for_pages(std::uintptr_t begin, std::size_t bytes, const Use& use) {
  const std::uintptr_t end = begin + bytes;
  for (std::uintptr_t at = begin; at < end;) {
    const std::uintptr_t until = std::min(end, (at / page_bytes + 1) * page_bytes);
    use(page_at(at), granule_at(at), granule_at(until - 1) + 1);
    at = until;
  }
}

template <typename Use>
void for_granules(Range data, const Use& use) {
  for_pages(data.begin, data.bytes, [&](Page* page, std::size_t first, std::size_t last) {
    if (page == nullptr) return;
    for (std::size_t granule = first; granule < last; ++granule) use(*page, granule);
  });
}

struct Moment {
  std::uint64_t ticks = memory::ticks();
  std::uint64_t ns = clock_ns();
};
const Moment beginning;

/// Converts ticks to the clock's time, by the ratio of both since the program began.
class Conversion {
 public:
  [[nodiscard]] std::uint64_t ns(std::uint64_t at) const {
    const auto since = static_cast<double>(static_cast<std::int64_t>(at - now_.ticks));
    const double ns_a_tick = static_cast<double>(now_.ns - beginning.ns) /
                             static_cast<double>(std::max<std::uint64_t>(now_.ticks - beginning.ticks, 1));
    return now_.ns + static_cast<std::uint64_t>(static_cast<std::int64_t>(since * ns_a_tick));
  }

 private:
  Moment now_;
};

class GranuleWatch final : public Watch {
 public:
  bool produced(Range data, PartTimes& last_stores) override {
    if (!watch(data)) return false;
    const Conversion conversion;
    for (std::size_t part = 0; part < parts; ++part) {
      std::uint64_t last = 0;
      std::uint64_t earliest = ~std::uint64_t{0};
      for_granules(data.part(part), [&](const Page& page, std::size_t granule) {
        // No store since watching began, so the last one was no later than that.
        const std::uint64_t store =
            std::max(page.since, page.stores[granule].load(std::memory_order_relaxed));
        last = std::max(last, store);
        earliest = std::min(earliest, store);
      });
      last_stores.ns[part] = conversion.ns(last);
      last_stores.other_end_ns[part] = conversion.ns(earliest);
    }
    return true;
  }

  void arrived(Range data) override {
    watch(data);
    const std::uint64_t now = ticks();
    for_granules(data, [now](Page& page, std::size_t granule) {
      page.stores[granule].store(now, std::memory_order_relaxed);
      page.loads[granule].store(expected, std::memory_order_relaxed);
    });
  }

  void overwritten(Range data) override {
    const std::uint64_t now = ticks();
    for_granules(data, [now](Page& page, std::size_t granule) {
      page.stores[granule].store(now, std::memory_order_relaxed);
      page.loads[granule].store(nothing, std::memory_order_relaxed);
    });
  }

  bool consumed(Range data, PartTimes& first_loads) override {
    bool watched = true;
    for_pages(data.begin, data.bytes,
              [&](const Page* page, std::size_t, std::size_t) { watched &= page != nullptr; });
    if (!watched) return false;
    const Conversion conversion;
    for (std::size_t part = 0; part < parts; ++part) {
      std::uint64_t first = nothing;
      std::uint64_t latest = nothing;
      for_granules(data.part(part), [&](const Page& page, std::size_t granule) {
        const std::uint64_t load = page.loads[granule].load(std::memory_order_relaxed);
        if (load <= expected) return;
        first = first == nothing ? load : std::min(first, load);
        latest = std::max(latest, load);
      });
      if (first == nothing) continue;
      first_loads.ns[part] = conversion.ns(first);
      first_loads.other_end_ns[part] = conversion.ns(latest);
    }
    return true;
  }

  // Nothing is protected, so nothing needs to be lent.
  void lend(Range) override {}
  void give_back(Range) override {}
  void lend_all() override {}
  void give_back_all() override {}

  /// Creates the table. False where the system gives no address space for it.
  bool begin() {
    const std::scoped_lock lock(adding_);
    if (page_table != nullptr) return true;
    const std::size_t bytes = process_pages * sizeof(std::atomic<Page*>);
    void* mapped =
        ::mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (mapped == MAP_FAILED) return false;
    ::madvise(mapped, bytes, MADV_NOHUGEPAGE);  // reading an entry maps the shared page of zeros only
    ::madvise(mapped, bytes, MADV_DONTDUMP);
    page_table = static_cast<std::atomic<Page*>*>(mapped);
    return true;
  }

 private:
  /// Starts watching all pages; returns whether all were watched before.
  bool watch(Range data) {
    bool known = true;
    for (std::uintptr_t at = data.begin / page_bytes * page_bytes; at < data.end(); at += page_bytes) {
      if (page_at(at) != nullptr) continue;
      known = false;
      const std::scoped_lock lock(adding_);
      if (page_at(at) != nullptr || pages_ >= most_pages || at >> page_bits >= process_pages) continue;
      auto* page = new Page;  // never deleted, because an access may be reading it
      page->since = ticks();
      ++pages_;
      page_table[at >> page_bits].store(page, std::memory_order_release);
      mark_watched(at >> page_bits);
    }
    return known;
  }

  std::mutex adding_;
  std::size_t pages_ = 0;
};

/// Records accesses of any length, on any pages; most lie in one granule.
template <void (*note)(Page&, std::size_t)>
void on_access(std::uintptr_t address, std::size_t bytes) {
  constexpr std::size_t granule_bytes = std::size_t{1} << granule_bits;
  if (address % granule_bytes + bytes > granule_bytes) {
    for_granules({address, bytes}, note);
  } else if (Page* page = page_at(address); page != nullptr && bytes > 0) {
    note(*page, granule_at(address));
  }
}

}  // namespace
}  // namespace stretto::memory

void stretto_memory_loads(std::uintptr_t address, std::size_t bytes) {
  stretto::memory::on_access<stretto::memory::note_load>(address, bytes);
}

void stretto_memory_stores(std::uintptr_t address, std::size_t bytes) {
  stretto::memory::on_access<stretto::memory::note_store>(address, bytes);
}

stretto::memory::Watch* stretto_memory_watch() {
  static auto* watch =
      new stretto::memory::GranuleWatch;  // never destroyed, because accesses continue to the end
  return watch->begin() ? watch : nullptr;
}
