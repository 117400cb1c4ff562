// SPDX-License-Identifier: BSD-3-Clause
// Call sites: numbers for return addresses, with the file of the program or library that contains each, and
// the callers at the site's first call. Readers of the trace look up names and lines later.
#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <mutex>
#include <string>
#include <unordered_map>
#include <utility>

namespace stretto::trace {

class Stream;

/// A thread's cache of recent sites.
struct SiteCache {
  struct Entry {
    void* address = nullptr;
    std::uint32_t closed = 0;
    std::uint16_t number = 0;
  };
  std::array<Entry, 256> entries;
};

class Sites {
 public:
  /// The number of a return address; 0 when there are too many. Writes the definition of a new site to
  /// `stream`.
  std::uint16_t number_of(void* address, SiteCache& cache, Stream& stream) {
    SiteCache::Entry& entry =
        cache.entries[(reinterpret_cast<std::uintptr_t>(address) >> 2U) % cache.entries.size()];
    const std::uint32_t closed = closed_modules();
    if (entry.address != address || entry.closed != closed)
      entry = {address, closed, look_up(address, stream)};
    return entry.number;
  }
  /// The number of the module around an address, and the address in the module's file; -1: none. Writes the
  /// definition of a new module to `stream`.
  std::pair<std::int32_t, std::uint64_t> module_of(std::uintptr_t address, Stream& stream);
  /// To be called when a module was closed: its addresses may be those of another one from now on.
  static void forget_addresses() { closed_.fetch_add(1, std::memory_order_relaxed); }
  /// How often that was.
  [[nodiscard]] static std::uint32_t closed_modules() { return closed_.load(std::memory_order_relaxed); }
  /// To be called before the first site, while nothing of the program is disturbed by it.
  static void prepare();

 private:
  /// What an address stands for since so many modules were closed.
  struct Site {
    std::int32_t module = 0;
    std::uint64_t address = 0;  ///< in the module's file
    std::uint32_t closed = 0;
    std::uint16_t number = 0;
  };
  std::uint16_t look_up(void* address, Stream& stream);
  /// The number of a module. Writes the definition of a new one, and its build id.
  std::int32_t module_number(const std::string& path, Stream& stream);
  /// Writes from where the call at a site was called, as the stack has it now.
  void write_callers(void* address, std::int32_t number, Stream& stream);

  static inline std::atomic<std::uint32_t> closed_ = 0;

  std::mutex mutex_;
  std::unordered_map<void*, Site> sites_;
  std::uint16_t last_number_ = 0;
  std::unordered_map<std::string, std::int32_t> modules_;
};

}  // namespace stretto::trace
