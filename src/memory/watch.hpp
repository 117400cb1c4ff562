// SPDX-License-Identifier: BSD-3-Clause
// What the recorder asks of the accesses to messages' data: the last store before a send, the first load
// after a receive. Two implementations: by granules of eight bytes in recompiled programs (shadow.hpp), by
// pages in unmodified ones (pages.hpp). Knows no MPI.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <ctime>
#include <string>
#include <vector>

namespace stretto::memory {

/// Number of parts of a message; part i begins at byte `bytes * i / parts`.
inline constexpr std::size_t parts = 8;

/// Of a value that was stored for the last time, more copies in a row are not followed.
inline constexpr std::size_t max_copies = 4;

/// Times in ns of this host's monotonic clock.
struct Interval {
  std::uint64_t from_ns = 0;
  std::uint64_t until_ns = 0;
};

/// Times of the parts of a message in ns of this host's monotonic clock; 0: none. The last store to a part,
/// and the earliest of the last stores to its bytes; or the first load, and the latest of the first loads of
/// its bytes. `reordered_ns`: when the first or last access would be if the computation between two calls
/// were done in the order of the arrivals that it depends on; 0: not known.
struct PartTimes {
  std::array<std::uint64_t, parts> ns{};
  std::array<std::uint64_t, parts> other_end_ns{};
  std::array<std::uint64_t, parts> reordered_ns{};
  /// Of a message that was sent: when its data was copied to where it was sent from. Unused ones are empty.
  std::array<Interval, max_copies> copies{};
  /// Of a message that was sent: where in the program's code its data was last stored to; 0: not known.
  std::uintptr_t place = 0;
};

/// Computation by where the program stores its results, and by the newest arrival that the results depend on.
struct Work {
  std::uintptr_t place = 0;  ///< an address in the program's code; 0: not known
  std::uint32_t epoch = 0;   ///< the number of the arrival; 0: no arrival of the last ones
  std::uint64_t ticks = 0;
  Interval interval;  ///< from the first sample at this place to the last one
};

struct Range {
  std::uintptr_t begin = 0;
  std::size_t bytes = 0;

  [[nodiscard]] std::uintptr_t end() const { return begin + bytes; }
};

/// The memory of a message: blocks in the order of the message's bytes.
class Data {
 public:
  Data() = default;
  Data(Range block) : bytes_(block.bytes) {  // NOLINT(google-explicit-constructor): the usual data
    if (block.bytes > 0) blocks_.push_back(block);
  }
  /// Adjacent blocks become one.
  void add(Range block) {
    if (block.bytes == 0) return;
    bytes_ += block.bytes;
    if (!blocks_.empty() && blocks_.back().end() == block.begin) {
      blocks_.back().bytes += block.bytes;
    } else {
      blocks_.push_back(block);
    }
  }

  [[nodiscard]] std::size_t bytes() const { return bytes_; }
  [[nodiscard]] const std::vector<Range>& blocks() const { return blocks_; }
  /// `bytes` of it from byte `offset` on, or fewer at its end.
  [[nodiscard]] Data slice(std::size_t offset, std::size_t bytes) const {
    Data some;
    for (const Range& block : blocks_) {
      if (bytes == 0) break;
      const std::size_t skipped = offset < block.bytes ? offset : block.bytes;
      const std::size_t left = block.bytes - skipped;
      const std::size_t taken = bytes < left ? bytes : left;
      some.add({block.begin + skipped, taken});
      offset -= skipped;
      bytes -= taken;
    }
    return some;
  }
  /// In a message of fewer bytes than parts, a part without bytes of its own is the byte at which it would
  /// begin.
  [[nodiscard]] Data part(std::size_t index) const {
    const std::size_t from = bytes_ * index / parts;
    const std::size_t until = bytes_ * (index + 1) / parts;
    return slice(from, until > from ? until - from : 1);
  }

 private:
  std::size_t bytes_ = 0;
  std::vector<Range> blocks_;
};

enum class Direction : std::uint8_t { sent, received };

/// Accesses of the program, from one place of its code, to data of messages that were in flight.
struct Touch {
  std::uint16_t site = 0;  ///< of the calls that started them
  std::uintptr_t place = 0;
  std::uint64_t count = 0;
};

class Watch {
 public:
  virtual ~Watch() = default;
  Watch(const Watch&) = delete;
  Watch& operator=(const Watch&) = delete;

