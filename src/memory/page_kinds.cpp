// SPDX-License-Identifier: BSD-3-Clause
// Decides, when a page first holds data of a message, whether it can be protected: not stacks, devices, or
// memory that the program itself has protected.
#include <pthread.h>

#include <algorithm>
#include <cstdio>
#include <cstring>

#include "memory/pages.hpp"

namespace stretto::memory {

Range own_stack() {
  pthread_attr_t attributes;
  if (::pthread_getattr_np(::pthread_self(), &attributes) != 0) return {};
  void* begin = nullptr;
  std::size_t bytes = 0;
  ::pthread_attr_getstack(&attributes, &begin, &bytes);
  ::pthread_attr_destroy(&attributes);
  return {.begin = reinterpret_cast<std::uintptr_t>(begin), .bytes = bytes};
}

/// Registers the pages of a message's data, and the offsets of the data in each page. Returns whether all
/// pages were known before, and can be watched.
bool PageWatch::know(Pages pages, Range data) {
  bool known = std::ranges::all_of(in(pages), [](const Page& page) { return page.kind != Kind::unknown; });
  if (!known) classify(pages);
  const Held held(busy_);
  for (std::uintptr_t number = pages.first; number <= pages.last; ++number) {
    Page& page = page_of(number);
    page.own |= covered(number, data) >= nearly_whole;
    const std::uintptr_t begin = number << page_bits;
    const bool is_first = page.begin == page.end;
    const auto from = static_cast<std::uint16_t>(std::max(begin, data.begin) - begin);
    const auto until = static_cast<std::uint16_t>(std::min(begin + page_bytes, data.end()) - begin);
    page.begin = is_first ? from : std::min(page.begin, from);
    page.end = is_first ? until : std::max(page.end, until);
    known &= page.kind == Kind::watchable;
  }
  return known;
}

/// Sets the kind of unknown pages from /proc/self/maps. Only memory that the program may read and write can
/// be watched. Devices are excluded, and stacks, because the handler itself needs a stack.
void PageWatch::classify(Pages pages) {
  const Range stack = own_stack();
  const std::uintptr_t stack_begin = stack.begin >> page_bits;
  std::FILE* maps = std::fopen("/proc/self/maps", "rce");
  if (maps == nullptr) return;
  char line[512];
  while (std::fgets(line, sizeof line, maps) != nullptr) {
    unsigned long begin = 0;
    unsigned long end = 0;
    char access[5] = "";
    if (std::sscanf(line, "%lx-%lx %4s", &begin, &end, access) != 3) continue;
    const bool fits = std::strncmp(access, "rw-", 3) == 0 && std::strstr(line, "[stack") == nullptr &&
                      std::strstr(line, "/dev/") == nullptr;
    const Held held(busy_);
    for (std::uintptr_t number = std::max<std::uintptr_t>(pages.first, begin >> page_bits);
         number <= pages.last && number < end >> page_bits; ++number) {
      Page& page = page_of(number);
      const bool on_stack = number >= stack_begin && number < stack_begin + (stack.bytes >> page_bits);
      if (page.kind != Kind::unknown) continue;
      const bool watchable = fits && !on_stack;
      page.kind = watchable && known_ < max_pages ? Kind::watchable : Kind::excluded;
      too_many_ += watchable && known_ == max_pages ? 1 : 0;
      page.since_ns = clock_ns();
      if (page.kind == Kind::watchable) known_pages_[known_++] = number;
    }
  }
  std::fclose(maps);
}

}  // namespace stretto::memory
