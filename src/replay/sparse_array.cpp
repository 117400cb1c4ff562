// SPDX-License-Identifier: BSD-3-Clause
#include "replay/sparse_array.hpp"

#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cstdint>
#include <new>

namespace stretto::replay::detail {

void* reserve_pages(std::size_t bytes) {
  void* begin =
      ::mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (begin == MAP_FAILED) throw std::bad_alloc();
  // A large page would be of several ranks.
  (void)::madvise(begin, bytes, MADV_NOHUGEPAGE);
  return begin;
}

void unreserve_pages(void* begin, std::size_t bytes) noexcept { ::munmap(begin, bytes); }

void release_pages(std::byte* first, std::byte* from, std::byte* end) noexcept {
  static const auto page = static_cast<std::uintptr_t>(::sysconf(_SC_PAGESIZE));
  const auto in_page = [](const std::byte* at) { return reinterpret_cast<std::uintptr_t>(at) % page; };
  std::byte* const begin = std::max(first + (page - in_page(first)) % page, from - in_page(from));
  std::byte* const until = end - in_page(end);
  if (until > begin) ::madvise(begin, static_cast<std::size_t>(until - begin), MADV_DONTNEED);
}

}  // namespace stretto::replay::detail
