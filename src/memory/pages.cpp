// SPDX-License-Identifier: BSD-3-Clause
// Changes of pages by messages, MPI and the kernel; page_faults.cpp has the accesses of the program. Code
// that holds the lock touches no memory that may be protected: its own fault would wait for the same lock.
#include "memory/pages.hpp"

#include <malloc.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <string>

namespace stretto::memory {
namespace {

constexpr std::uint16_t max_unprotected = 0xFFFF;

/// As Data::part, but without allocating memory, which may be protected.
Range part_range(Range data, std::size_t part) {
  const std::size_t from = data.bytes * part / parts;
  const std::size_t until = data.bytes * (part + 1) / parts;
  return {data.begin + from, until > from ? until - from : 1};
}

}  // namespace

Pages PageWatch::representative(Range data) {
  const Pages all = all_of(data);
  const Pages own = {all.first + (covered(all.first, data) < nearly_whole ? 1 : 0),
                     all.last - (covered(all.last, data) < nearly_whole ? 1 : 0)};
  return own.first > own.last ? all : own;
}

Pages PageWatch::part_of(Pages pages, Range part) {
  Pages some = all_of(part);
  while (some.first < some.last) {
    const std::size_t of_first = covered(some.first, part);
    const std::size_t of_last = covered(some.last, part);
    if (std::min(of_first, of_last) >= page_bytes / 2) break;
    if (of_first < of_last) {
      ++some.first;
    } else {
      --some.last;
    }
  }
  return {std::clamp(some.first, pages.first, pages.last), std::clamp(some.last, pages.first, pages.last)};
}

bool PageWatch::may_spend(std::uint64_t now_ns) const {
  constexpr std::uint64_t allowance_ns = 500'000;
  const auto ours_ns = static_cast<std::uint64_t>(share_ * static_cast<double>(now_ns - begin_ns_));
  return spent_ns_ < ours_ns + allowance_ns;
}

void PageWatch::protect(std::uintptr_t page, std::size_t count, Protection protection) {
  constexpr int access[] = {PROT_READ | PROT_WRITE, PROT_READ, PROT_NONE};
  const std::uint64_t begin_ns = clock_ns();
  // It fails where the page is no longer mapped; then there is nothing to watch. libc's mprotect is wrapped.
  ::syscall(SYS_mprotect, pointer_to(page << page_bits), count << page_bits,
            access[static_cast<int>(protection)]);
  for (std::size_t i = 0; i < count; ++i) {
    page_of(page + i).protection = protection;
    ++page_of(page + i).changes;
  }
  spent_ns_ += clock_ns() - begin_ns;
}

/// One call for each run of adjacent pages.
template <typename Which>
void PageWatch::protect_where(Pages pages, Protection protection, const Which& which) {
  const std::uintptr_t end = pages.last + 1;
  for (std::uintptr_t page = pages.first; page < end;) {
    std::uintptr_t until = page;
    while (until < end && which(page_of(until))) ++until;
    if (until > page) protect(page, until - page, protection);
    page = until + 1;
  }
}

bool PageWatch::produced(const Data& message, PartTimes& last_stores) {
  const Range data = only_block(message);
  if (!fits(data)) return false;
  const Pages pages = representative(data);
  bool known = know(pages, data);
  const Held held(busy_);
  const std::uint64_t now_ns = clock_ns();
  for (std::size_t part = 0; part < parts; ++part) {
    std::uint64_t last = 0;
    std::uint64_t earliest = now_ns;
    const Pages some = part_of(pages, part_range(data, part));
    for (const Page& page : in(some)) {
      known &= page.sends && page.stores_seen;
      const std::uint64_t store_ns = std::max(page.since_ns, page.store_ns);
      last = std::max(last, store_ns);
      earliest = std::min(earliest, store_ns);
    }
    last_stores.ns[part] = last;
    last_stores.other_end_ns[part] = earliest;
  }
  for (Page& page : in(pages)) {
    page.sends = is_tried(page);
    page.stores_seen = false;  // until the page is returned and protected
  }
  return known;
}

std::uint32_t PageWatch::arrived(const Data& message) {
  const Range data = only_block(message);
  if (!fits(data)) return 0;
  const Pages pages = representative(data);
  know(pages, data);
  const Held held(busy_);
  const std::uint64_t now_ns = clock_ns();
  const bool watch = may_spend(now_ns) && holds_ == 0;
  ++arrived_;
  unpaid_ += watch || holds_ > 0 ? 0 : 1;
  protect_where(pages, Protection::closed, [&](Page& page) {
    page.store_ns = now_ns;
    page.load_ns = 0;
    page.expecting = page.load_seen = watch && page.unprotected == 0 && is_tried(page);
    return page.expecting;
  });
  return 0;
}

std::uint32_t PageWatch::overwritten(const Data& message) {
  const Range data = only_block(message);
  if (!fits(data)) return 0;
  const Held held(busy_);
  const Pages pages = representative(data);
  for (Page& page : in(pages)) {
    if (page.kind == Kind::watchable) page.store_ns = clock_ns();
  }
  return 0;
}

bool PageWatch::consumed(const Data& message, std::uint32_t /*epoch*/, PartTimes& first_loads) {
  const Range data = only_block(message);
  if (!fits(data)) return false;
  const Held held(busy_);
  const Pages pages = representative(data);
  for (std::size_t part = 0; part < parts; ++part) {
    std::uint64_t first = 0;
    std::uint64_t latest = 0;
    const Pages some = part_of(pages, part_range(data, part));
    for (const Page& page : in(some)) {
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

void PageWatch::unprotect(Range data) {
  if (!fits(data)) return;
  const Held held(busy_);
  protect_where(all_of(data), Protection::open, [&](Page& page) {
    page.unprotected += page.unprotected < max_unprotected ? 1 : 0;
    // Other data of the message on the page may be touched at the same time.
    if (page.expecting && covered(number_of(page), data) < static_cast<std::size_t>(page.end - page.begin)) {
      page.load_seen = false;
    }
    page.expecting = false;
    return page.protection != Protection::open;
  });
}

void PageWatch::reprotect(Range data) {
  if (!fits(data)) return;
  const Held held(busy_);
  const bool watch = may_spend(clock_ns()) && holds_ == 0;
  protect_where(all_of(data), Protection::no_stores, [&](Page& page) {
    page.unprotected -=
        page.unprotected > 0 && page.unprotected < max_unprotected ? 1 : 0;  // at the limit it stays so
    const bool again = watch && page.sends && page.unprotected == 0;
    if (page.sends && page.unprotected == 0) page.stores_seen = again;
    return again && page.protection != Protection::no_stores;
  });
}

void PageWatch::unprotect_all() {
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

void PageWatch::reprotect_all() {
  const Held held(busy_);
  holds_ -= holds_ > 0 ? 1 : 0;
}

std::string PageWatch::limits() const {
  std::string text;
  if (unpaid_ > 0) {
    text += std::to_string(unpaid_) + " of " + std::to_string(arrived_) +
            " messages were not watched, because that takes at most " +
            std::to_string(std::lround(100 * share_)) +
            " % of the time: STRETTO_TRACE_SHARE=0.2 allows a fifth";
  }
  if (too_many_ > 0) {
    text += (text.empty() ? "" : "; ") + std::to_string(too_many_) + " pages were not watched, beyond " +
            std::to_string((max_pages << page_bits) >> 20U) + " MiB of buffers of messages";
  }
  return text;
}

void PageWatch::touched(Range data, bool stores) {
  if (!fits(data) || not_the_program_()) return;
  const Held held(busy_);
  const std::uint64_t now_ns = clock_ns();
  for (Page& page : in(all_of(data))) {
    if (page.expecting) page.load_ns = now_ns;
    page.expecting = false;
    if (stores && page.sends) page.store_ns = now_ns;
  }
}

void PageWatch::freed(Range data) {
  if (!fits(data) || !holds_messages(all_of(data))) return;
  const Held held(busy_);
  protect_where(all_of(data), Protection::open, [&](Page& page) {
    // The page belongs to a message, and the freed block only reaches into it: the message stays watched.
    if (page.own && covered(number_of(page), data) < page_bytes / 4) return false;
    const bool is_protected = page.protection != Protection::open;
    if (is_protected) page.expecting = page.load_seen = page.stores_seen = false;
    page.sends = false;
    return is_protected;
  });
}

/// Whether a page ever held a message: most memory that a program frees did not, and needs no lock.
bool PageWatch::holds_messages(Pages pages) {
  return std::ranges::any_of(in(pages), [](Page& page) {
    return std::atomic_ref(page.since_ns).load(std::memory_order_relaxed) != 0;
  });
}

void PageWatch::remapped(Range data) {
  if (!fits(data)) return;
  const Held held(busy_);
  forget(all_of(data));
}

void PageWatch::exclude(Range data) {
  if (!fits(data)) return;
  const Held held(busy_);
  const Pages pages = all_of(data);
  forget(pages);
  for (Page& page : in(pages)) page.kind = Kind::excluded;
}

/// Opens the pages; nothing is known of them afterwards but that they were watched.
void PageWatch::forget(Pages gone) {
  std::size_t kept = 0;
  for (std::size_t i = 0; i < known_; ++i) {
    const std::uintptr_t number = known_pages_[i];
    if (number < gone.first || number > gone.last) {
      known_pages_[kept++] = number;
      continue;
    }
    if (page_of(number).protection != Protection::open) protect(number, 1, Protection::open);
    const Page before = page_of(number);
    page_of(number) = {};
    page_of(number).since_ns = before.since_ns;
    page_of(number).changes = before.changes;
  }
  known_ = kept;
}

void PageWatch::end_in_child() {
  busy_.clear();
  unprotect_all();
}

KernelAccess::KernelAccess(const void* begin, std::size_t bytes, bool stores)
    : watch_(PageWatch::running()), data_{reinterpret_cast<std::uintptr_t>(begin), bytes} {
  if (watch_ == nullptr) return;
  watch_->touched(data_, stores);
  watch_->unprotect(data_);
}

KernelAccess::~KernelAccess() {
  if (watch_ != nullptr) watch_->reprotect(data_);
}

void memory_is_freed(void* begin) {
  PageWatch* watch = PageWatch::running();
  if (watch == nullptr || begin == nullptr) return;
  // Includes the allocator's own words before and after the block.
  constexpr std::size_t around = 16;
  watch->freed({reinterpret_cast<std::uintptr_t>(begin) - around, ::malloc_usable_size(begin) + 2 * around});
}

void memory_is_remapped(void* begin, std::size_t bytes) {
  if (PageWatch* watch = PageWatch::running())
    watch->remapped({reinterpret_cast<std::uintptr_t>(begin), bytes});
}

}  // namespace stretto::memory
