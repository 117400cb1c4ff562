// SPDX-License-Identifier: BSD-3-Clause
#include "memory/shadow.hpp"

#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>

#include <array>
#include <cstring>
#include <mutex>
#include <vector>

#include "memory/reserved.hpp"

namespace stretto::memory {
namespace {

/// The shadow is used in chunks of this size, each with one bit per page.
constexpr std::size_t chunk_bytes = std::size_t{1} << 21U;
constexpr std::size_t chunk_pages = chunk_bytes / page_bytes;

struct Chunk {
  std::uintptr_t number = 0;
  std::array<std::atomic<bool>, chunk_pages> used{};
};

std::atomic<Chunk*> chunks[shadow_bytes / chunk_bytes];
bool writable_at_once = false;

struct Used {
  std::mutex mutex;
  std::vector<Chunk*> chunks;
};
Used& used() {
  static auto* the_one = new Used;  // never destroyed, because accesses continue to the end
  return *the_one;
}

[[noreturn]] void refuse() {
  constexpr char said[] =
      "stretto: this program was compiled to watch its data, which needs 16 TiB of address space; "
      "raise the limit (ulimit -v unlimited) or compile it without stretto's wrapper\n";
  if (::write(STDERR_FILENO, said, sizeof said - 1) < 0) ::_exit(1);
  ::_exit(1);
}

bool map_shadow(int protection) {
  void* wanted = pointer_to(shadow_base);
  void* mapped = ::mmap(wanted, shadow_bytes, protection,
                        MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED_NOREPLACE, -1, 0);
  if (mapped == wanted) return true;
  if (mapped != MAP_FAILED) ::munmap(mapped, shadow_bytes);  // a kernel that does not know the flag
  return false;
}

/// Where the kernel reserves memory for all that is writable, chunks become writable one by one.
bool map_in_any_way() {
  writable_at_once = map_shadow(PROT_READ | PROT_WRITE);
  return writable_at_once || map_shadow(PROT_READ);
}

/// Instrumented code reads the shadow whether or not it is recorded, so it exists from the start.
__attribute__((constructor(101))) void begin() {
  if (!map_in_any_way()) {
    rlimit limit{};
    ::getrlimit(RLIMIT_AS, &limit);
    limit.rlim_cur = limit.rlim_max;
    if (::setrlimit(RLIMIT_AS, &limit) != 0 || !map_in_any_way()) refuse();
  }
  void* shadow = pointer_to(shadow_base);
  note_reserved(shadow, shadow_bytes);
  ::madvise(shadow, shadow_bytes, MADV_NOHUGEPAGE);  // reading maps the shared page of zeros only
  ::madvise(shadow, shadow_bytes, MADV_DONTDUMP);
}

Chunk* add_chunk(std::uintptr_t number) {
  const std::scoped_lock lock(used().mutex);
  if (Chunk* known = chunks[number].load(std::memory_order_relaxed)) return known;
  if (!writable_at_once) {
    void* begin = pointer_to(shadow_base + number * chunk_bytes);
    if (::mprotect(begin, chunk_bytes, PROT_READ | PROT_WRITE) != 0) return nullptr;
  }
  auto* chunk = new Chunk;  // never deleted, because another thread may be using it
  chunk->number = number;
  used().chunks.push_back(chunk);
  chunks[number].store(chunk, std::memory_order_release);
  return chunk;
}

}  // namespace

void set_shadow(std::uintptr_t granule, std::uint8_t value) {
  if (granule >= shadow_bytes) return;
  Chunk* chunk = chunks[granule / chunk_bytes].load(std::memory_order_acquire);
  if (chunk == nullptr) chunk = add_chunk(granule / chunk_bytes);
  if (chunk == nullptr) return;
  std::atomic<bool>& page = chunk->used[granule % chunk_bytes / page_bytes];
  if (!page.load(std::memory_order_relaxed)) page.store(true, std::memory_order_relaxed);
  shadow_at(granule).store(value, std::memory_order_relaxed);
}

void change_shadow(std::uint8_t (*change)(std::uintptr_t granule, std::uint8_t byte)) {
  const std::scoped_lock lock(used().mutex);
  for (Chunk* chunk : used().chunks) {
    for (std::size_t page = 0; page < chunk_pages; ++page) {
      if (!chunk->used[page].load(std::memory_order_relaxed)) continue;
      bool still_used = false;
      const std::uintptr_t first = chunk->number * chunk_bytes + page * page_bytes;
      for (std::uintptr_t granule = first; granule < first + page_bytes; granule += sizeof(std::uint64_t)) {
        std::uint64_t eight = 0;
        std::memcpy(&eight, pointer_to(shadow_base + granule), sizeof eight);
        if (eight == 0) continue;
        for (std::uintptr_t one = granule; one < granule + sizeof eight; ++one) {
          const std::uint8_t byte = shadow_of(one);
          if (byte == 0) continue;
          const std::uint8_t changed = change(one, byte);
          if (changed != byte) shadow_at(one).store(changed, std::memory_order_relaxed);
          still_used = still_used || changed != 0;
        }
      }
      if (!still_used) chunk->used[page].store(false, std::memory_order_relaxed);
    }
  }
}

}  // namespace stretto::memory
