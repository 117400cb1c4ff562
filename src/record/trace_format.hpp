// SPDX-License-Identifier: BSD-3-Clause
// The layout of a trace file (docs/formats.md), which the recorder and the replay share. It is
// little-endian, like the supported machines.
#pragma once

#include <bit>
#include <cstdint>

namespace stretto::record {

static_assert(std::endian::native == std::endian::little, "a trace is written as it lies in memory");

inline constexpr std::uint64_t trace_magic = 0x6563617274727473;    // "strtrace"
inline constexpr std::uint64_t trailer_magic = 0x72656C6961727473;  // "strailer"
inline constexpr std::uint32_t block_magic = 0x6B6C6273;            // "sblk"
inline constexpr std::uint16_t trace_major = 1;
inline constexpr std::uint16_t trace_minor = 9;
inline constexpr std::uint16_t packed_major = 2;  ///< the same records, packed (record_packer.hpp)
inline constexpr std::uint16_t packed_minor = 1;
/// Packed, and only the newest blocks of a run are there: what the recorder writes under a limit of size,
/// until an ordinary trace is cut out of it.
inline constexpr std::uint16_t limited_major = 3;
inline constexpr std::uint16_t limited_minor = 0;
inline constexpr std::uint16_t dropped_minor = 1;                ///< of one that lacks its oldest blocks
inline constexpr std::uint32_t definitions_thread = 0xFFFFFFFF;  ///< of blocks that such a file always keeps
inline constexpr std::uint64_t trace_page_bytes = 4096;          ///< alignment and unit of size of blocks
constexpr std::uint64_t whole_pages(std::uint64_t bytes) {
  return (bytes + trace_page_bytes - 1) / trace_page_bytes * trace_page_bytes;
}

/// Header of a file. JSON text of `text_bytes` follows: the origin of the trace, and its calls.
struct TraceHeader {
  std::uint64_t magic = trace_magic;
  std::uint16_t major = trace_major;
  std::uint16_t minor = trace_minor;
  std::uint32_t header_bytes = 0;  ///< offset of the first block
  std::uint32_t rank = 0;
  std::uint32_t ranks = 0;
  std::uint64_t epoch_ns = 0;  ///< this host's monotonic clock at time zero of the trace
  std::int64_t clock_offset_ns = 0;
  std::uint64_t clock_error_ns = 0;
  std::uint32_t text_bytes = 0;
  std::uint32_t record_bytes = 48;
};
static_assert(sizeof(TraceHeader) == 56);

/// Header of a block. `used_bytes` is always current, so that a trace is readable after a crash.
struct BlockHeader {
  std::uint32_t magic = block_magic;
  std::uint32_t thread = 0;
  std::uint64_t block_bytes = 0;  ///< size including this header
  std::uint64_t used_bytes = 0;   ///< size of the records that follow
  std::uint64_t first_ns = 0;
  /// In the last block of a thread: the begin and number of the MPI call that the thread is in, as in a
  /// record; 0: none. It says where a process died.
  std::uint64_t inside = 0;
  /// The time for which the thread has waited for a core, of the time since its first block. The thread
  /// states both when it begins a block, and the thread that ends the trace also at that end. 0 of 0: not
  /// known.
  std::uint32_t waited_ms = 0;
  std::uint32_t of_ms = 0;
};
static_assert(sizeof(BlockHeader) == 48);

/// `used_bytes` of a packed block holds three numbers, so that one store changes them together.
struct PackedUse {
  std::uint64_t bytes = 0;    ///< of packed records
  std::uint64_t records = 0;  ///< that are packed, without definitions
  std::uint64_t polls = 0;    ///< records behind the header, which come last and are not packed yet
};
inline constexpr std::uint64_t one_packed_record = std::uint64_t{1} << 32U;
inline constexpr std::uint64_t one_open_poll = std::uint64_t{1} << 60U;
inline constexpr std::uint64_t max_open_polls = 4;
constexpr PackedUse packed_use(std::uint64_t used_bytes) {
  return {.bytes = used_bytes % one_packed_record,
          .records = used_bytes % one_open_poll / one_packed_record,
          .polls = used_bytes / one_open_poll};
}

/// One event. Its call determines which members are used.
struct Record {
  std::uint64_t begin_and_call = 0;     ///< 48 bits: ns since the start of the trace; 16 bits: call
  std::uint64_t duration_and_site = 0;  ///< 48 bits: ns; 16 bits: call site
  std::uint64_t bytes_and_context = 0;  ///< 48 bits: bytes; 16 bits: communicator or window
  std::int32_t peer = 0;
  std::int32_t tag = 0;
  std::uint32_t request = 0;
  std::uint32_t count = 0;
  std::uint64_t extra = 0;
};
static_assert(sizeof(Record) == 48);

/// The header of a packed block and the open polls behind it.
inline constexpr std::uint64_t packed_header_bytes = sizeof(BlockHeader) + max_open_polls * sizeof(Record);
inline constexpr std::uint64_t max_packed_block_bytes = std::uint64_t{1} << 18U;  ///< that writers choose

inline constexpr unsigned field_bits = 48;
inline constexpr std::uint64_t field_mask = (std::uint64_t{1} << field_bits) - 1;
constexpr std::uint64_t pack_field(std::uint64_t low, std::uint64_t high) {
  return (low < field_mask ? low : field_mask) | high << field_bits;
}
constexpr std::uint64_t low_field(std::uint64_t packed) { return packed & field_mask; }
constexpr std::uint16_t high_field(std::uint64_t packed) {
  return static_cast<std::uint16_t>(packed >> field_bits);
}

constexpr std::uint64_t begin_ns(const Record& record) { return low_field(record.begin_and_call); }
constexpr std::uint64_t end_ns(const Record& record) {
  return begin_ns(record) + low_field(record.duration_and_site);
}

/// Special record types. MPI calls are numbered from first_call on.
enum Special : std::uint16_t {
  definition = 1,
  completion = 2,
  receive_half = 3,
  started = 4,
  produced = 5,  ///< the last store to a part of a message before it was sent
  consumed = 6,  ///< the first load from a part of a message after it arrived
  region = 7,    ///< work after a call in which data arrived: independent of the data, and dependent on it
  first_call = 16
};
/// Flags in `count` of a completion record.
enum Completed : std::uint32_t { nothing_more = 0, has_source = 1, cancelled = 2 };
/// What a region record sums up, in its `count`. Those about accesses have no work, and their number in
/// `extra`.
enum Summed : std::uint32_t {
  work_after = 0,
  work_before = 1,
  first_accesses = 2,  ///< to what arrived, by the program's code
  last_stores = 3,     ///< to what was sent
  in_flight = 4        ///< accesses that MPI forbids
};
/// The kind of a definition, in its `request`. `peer` is the number that is defined, `bytes` the size of
/// the payload.
enum Defined : std::uint32_t {
  module = 1,
  site = 2,
  communicator = 3,
  window = 4,
  callers = 5,
  variable = 6,
  build_id = 7,
  peer_bytes = 8,  ///< of a collective with counts, the bytes exchanged with each rank
  group = 9        ///< the partners of MPI_Win_start or MPI_Win_post
};
/// A definition; its further members are of its kind.
[[nodiscard]] inline Record definition_of(Defined what, std::int32_t number) {
  Record record;
  record.begin_and_call = pack_field(0, definition);
  record.request = what;
  record.peer = number;
  return record;
}
/// How a variable is known, in the `count` of its definition.
enum Known : std::uint32_t { by_symbol = 1, by_allocation = 2, on_a_stack = 3 };

inline constexpr std::int32_t any_peer = -1;
inline constexpr std::int32_t no_peer = -2;
inline constexpr std::int32_t any_tag = -1;
inline constexpr std::uint16_t no_context = 0xFFFF;

/// One caller of a call site, the nearest first: a return address relative to the module's file.
struct Caller {
  std::uint64_t module = 0;
  std::uint64_t address = 0;
};

/// What a collective with counts sends to one rank of its communicator, or receives from it.
struct PeerBytes {
  std::uint64_t peer = 0;
  std::uint64_t bytes = 0;
};
static_assert(sizeof(PeerBytes) == 16);

/// Members of a communicator: `count` world ranks, starting at `first`, with distance `stride`.
struct RankRun {
  std::int32_t first = 0;
  std::int32_t stride = 1;
  std::uint32_t count = 0;
};
static_assert(sizeof(RankRun) == 12);

/// In a limited file, the index is in the order in which blocks were begun. Its first entry has offset 0, and
/// in `first_ns` the time from which on no call is missing; 0: none is.
struct BlockIndex {
  std::uint64_t offset = 0;
  std::uint64_t first_ns = 0;
  std::uint32_t records = 0;
  std::uint32_t thread = 0;
};

/// Trailer of a complete file, after one BlockIndex for each block.
struct TraceTrailer {
  std::uint64_t records = 0;
  std::uint64_t blocks = 0;
  std::uint64_t index_offset = 0;
  std::uint64_t end_ns = 0;
  std::uint64_t lost = 0;  ///< records that did not fit on disk
  std::uint64_t magic = trailer_magic;
};
static_assert(sizeof(BlockIndex) == 24 && sizeof(TraceTrailer) == 48);

}  // namespace stretto::record
