// SPDX-License-Identifier: BSD-3-Clause
// When the data of a message was last stored to and first loaded from: what the recorder asks, whoever looks
// at the accesses. Knows no MPI.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <ctime>

namespace stretto::memory {

/// Into how many parts a message is divided; part i begins at byte `bytes * i / parts`.
inline constexpr std::size_t parts = 8;

/// Of the parts of a message, in ns of this host's monotonic clock; 0: it did not happen. The last store to a
/// part, and of the last stores to its bytes the earliest; or the first load, and of its bytes' first loads
/// the latest.
struct PartTimes {
  std::array<std::uint64_t, parts> ns{};
  std::array<std::uint64_t, parts> other_end_ns{};
};

struct Range {
  std::uintptr_t begin = 0;
  std::size_t bytes = 0;

  [[nodiscard]] std::uintptr_t end() const { return begin + bytes; }
  /// Of a message of fewer bytes than parts, a part without bytes of its own is the byte where it would
  /// begin.
  [[nodiscard]] Range part(std::size_t index) const {
    const std::size_t from = bytes * index / parts;
    const std::size_t until = bytes * (index + 1) / parts;
    return {begin + from, until > from ? until - from : 1};
  }
};

class Watch {
 public:
  virtual ~Watch() = default;
  Watch(const Watch&) = delete;
  Watch& operator=(const Watch&) = delete;

  /// A message of this data was just sent: when its parts were last stored to, or no later than. False: the
  /// data was not watched until now, so that nobody knows; from now on it is.
  virtual bool produced(Range data, PartTimes& last_stores) = 0;

  /// Data has come here, by no store of the program: from now on first loads are looked for.
  virtual void arrived(Range data) = 0;

  /// The same without a message: it is of no interest when it is read.
  virtual void overwritten(Range data) = 0;

  // What MPI is about to touch, and when it is done with it; the kernel may do that for it, and must be able
  // to.
  virtual void lend(Range data) = 0;
  virtual void give_back(Range data) = 0;
  /// Nobody knows what.
  virtual void lend_all() = 0;
  virtual void give_back_all() = 0;

  /// The first loads of the parts since it arrived. False: it was not watched.
  virtual bool consumed(Range data, PartTimes& first_loads) = 0;

 protected:
  Watch() = default;
};

[[nodiscard]] inline std::uint64_t clock_ns() {
  timespec now{};
  ::clock_gettime(CLOCK_MONOTONIC, &now);
  return static_cast<std::uint64_t>(now.tv_sec) * 1'000'000'000 + static_cast<std::uint64_t>(now.tv_nsec);
}

}  // namespace stretto::memory

/// There in programs that the compiler wrappers have linked; null in others. Null when it is called and the
/// system gives no room for it.
extern "C" __attribute__((weak, visibility("default"))) stretto::memory::Watch* stretto_memory_watch();
