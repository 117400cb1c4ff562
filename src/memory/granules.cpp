// SPDX-License-Identifier: BSD-3-Clause
#include "memory/granules.hpp"

#include <algorithm>
#include <cstdlib>
#include <map>
#include <mutex>
#include <string>
#include <string_view>
#include <utility>

#include "memory/conversion.hpp"
#include "memory/copied_data.hpp"
#include "memory/epochs.hpp"
#include "memory/in_flight.hpp"
#include "memory/reserved.hpp"
#include "memory/thread_state.hpp"
#include "memory/work_log.hpp"

namespace stretto::memory {

std::atomic<Page*>* page_table = nullptr;

namespace {

constexpr std::size_t max_pages = std::size_t{1}
                                  << 18U;  // 1 GiB of data with 4 GiB of times; pages beyond are not watched
/// Up to this size the result of a collective operation is a number that all later work may depend on.
constexpr std::size_t scalar_bytes = 64;

std::mutex adding;
std::atomic<std::size_t> refused_pages = 0;

/// Calls `use(granule)` for every granule of the data.
template <typename Use>
void for_granules(const Data& data, const Use& use) {
  for (const Range& block : data.blocks()) {
    const std::uintptr_t last = granule_of(block.end() - 1);
    for (std::uintptr_t granule = granule_of(block.begin); granule <= last; ++granule) use(granule);
  }
}

/// The log of this thread's computation, from its first MPI call on.
WorkLog& log_of_thread() {
  ThreadState& thread = stretto_memory_thread;
  if (thread.log == nullptr) thread.log = new WorkLog(thread);  // never deleted, as accesses continue
  return *thread.log;
}

class GranuleWatch final : public Watch {
 public:
  bool produced(const Data& data, PartTimes& last_stores) override {
    bool known = true;
    for_granules(data, [&known](std::uintptr_t granule) {
      note_load(granule);  // data that is forwarded is loaded by its send
      known &= watch_stores(granule);
    });
    if (!known) return false;
    last_stores.place = place_of_last_store(data);
    const Conversion conversion;
    const ComputationHistory* history = follows_ ? &log_of_thread().history() : nullptr;
    MessageStores stores(data);
    if (follows_) stores.trace_copies();
    for (std::size_t part = 0; part < parts; ++part) {
      const StoreTimes times = stores.times(part, history);
      last_stores.ns[part] = conversion.ns(times.last);
      last_stores.other_end_ns[part] = conversion.ns(times.earliest);
      if (follows_) last_stores.reordered_ns[part] = conversion.ns(times.reordered);
    }
    std::size_t copies = 0;
    for (const auto& [first, last] : stores.copies()) {
      last_stores.copies[copies++] = {.from_ns = conversion.ns(first), .until_ns = conversion.ns(last)};
    }
    return true;
  }

  std::uint32_t arrived(const Data& data) override {
    return receive(data, follows_ ? epoch_of_call() : 0, expected, 0);
  }

  std::uint32_t arrived_from_itself(const Data& data) override {
    return receive(data, follows_ ? epoch_before_call() : 0, expected, 0);
  }

  std::uint32_t overwritten(const Data& data) override {
    const std::uint8_t scalar = data.bytes() <= scalar_bytes ? scalar_mark : std::uint8_t{0};
    return receive(data, follows_ ? epoch_of_call() : 0, nothing, scalar);
  }

  std::uint32_t arrived_somewhere() override {
    if (!follows_) return 0;
    const std::uint32_t epoch = epoch_of_call();
    log_of_thread().depend_on(slot_of(epoch), ticks());
    return epoch;
  }

  bool consumed(const Data& data, std::uint32_t epoch, PartTimes& first_loads) override {
    const Conversion conversion;
    const ComputationHistory* history = follows_ ? &log_of_thread().history() : nullptr;
    for (std::size_t part = 0; part < parts; ++part) {
      std::uint64_t first = nothing;
      std::uint64_t latest = nothing;
      bool watched = true;
      for_granules(data.part(part), [&](std::uintptr_t granule) {
        const Page* page = page_of_granule(granule);
        if (page == nullptr) watched = false;
        if (page == nullptr) return;
        const std::uint64_t load = page->loads[index_in_page(granule)].load(std::memory_order_relaxed);
        if (load <= expected) return;
        first = first == nothing ? load : std::min(first, load);
        latest = std::max(latest, load);
      });
      if (!watched) return false;
      if (first == nothing) continue;
      first_loads.ns[part] = conversion.ns(first);
      first_loads.other_end_ns[part] = conversion.ns(latest);
      if (history != nullptr) {
        first_loads.reordered_ns[part] = conversion.ns(history->reordered(first, epoch));
      }
    }
    return true;
  }

  [[nodiscard]] std::uintptr_t first_access(std::uint32_t epoch) const override {
    return first_access_of(epoch).load(std::memory_order_relaxed);
  }
  void takes_off(std::uint32_t request, std::uint16_t site, const Data& data, Direction direction) override {
    in_flight::begin(request, site, data, direction);
    if (!follows_ || direction != Direction::sent) return;
    const std::scoped_lock lock(sending_mutex_);
    sending_[request] = data;
  }
  void lands(std::uint32_t request) override {
    in_flight::end(request);
    const std::scoped_lock lock(sending_mutex_);
    const auto found = sending_.find(request);
    if (found == sending_.end()) return;
    log_of_thread().returned.push_back(std::move(found->second));
    sending_.erase(found);
  }
  void returned(const Data& data) override {
    // A number has another variable next time.
    if (follows_ && data.bytes() > scalar_bytes) log_of_thread().returned.push_back(data);
  }
  [[nodiscard]] std::vector<Touch> touches() const override { return in_flight::touches(); }

