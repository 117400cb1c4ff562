// SPDX-License-Identifier: BSD-3-Clause
// Which pages can be watched, found when a message first lies on them.
#include <pthread.h>

#include <algorithm>
#include <cstdio>
#include <cstring>

#include "memory/pages.hpp"

namespace stretto::memory {

/// Whether all pages were known before, and can be watched.
bool PageWatch::know(Range data) {
  bool known = true;
  for (std::uintptr_t page = first_page(data); page <= last_page(data); ++page) {
    if (page_of(page).kind == Kind::unknown) {
      classify(first_page(data), last_page(data));
      return false;
    }
    known &= page_of(page).kind == Kind::watchable;
  }
  return known;
}

/// Only what the program may both read and write, and no stack: a handler needs one itself.
void PageWatch::classify(std::uintptr_t first, std::uintptr_t last) {
  std::uintptr_t stack_begin = 0;
  std::size_t stack_bytes = 0;
  pthread_attr_t attributes;
  if (::pthread_getattr_np(::pthread_self(), &attributes) == 0) {
    void* stack = nullptr;
    ::pthread_attr_getstack(&attributes, &stack, &stack_bytes);
    ::pthread_attr_destroy(&attributes);
    stack_begin = reinterpret_cast<std::uintptr_t>(stack) >> page_bits;
  }
  std::FILE* maps = std::fopen("/proc/self/maps", "re");
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
    for (std::uintptr_t number = std::max<std::uintptr_t>(first, begin >> page_bits);
         number <= last && number < end >> page_bits; ++number) {
      Page& page = page_of(number);
      const bool stack = number >= stack_begin && number < stack_begin + (stack_bytes >> page_bits);
      if (page.kind != Kind::unknown) continue;
      page.kind = fits && !stack && known_ < most_pages ? Kind::watchable : Kind::excluded;
      page.since_ns = clock_ns();
      if (page.kind == Kind::watchable) known_pages_[known_++] = number;
    }
  }
  std::fclose(maps);
}

}  // namespace stretto::memory
