// SPDX-License-Identifier: BSD-3-Clause
#include "memory/reserved.hpp"

#include <sys/mman.h>
#include <sys/sysinfo.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cerrno>
#include <cstdint>
#include <cstdio>
#include <cstring>

namespace stretto::memory {
namespace {

struct Reservation {
  std::atomic<std::uintptr_t> begin;
  std::atomic<std::uintptr_t> end;
};
constexpr std::size_t max_reserved = 4;
std::array<Reservation, max_reserved> reserved;

/// Also of a part of reserved memory: the kernel lists parts with different access apart.
bool is_reserved(std::uintptr_t begin) {
  return std::ranges::any_of(reserved, [&](const Reservation& one) {
    return one.begin.load(std::memory_order_relaxed) <= begin &&
           begin < one.end.load(std::memory_order_relaxed);
  });
}

/// A mapping that can never be in memory as a whole, such as another library's table.
bool exceeds_memory(std::uint64_t bytes) {
  struct sysinfo machine {};
  return ::sysinfo(&machine) == 0 && bytes > std::uint64_t{machine.totalram} * machine.mem_unit;
}

/// Locks the mapping of a line of /proc/self/maps. Like mlockall, it fails where the limit does not allow it,
/// and passes over memory without access and of the kernel.
bool lock_mapping(const char* line) {
  unsigned long begin = 0;
  unsigned long end = 0;
  char access[5] = "";
  if (std::sscanf(line, "%lx-%lx %4s", &begin, &end, access) != 3) return true;
  void* const memory = reinterpret_cast<void*>(begin);  // NOLINT(performance-no-int-to-ptr)
  if (is_reserved(begin) || std::strstr(line, "[v") != nullptr || exceeds_memory(end - begin)) return true;
  if (::mlock(memory, end - begin) == 0 || errno == EAGAIN) return true;
  return errno == ENOMEM && std::strncmp(access, "---", 3) == 0;
}

}  // namespace

void note_reserved(const void* begin, std::size_t bytes) {
  const auto first = reinterpret_cast<std::uintptr_t>(begin);
  for (Reservation& one : reserved) {
    std::uintptr_t none = 0;
    if (!one.begin.compare_exchange_strong(none, first)) continue;
    one.end.store(first + bytes, std::memory_order_relaxed);
    return;
  }
}

void* reserve(std::size_t bytes) {
  // Memory without access is not filled, and what is not locked is not filled when it gets access.
  void* const mapped = ::mmap(nullptr, bytes, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (mapped == MAP_FAILED) return nullptr;
  ::munlock(mapped, bytes);
  if (::mprotect(mapped, bytes, PROT_READ | PROT_WRITE) != 0) {
    ::munmap(mapped, bytes);
    return nullptr;
  }
  ::madvise(mapped, bytes, MADV_NOHUGEPAGE);
  ::madvise(mapped, bytes, MADV_DONTDUMP);
  note_reserved(mapped, bytes);
  return mapped;
}

int lock_all(int flags, int (*next)(int) noexcept) noexcept {
  const bool fills = (flags & MCL_CURRENT) != 0 && (flags & MCL_ONFAULT) == 0;
  if (!fills || reserved[0].begin.load(std::memory_order_relaxed) == 0) return next(flags);
  if (const int later = flags & ~MCL_CURRENT; later != 0 && next(later) != 0) return -1;
  std::FILE* maps = std::fopen("/proc/self/maps", "rce");
  if (maps == nullptr) return -1;
  char line[512];
  bool locked = true;
  while (locked && std::fgets(line, sizeof line, maps) != nullptr) locked = lock_mapping(line);
  const int error = errno;
  std::fclose(maps);
  if (!locked) ::munlockall();
  errno = error;
  return locked ? 0 : -1;
}

}  // namespace stretto::memory