  void call_begins() override {
    if (follows_) log_of_thread().pause(ticks());
  }
  void call_ends() override {
    if (!follows_) return;
    WorkLog& log = log_of_thread();
    for (const Data& data : log.returned) note_returned(data, newest_epoch(log));
    log.returned.clear();
    log.resume();
  }
  [[nodiscard]] const std::vector<Work>& work() const override {
    return follows_ ? log_of_thread().work() : Watch::work();
  }
  [[nodiscard]] double ns_of_a_tick() const override { return Conversion().ns_of_a_tick(); }

  // Nothing is protected, so nothing needs to be unprotected.
  void unprotect(Range) override {}
  void reprotect(Range) override {}
  void unprotect_all() override {}
  void reprotect_all() override {}

  [[nodiscard]] std::string limits() const override {
    if (refused_pages == 0) return {};
    return "data beyond " + std::to_string((max_pages << page_bits) >> 20U) +
           " MiB of buffers of messages was not watched";
  }

  /// Creates the table. False where the system gives no address space for it.
  bool begin() {
    const std::scoped_lock lock(adding);
    if (page_table != nullptr) return true;
    const std::size_t bytes = process_pages * sizeof(std::atomic<Page*>);
    void* const mapped = reserve(bytes);  // reading an entry maps the shared page of zeros only
    if (mapped == nullptr) return false;
    page_table = static_cast<std::atomic<Page*>*>(mapped);
    const char* asked = std::getenv("STRETTO_TRACE_FOLLOW");
    follows_ = asked == nullptr || std::string_view(asked) != "0";
    return true;
  }

 private:
  /// Where the program stored last to any of the data; 0: not known.
  static std::uintptr_t place_of_last_store(const Data& data) {
    std::uint64_t last = 0;
    std::uintptr_t place = 0;
    for_granules(data, [&](std::uintptr_t granule) {
      const Page* page = page_of_granule(granule);
      const std::size_t index = index_in_page(granule);
      const std::uint64_t at = page == nullptr ? 0 : page->stores[index].load(std::memory_order_relaxed);
      if (at <= last) return;
      last = at;
      place = page->places[index].load(std::memory_order_relaxed);
    });
    return place;
  }

  /// The arrival that the present call has begun.
  static std::uint32_t epoch_of_call() {
    WorkLog& log = log_of_thread();
    if (log.epoch_of_call == 0) log.epoch_of_call = begin_epoch();
    return log.epoch_of_call;
  }

  /// The newest arrival before the present call.
  static std::uint32_t epoch_before_call() {
    const std::uint32_t present = log_of_thread().epoch_of_call;
    return present != 0 ? present - 1 : epoch_of(present_slot.load(std::memory_order_relaxed));
  }

  /// The arrival of the present call, or the newest one before.
  static std::uint32_t newest_epoch(const WorkLog& log) {
    if (log.epoch_of_call != 0) return log.epoch_of_call;
    return epoch_of(present_slot.load(std::memory_order_relaxed));
  }

  static void note_returned(const Data& data, std::uint32_t epoch) {
    for_granules(data, [epoch](std::uintptr_t granule) {
      watch_stores(granule);  // those of a collective were not watched until now
      Page* page = page_of_granule(granule);
      if (page != nullptr) page->returns[index_in_page(granule)].store(epoch, std::memory_order_relaxed);
    });
  }

  /// `load`: the state of the first loads from now on. Returns `epoch`.
  static std::uint32_t receive(const Data& data, std::uint32_t epoch, std::uint64_t load,
                               std::uint8_t scalar) {
    std::uint8_t slot = slot_of(epoch);
    if (slot == 0 && load == expected) slot = unread_slot;
    const auto byte = static_cast<std::uint8_t>(stores_watched | scalar | slot);
    const std::uint64_t now = ticks();
    for_granules(data, [&](std::uintptr_t granule) {
      set_shadow(granule, byte);
      Page* page = add_page(granule << granule_bits);
      if (page == nullptr) return;
      page->stores[index_in_page(granule)].store(now, std::memory_order_relaxed);
      page->sources[index_in_page(granule)].store(0, std::memory_order_relaxed);
      page->places[index_in_page(granule)].store(0, std::memory_order_relaxed);
      page->loads[index_in_page(granule)].store(load, std::memory_order_relaxed);
    });
    return epoch;
  }

  bool follows_ = true;
  std::mutex sending_mutex_;
  std::map<std::uint32_t, Data> sending_;  ///< what MPI reads, by request
};

}  // namespace

Page* add_page(std::uintptr_t address) {
  if (Page* known = page_at(address)) return known;
  static std::size_t pages = 0;
  const std::scoped_lock lock(adding);
  if (Page* known = page_at(address)) return known;
  if (pages == max_pages) refused_pages.fetch_add(1, std::memory_order_relaxed);
  if (page_table == nullptr || pages == max_pages || address >> page_bits >= process_pages) return nullptr;
  auto* page = new Page;  // never deleted, because an access may be reading it
  ++pages;
  page_table[address >> page_bits].store(page, std::memory_order_release);
  return page;
}

bool watch_stores(std::uintptr_t granule) {
  const std::uint8_t byte = shadow_of(granule);
  if ((byte & stores_watched) != 0) return true;
  Page* page = add_page(granule << granule_bits);
  if (page == nullptr) return false;
  page->stores[index_in_page(granule)].store(ticks(), std::memory_order_relaxed);
  set_shadow(granule, byte | stores_watched);
  return false;
}

}  // namespace stretto::memory

stretto::memory::Watch* stretto_memory_watch() {
  static auto* watch =
      new stretto::memory::GranuleWatch;  // never destroyed, because accesses continue to the end
  return watch->begin() ? watch : nullptr;
}
