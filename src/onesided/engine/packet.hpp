// SPDX-License-Identifier: BSD-3-Clause
// One request of the message path as bytes: a header, then runs of equal blocks that lie a stride apart. The
// data of an eager packet follows each run; that of a get or a rendezvous is detached: it moves in messages
// of its own. Knows no MPI, and no memory but the buffer.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <stretto/element.hpp>

#include "onesided/path/layout.hpp"

namespace stretto::onesided {

/// `rendezvous`: the RTS (request to send) of a put of one block. Its data segments are sent from where
/// they are and received where they belong.
/// `update`: an atomic without a reply. `call`: an active message; `atomic.region` is its function's number.
enum class PacketKind : std::uint32_t { put, rendezvous, get, accumulate, atomic, update, call, fence };

/// Whether the packet itself carries the data of its blocks.
[[nodiscard]] constexpr bool carries_data(PacketKind kind) {
  return kind == PacketKind::put || kind == PacketKind::accumulate || kind == PacketKind::call;
}

[[nodiscard]] constexpr bool is_replied_to(PacketKind kind) {
  return kind == PacketKind::get || kind == PacketKind::atomic || kind == PacketKind::fence;
}

inline constexpr std::uint32_t no_region = 0xFFFFFFFF;

/// The flag of a put: `value` is added to it, or stored in it, after all of the put's data.
struct PacketFlag {
  std::uint32_t region = no_region;
  std::uint16_t add = 0;
  std::uint16_t size_bytes = sizeof(std::uint64_t);  // or the size of an int
  std::uint64_t offset = 0;
  std::uint64_t value = 0;
};

/// The one operation of an atomic or update packet.
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
  std::uint32_t first_number = 0;    // of the first reply, or of the first rendezvous segment
  std::uint32_t detached_bytes = 0;  // that a get requests, or that follow an RTS
  std::uint32_t segment_bytes = 0;   // detached data of one block moves in segments of this size
  std::uint32_t continues = 0;       // 1: the packet belongs to the same operation as the one before
  std::uint32_t unused = 0;
  Scale scale{};  // of an accumulate
  PacketFlag flag{};
  PacketAtomic atomic{};
};

/// What a target has at present to serve the requests of one source.
struct ServiceState {
  bool has_reply_buffer = true;
  bool has_budget = true;        // bytes that the progress thread may still move in this poll
  int outstanding_segments = 0;  // rendezvous segments of the source that were not received yet
  int waiting_calls = 0;         // active messages of the source that are not handled
};

/// Whether a request has to wait. It waits for a reply buffer, and for the next poll where the progress
/// thread has used up its byte budget. It also waits for rendezvous segments of earlier operations, which it
/// must not overtake.
[[nodiscard]] constexpr bool must_wait(const PacketHeader& header, const ServiceState& state) {
  if (is_replied_to(header.kind) && !(state.has_reply_buffer && state.has_budget)) return true;
  if (header.kind == PacketKind::fence && state.waiting_calls > 0) return true;
  // The flag of a put comes after all its data; serve_rendezvous() sees to that of an RTS.
  const bool flagged = header.flag.region != no_region && header.kind != PacketKind::rendezvous;
  return (header.continues == 0 || flagged) && state.outstanding_segments > 0;
}

/// The number of the segment that begins with byte `done` of a block.
[[nodiscard]] inline std::uint32_t number_at(const PacketHeader& header, std::size_t done) {
  return header.first_number + static_cast<std::uint32_t>(done / header.segment_bytes);
}

/// The tags of the reply, and of the rendezvous segment, with a number. Every MPI has tags up to 32767.
[[nodiscard]] constexpr int reply_tag(std::uint32_t number) { return static_cast<int>(number % 0x4000); }
[[nodiscard]] constexpr int data_tag(std::uint32_t number) { return 0x4000 + reply_tag(number); }

/// Blocks of `size_bytes`, `count` of them, `stride` apart. With a count of 0, `offset` is the region of the
/// runs that follow.
struct PacketRun {
  std::uint64_t offset = 0;
  std::uint64_t stride = 0;
  std::uint32_t size_bytes = 0;
  std::uint32_t count = 0;
};

/// Fills a buffer. Without a buffer it only counts; the same amount fits.
class PacketWriter {
 public:
  /// At most `detached_limit` bytes are requested by a get, or follow an RTS.
  PacketWriter(std::byte* buffer, std::size_t capacity, PacketKind kind, std::size_t detached_limit);

  /// Takes as much of the piece as fits; what it cuts is a multiple of `granule` bytes. Returns the bytes
  /// taken: fewer than all when the packet is full.
  std::size_t add(const Piece& piece, std::size_t granule);

  [[nodiscard]] bool is_empty() const { return run_.count == 0; }
  [[nodiscard]] std::size_t detached_bytes() const { return detached_bytes_; }
  [[nodiscard]] bool carries_data() const { return onesided::carries_data(kind_); }
  /// Of the packet itself.
  [[nodiscard]] std::size_t data_bytes() const { return data_bytes_; }
  /// Copies what `other`, of the same capacity and kind, holds, and continues from there.
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
  std::size_t detached_limit_;
  std::size_t detached_bytes_ = 0;
  std::size_t data_bytes_ = 0;
  std::size_t used_ = sizeof(PacketHeader);
  std::uint32_t region_ = no_region;
  PacketRun run_;              // the last one, written where the next begins, or at the end
  std::size_t run_place_ = 0;  // of the run in the buffer
};

[[nodiscard]] PacketHeader read_header(const std::byte* packet);

/// Calls `visit(region, run, data)` for every run. `data` is that of its first block, and the others'
/// follows; nullptr where the data is detached.
template <typename Visit>
void for_each_run(std::span<const std::byte> packet, Visit&& visit) {
  const bool with_data = carries_data(read_header(packet.data()).kind);
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

}  // namespace stretto::onesided
