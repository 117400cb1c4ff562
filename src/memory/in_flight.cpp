// SPDX-License-Identifier: BSD-3-Clause
#include "memory/in_flight.hpp"

#include <algorithm>
#include <atomic>
#include <cstdlib>
#include <mutex>
#include <string_view>

#include "memory/granules.hpp"

namespace stretto::memory::in_flight {
namespace {

/// Granules from `first` on, and before `end`.
struct Flight {
  std::uintptr_t first;
  std::uintptr_t end;
  std::uint32_t request;
  std::uint16_t site;
  Direction direction;
};

struct Noted {
  std::mutex mutex;
  std::vector<Flight> flights;
  std::vector<Touch> touches;
};

Noted& noted() {
  static auto* the_one = new Noted;  // never destroyed, because accesses continue to the end
  return *the_one;
}

std::atomic<std::size_t> flying = 0;

void count(Noted& all, std::uint16_t site, std::uintptr_t pc) {
  const auto known = std::ranges::find_if(
      all.touches, [=](const Touch& one) { return one.site == site && one.place == pc; });
  if (known == all.touches.end()) {
    all.touches.push_back({site, pc, 1});
  } else {
    ++known->count;
  }
}

void access(std::uintptr_t granule, std::uintptr_t pc, bool is_store) {
  if (flying.load(std::memory_order_relaxed) == 0) return;
  Noted& all = noted();
  const std::scoped_lock lock(all.mutex);
  for (const Flight& one : all.flights) {
    if (granule < one.first || granule >= one.end) continue;
    if (is_store || one.direction == Direction::received) count(all, one.site, pc);
  }
}

}  // namespace

bool is_noted() {
  static const bool noted = [] {
    const char* asked = std::getenv("STRETTO_TRACE_IN_FLIGHT");
    return asked != nullptr && std::string_view(asked) == "1";
  }();
  return noted;
}

void begin(std::uint32_t request, std::uint16_t site, const Data& data, Direction direction) {
  if (!is_noted()) return;
  Noted& all = noted();
  const std::scoped_lock lock(all.mutex);
  for (const Range& block : data.blocks()) {
    const std::uintptr_t first = granule_of(block.begin + granule_bytes - 1);
    const std::uintptr_t end = granule_of(block.end());
    if (first >= end) continue;
    all.flights.push_back({first, end, request, site, direction});
    flying.fetch_add(1, std::memory_order_relaxed);
    for (std::uintptr_t granule = first; granule < end; ++granule) {
      watch_stores(granule);
      // A load of this mark calls the runtime. It is of no message, so that the arrival replaces it.
      if (direction == Direction::received) set_shadow(granule, stores_watched | unread_slot);
    }
  }
}

void end(std::uint32_t request) {
  if (!is_noted()) return;
  Noted& all = noted();
  const std::scoped_lock lock(all.mutex);
  flying.fetch_sub(std::erase_if(all.flights, [=](const Flight& one) { return one.request == request; }),
                   std::memory_order_relaxed);
}

void loaded(std::uintptr_t granule, std::uintptr_t pc) { access(granule, pc, false); }
void stored(std::uintptr_t granule, std::uintptr_t pc) { access(granule, pc, true); }

std::vector<Touch> touches() {
  const std::scoped_lock lock(noted().mutex);
  return noted().touches;
}

}  // namespace stretto::memory::in_flight
