// SPDX-License-Identifier: BSD-3-Clause
// What messages, MPI and the kernel say about pages. What is under the lock touches no memory but its own: a
// fault of its own thread would wait for itself.
#include "memory/pages.hpp"

#include <malloc.h>
#include <sys/mman.h>

#include <algorithm>

namespace stretto::memory {
namespace {

constexpr std::uint16_t most_lent = 0xFFFF;

}  // namespace

bool PageWatch::may_spend(std::uint64_t now_ns) const {
  constexpr std::uint64_t allowance_ns = 500'000;
  const auto share = static_cast<std::uint64_t>(most_of_the_time * static_cast<double>(now_ns - begin_ns_));
  return spent_ns_ < share + allowance_ns;
}

void PageWatch::protect(std::uintptr_t page, std::size_t count, Protection protection) {
  constexpr int access[] = {PROT_READ | PROT_WRITE, PROT_READ, PROT_NONE};
  const std::uint64_t begin_ns = clock_ns();
  // It may not be mapped any more: then there is nothing to see, and no harm done.
  // NOLINTNEXTLINE(performance-no-int-to-ptr): a page is known by its number
  ::mprotect(reinterpret_cast<void*>(page << page_bits), count << page_bits,
             access[static_cast<int>(protection)]);
  for (std::size_t i = 0; i < count; ++i) page_of(page + i).protection = protection;
  spent_ns_ += clock_ns() - begin_ns;
}

/// Runs of neighbouring pages in one call each.
template <typename Which>
void PageWatch::protect_where(Range data, Protection protection, const Which& which) {
  const std::uintptr_t end = last_page(data) + 1;
  for (std::uintptr_t page = first_page(data); page < end;) {
    std::uintptr_t until = page;
    while (until < end && which(page_of(until))) ++until;
    if (until > page) protect(page, until - page, protection);
    page = until + 1;
  }
}

bool PageWatch::produced(Range data, PartTimes& last_stores) {
  if (!fits(data)) return false;
  bool known = know(data);
  const Held held(busy_);
  const std::uint64_t now_ns = clock_ns();
  for (std::size_t part = 0; part < parts; ++part) {
    std::uint64_t last = 0;
    std::uint64_t earliest = now_ns;
    for (std::uintptr_t number = first_page(data.part(part)); number <= last_page(data.part(part));
         ++number) {
      const Page& page = page_of(number);
      known &= page.sends && page.stores_seen;
      const std::uint64_t store_ns = std::max(page.since_ns, page.store_ns);
      last = std::max(last, store_ns);
      earliest = std::min(earliest, store_ns);
    }
    last_stores.ns[part] = last;
    last_stores.other_end_ns[part] = earliest;
  }
  for (std::uintptr_t number = first_page(data); number <= last_page(data); ++number) {
    Page& page = page_of(number);
    page.sends = page.kind == Kind::watchable;
    page.stores_seen = false;  // until it is protected when it is given back
  }
  return known;
}

void PageWatch::arrived(Range data) {
  if (!fits(data)) return;
  know(data);
  const Held held(busy_);
  const std::uint64_t now_ns = clock_ns();
  const bool watch = may_spend(now_ns) && holds_ == 0;
  protect_where(data, Protection::closed, [&](Page& page) {
    page.store_ns = now_ns;
    page.load_ns = 0;
    page.expecting = page.load_seen = watch && page.lent == 0 && page.kind == Kind::watchable;
    return page.expecting;
  });
}

void PageWatch::overwritten(Range data) {
  if (!fits(data)) return;
  const Held held(busy_);
  for (std::uintptr_t number = first_page(data); number <= last_page(data); ++number) {
    if (page_of(number).kind == Kind::watchable) page_of(number).store_ns = clock_ns();
  }
}

bool PageWatch::consumed(Range data, PartTimes& first_loads) {
  if (!fits(data)) return false;
  const Held held(busy_);
  for (std::size_t part = 0; part < parts; ++part) {
    std::uint64_t first = 0;
    std::uint64_t latest = 0;
    for (std::uintptr_t number = first_page(data.part(part)); number <= last_page(data.part(part));
         ++number) {
      const Page& page = page_of(number);
      if (!page.load_seen) return false;
      if (page.load_ns == 0) continue;
      first = first == 0 ? page.load_ns : std::min(first, page.load_ns);
      latest = std::max(latest, page.load_ns);
    }
    first_loads.ns[part] = first;
    first_loads.other_end_ns[part] = latest;
  }
  return true;
}

void PageWatch::lend(Range data) {
  if (!fits(data)) return;
  const Held held(busy_);
  protect_where(data, Protection::open, [](Page& page) {
    page.lent += page.lent < most_lent ? 1 : 0;
    page.expecting = false;
    return page.protection != Protection::open;
  });
}

void PageWatch::give_back(Range data) {
  if (!fits(data)) return;
  const Held held(busy_);
  const bool watch = may_spend(clock_ns()) && holds_ == 0;
  protect_where(data, Protection::no_stores, [&](Page& page) {
    page.lent -= page.lent > 0 && page.lent < most_lent ? 1 : 0;  // so often: for good
    const bool again = watch && page.sends && page.lent == 0;
    if (page.sends && page.lent == 0) page.stores_seen = again;
    return again && page.protection != Protection::no_stores;
  });
}

void PageWatch::lend_all() {
  const Held held(busy_);
  ++holds_;
  for (std::size_t i = 0; i < known_; ++i) {
    Page& page = page_of(known_pages_[i]);
    if (page.protection == Protection::open) continue;
    protect(known_pages_[i], 1, Protection::open);
    if (page.expecting) page.expecting = page.load_seen = false;
    page.stores_seen = false;
  }
}

void PageWatch::give_back_all() {
  const Held held(busy_);
  holds_ -= holds_ > 0 ? 1 : 0;
}

void PageWatch::touched(Range data, bool stores) {
  if (!fits(data) || not_the_program_()) return;
  const Held held(busy_);
  const std::uint64_t now_ns = clock_ns();
  for (std::uintptr_t number = first_page(data); number <= last_page(data); ++number) {
    Page& page = page_of(number);
    if (page.expecting) page.load_ns = now_ns;
    page.expecting = false;
    if (stores && page.sends) page.store_ns = now_ns;
  }
}

void PageWatch::freed(Range data) {
  if (!fits(data)) return;
  const Held held(busy_);
  protect_where(data, Protection::open, [](Page& page) {
    const bool is_protected = page.protection != Protection::open;
    if (is_protected) page.expecting = page.load_seen = page.stores_seen = false;
    return is_protected;
  });
}

void PageWatch::end_in_child() {
  busy_.clear();
  lend_all();
}

KernelLoan::KernelLoan(const void* begin, std::size_t bytes, bool stores)
    : watch_(PageWatch::running()), data_{reinterpret_cast<std::uintptr_t>(begin), bytes} {
  if (watch_ == nullptr) return;
  watch_->touched(data_, stores);
  watch_->lend(data_);
}

KernelLoan::~KernelLoan() {
  if (watch_ != nullptr) watch_->give_back(data_);
}

void memory_is_freed(void* begin) {
  PageWatch* watch = PageWatch::running();
  if (watch == nullptr || begin == nullptr) return;
  // The allocator's own words before and behind it.
  constexpr std::size_t around = 16;
  watch->freed({reinterpret_cast<std::uintptr_t>(begin) - around, ::malloc_usable_size(begin) + 2 * around});
}

}  // namespace stretto::memory
