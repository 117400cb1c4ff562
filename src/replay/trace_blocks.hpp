// SPDX-License-Identifier: BSD-3-Clause
// Reads the blocks of a trace, packed or not, without regard to what their records mean. It does not use MPI.
#pragma once

#include <cstdint>
#include <filesystem>
#include <fstream>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

#include "record/record_unpacker.hpp"
#include "record/trace_format.hpp"

namespace stretto::replay {

/// One line: `FILE: byte N: the error; its remedy`.
class TraceError : public std::invalid_argument {
 public:
  using std::invalid_argument::invalid_argument;
};

/// As many records as are read at once, where nothing speaks for fewer.
inline constexpr std::size_t max_piece_records = std::size_t{1} << 16U;

/// Records of one thread, in order.
struct TracePiece {
  std::uint32_t thread = 0;
  std::vector<record::Record> records;
};

/// Where a block of a thread lies.
struct TraceBlock {
  std::uint32_t thread = 0;
  std::uint64_t offset = 0;
};

/// Whether a file of which only the newest blocks were kept is read, or refused: what its records refer to
/// may be missing, until an ordinary trace is cut out of it.
enum class Limited : std::uint8_t { is_refused, is_read };

/// The records that a definition takes with its payload.
[[nodiscard]] inline std::size_t records_of_definition(const record::Record& definition) {
  const std::uint64_t bytes = record::low_field(definition.bytes_and_context);
  return 1 + (bytes + sizeof definition - 1) / sizeof definition;
}

class TraceBlocks {
 public:
  /// Reads the header and the trailer. Throws TraceError.
  explicit TraceBlocks(const std::filesystem::path& file, Limited limited = Limited::is_refused);

  [[nodiscard]] const std::filesystem::path& path() const { return path_; }
  [[nodiscard]] const record::TraceHeader& header() const { return header_; }
  /// Reads the text of the header.
  [[nodiscard]] std::string text();
  [[nodiscard]] bool is_packed() const { return header_.major >= record::packed_major; }
  [[nodiscard]] bool is_limited() const { return header_.major == record::limited_major; }
  /// Whether a limited file lacks its oldest blocks.
  [[nodiscard]] bool has_dropped() const { return is_limited() && header_.minor >= record::dropped_minor; }
  /// From when on a limited file that is complete lacks no call.
  [[nodiscard]] std::uint64_t dropped_until_ns() const { return dropped_until_ns_; }
  /// Whether the recording ended with MPI_Finalize.
  [[nodiscard]] bool complete() const { return complete_; }
  /// As the file has it, if it is complete.
  [[nodiscard]] const record::TraceTrailer& trailer() const { return trailer_; }
  /// The largest number of records that fit into the file. A packed one takes a byte at least.
  [[nodiscard]] std::uint64_t max_records() const {
    return is_packed() ? end_ : end_ / sizeof(record::Record);
  }

  /// Reads the next records, of one block; false: there are no more. They are `most` at most, but a
  /// definition is whole, as in a block that is not packed. `rewind` begins again. Throws TraceError.
  bool next(TracePiece& piece, std::size_t most);
  void rewind();
  /// All blocks, in the order in which `next` reads them. Rewinds. Throws TraceError.
  [[nodiscard]] std::vector<TraceBlock> blocks();
  /// Reads these blocks alone, in this order. They share the open file.
  [[nodiscard]] TraceBlocks at(std::vector<std::uint64_t> offsets) const;
  /// The header of the block that `next` has read last.
  [[nodiscard]] const record::BlockHeader& block() const { return block_; }
  /// Where in the file a record of the last piece lies; of packed ones, where the piece begins.
  [[nodiscard]] std::uint64_t place_of(std::size_t index) const;
  /// Reads bytes of the file. Throws TraceError.
  void read_at(std::uint64_t offset, void* data, std::size_t bytes);
  /// Closes the file until it is read again: of many files only some can be open.
  void close() { file_->close(); }
  /// Throws a TraceError that names the file.
  [[noreturn]] void refuse(std::uint64_t offset, const std::string& what) const;

 private:
  /// Reads the header at `at`; false: the blocks end before, or the file was cut off within this one.
  bool read_header(std::uint64_t at, record::BlockHeader& block);
  /// Reads the index of a limited file, in which blocks are in no order.
  void read_index();
  bool is_index(std::uint64_t at);
  /// Begins with the next block; false: there is none.
  bool begin_block();
  /// Reads the header of the block behind the last one into `block_`; false: there is none.
  bool next_header();
  void read_records(std::vector<record::Record>& records, std::size_t most);
  void read_packed(std::vector<record::Record>& records, std::size_t most);
  /// Reads more of the packed block, `bytes` at most, behind what is not unpacked yet.
  void read_more(std::size_t bytes);
  /// How many of the records can be taken, so that no definition is cut.
  [[nodiscard]] std::size_t whole_definitions(const std::vector<record::Record>& records,
                                              bool to_the_end) const;

  std::filesystem::path path_;
  std::shared_ptr<std::ifstream> file_;
  std::uint64_t end_ = 0;  // end of the blocks
  bool complete_ = false;
  record::TraceHeader header_;
  record::TraceTrailer trailer_;
  std::optional<std::vector<std::uint64_t>> order_;  // of the blocks; none: as they follow one another
  std::uint64_t dropped_until_ns_ = 0;
  // Of the block that `next` reads.
  record::BlockHeader block_;
  std::uint64_t at_ = 0;  // where it begins
  std::uint64_t next_block_ = 0;
  std::size_t block_number_ = 0;  // from 0; before the first one, the largest number
  std::uint64_t position_ = 0;
  std::uint64_t first_ = 0;  // where the last piece begins
  std::size_t left_ = 0;     // records; of a packed block bytes, and not those in `packed_`
  std::size_t polls_ = 0;    // records of a packed block that are not packed, and come last
  std::uint64_t polls_at_ = 0;
  std::vector<std::byte> packed_;  // read, and not unpacked yet
  record::RecordUnpacker unpacker_;
};

}  // namespace stretto::replay
