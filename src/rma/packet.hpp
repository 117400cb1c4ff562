// SPDX-License-Identifier: BSD-3-Clause
// One request of the message path as bytes: a header, then runs of equal blocks that lie a stride apart, each
// with its data behind it (a get's have none). Knows no MPI, and no memory but the buffer.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <stretto/atomic.hpp>
#include <stretto/element.hpp>

#include "rma/layout.hpp"

namespace stretto::rma {

enum class PacketKind : std::uint32_t { put, get, accumulate, atomic, fence };

inline constexpr std::uint32_t no_region = 0xFFFFFFFF;

/// What is done when all of the packet is: `value` is added to, or stored in, the flag.
struct PacketFlag {
  std::uint32_t region = no_region;
  std::uint16_t add = 0;
  std::uint16_t size_bytes = sizeof(std::uint64_t);  // or of an int
  std::uint64_t offset = 0;
  std::uint64_t value = 0;
};

/// The one operation of an atomic packet.
struct PacketAtomic {
  std::uint32_t region = no_region;
  stretto::detail::AtomicOperation operation{};
  std::uint64_t offset = 0;
  std::uint64_t operand = 0;
  std::uint64_t expected = 0;
  std::uint32_t size_bytes = 0;
  std::uint32_t unused = 0;
};

struct PacketHeader {
  std::uint64_t sequence = 0;  // counts the packets from this origin to this target
  PacketKind kind{};
  std::int32_t reply_tag = -1;    // -1: there is no reply
  std::uint32_t reply_bytes = 0;  // of a get
  std::uint32_t unused = 0;
  Scale scale{};  // of an accumulate
  PacketFlag flag{};
  PacketAtomic atomic{};
};

/// Blocks of `size_bytes`, `count` of them, `stride` apart. With a count of 0, `offset` is the region of the
/// runs that follow.
struct PacketRun {
  std::uint64_t offset = 0;
  std::uint64_t stride = 0;
  std::uint32_t size_bytes = 0;
  std::uint32_t count = 0;
};

/// Fills a buffer. Without a buffer it only counts: what fits is the same.
class PacketWriter {
 public:
  /// At most `reply_limit` bytes are asked for by a get.
  PacketWriter(std::byte* buffer, std::size_t capacity, PacketKind kind, std::size_t reply_limit);

  /// Takes as much of the piece as fits, a multiple of `granule` bytes. Returns how much: less than all
  /// when the packet is full.
  std::size_t add(const Piece& piece, std::size_t granule);

  [[nodiscard]] bool is_empty() const { return run_.count == 0; }
  [[nodiscard]] std::size_t reply_bytes() const { return reply_bytes_; }
  /// Goes on where `other`, of the same capacity and kind, has come: what it holds is copied.
  void continue_from(const PacketWriter& other);
  /// Writes the header in front. Returns the length of the packet.
  std::size_t finish(PacketHeader header);

 private:
  [[nodiscard]] bool extends_run(const Piece& piece) const;
  /// Takes all of a piece that fits the run that is being written; false where it does not.
  bool add_to_run(const Piece& piece);
  void begin_run(const PacketRun& run);
  void append(const Piece& piece, std::size_t size_bytes);
  void write_run();

  std::byte* buffer_;
  std::size_t capacity_;
  PacketKind kind_;
  std::size_t reply_limit_;
  std::size_t reply_bytes_ = 0;
  std::size_t used_ = sizeof(PacketHeader);
  std::uint32_t region_ = no_region;
  PacketRun run_;              // the last one, written where the next begins, or at the end
  std::size_t run_place_ = 0;  // of its header in the buffer
};

[[nodiscard]] PacketHeader read_header(const std::byte* packet);

/// Calls `visit(region, run, data)` for every run; `data` is that of its first block, the others' follow, and
/// nullptr in a get.
template <typename Visit>
void for_each_run(std::span<const std::byte> packet, Visit&& visit) {
  const bool with_data = read_header(packet.data()).kind != PacketKind::get;
  std::uint32_t region = no_region;
  std::size_t place = sizeof(PacketHeader);
  while (place < packet.size()) {
    PacketRun run;
    std::memcpy(&run, packet.data() + place, sizeof run);
    place += sizeof run;
    if (run.count == 0) {
      region = static_cast<std::uint32_t>(run.offset);
      continue;
    }
    visit(region, run, with_data ? packet.data() + place : nullptr);
    if (with_data) place += std::size_t{run.size_bytes} * run.count;
  }
}

}  // namespace stretto::rma