  /// A message of this data was just sent: the times of the last stores to its parts, or upper bounds. False
  /// where the data was not watched until now; from now on it is.
  virtual bool produced(const Data& data, PartTimes& last_stores) = 0;

  /// A message arrived here, not by stores of the program: from now on first loads are recorded. Returns the
  /// number of the arrival, which is the same for all data that arrives in one call; 0: it is not followed.
  virtual std::uint32_t arrived(const Data& data) = 0;

  /// The same for a message of this process to itself. No network brought it: it depends on what arrived
  /// before this call, at most. The number is that of the arrival before.
  virtual std::uint32_t arrived_from_itself(const Data& data) { return arrived(data); }

  /// The same for data that did not arrive as a message: its first loads are not recorded.
  virtual std::uint32_t overwritten(const Data& data) = 0;

  /// Data arrived, and nobody knows where: all later computation counts as depending on it. The arrival's
  /// number, as above.
  virtual std::uint32_t arrived_somewhere() { return 0; }

  /// Where the program first accessed the data of an arrival; 0: not yet, or not known. Kept for 127 later
  /// ones.
  [[nodiscard]] virtual std::uintptr_t first_access(std::uint32_t) const { return 0; }

  // Messages in flight: what MPI reads or writes between the call that starts an operation and the one that
  // completes it. The program may load what it sends, and not touch what it receives.
  virtual void takes_off(std::uint32_t, std::uint16_t, const Data&, Direction) {}
  virtual void lands(std::uint32_t) {}
  [[nodiscard]] virtual std::vector<Touch> touches() const { return {}; }

  /// MPI has read this data, which was sent, and the program may store there again. Stores that come after
  /// the present call may not come before it.
  virtual void returned(const Data&) {}

  // The thread's computation. It enters an MPI call; it computes again.
  virtual void call_begins() {}
  virtual void call_ends() {}
  /// The computation of this thread between its last two calls, and the duration of a tick in ns.
  [[nodiscard]] virtual const std::vector<Work>& work() const;
  [[nodiscard]] virtual double ns_of_a_tick() const { return 0; }

  /// Which data was not watched, and why, for people; empty: all was.
  [[nodiscard]] virtual std::string limits() const { return {}; }

  // Memory that MPI, or the kernel for it, is about to access, and the end of that access.
  virtual void unprotect(Range data) = 0;
  virtual void reprotect(Range data) = 0;
  /// Unprotects everything, because the memory is unknown.
  virtual void unprotect_all() = 0;
  virtual void reprotect_all() = 0;

  /// Gets the first loads of the parts since the message arrived, with arrival `epoch`. False where it was
  /// not watched.
  virtual bool consumed(const Data& data, std::uint32_t epoch, PartTimes& first_loads) = 0;

 protected:
  Watch() = default;
};

inline const std::vector<Work>& Watch::work() const {
  static const std::vector<Work> none;
  return none;
}

/// A block of memory that the program has allocated, and an address in its code at which it did.
struct Allocation {
  Range block;
  std::uintptr_t place = 0;
};

[[nodiscard]] inline std::uint64_t clock_ns(clockid_t clock = CLOCK_MONOTONIC) {
  timespec now{};
  ::clock_gettime(clock, &now);
  return static_cast<std::uint64_t>(now.tv_sec) * 1'000'000'000 + static_cast<std::uint64_t>(now.tv_nsec);
}

}  // namespace stretto::memory

/// Exists in programs that the compiler wrappers have linked; a null address in others. Returns null where
/// the system has no space for its table.
extern "C" __attribute__((weak, visibility("default"))) stretto::memory::Watch* stretto_memory_watch();

/// Exists as the function above. The allocation of at least 256 bytes that contains the address. False where
/// none is known.
extern "C" __attribute__((weak, visibility("default"))) bool stretto_memory_allocation(
    std::uintptr_t address, stretto::memory::Allocation* found);
