// SPDX-License-Identifier: BSD-3-Clause
// Reads the recorder's traces block by block. docs/formats.md has the format. It does not use MPI.
#pragma once

#include <cstdint>
#include <filesystem>
#include <fstream>
#include <functional>
#include <map>
#include <stdexcept>
#include <string>
#include <vector>

#include "record/trace_format.hpp"
#include "replay/trace_definitions.hpp"

namespace stretto::replay {

/// One line: `FILE: byte N: the error; its remedy`.
class TraceError : public std::invalid_argument {
 public:
  using std::invalid_argument::invalid_argument;
};

struct TracedCall {
  std::string name;
  std::string kind;
};

/// Records of one thread, in order, without definitions.
struct TracePiece {
  std::uint32_t thread = 0;
  std::vector<record::Record> records;
};

/// Where a block of a thread begins in time.
struct TraceBlock {
  std::uint32_t thread = 0;
  std::uint64_t first_ns = 0;
};

/// A communicator or window.
struct TracedContext {
  std::uint64_t key = 0;
  std::int32_t rank = 0;
  std::vector<std::int32_t> members;
  std::vector<std::int32_t> remote;
  bool window = false;
  bool several_programs = false;  ///< some members are of another program (MPI_Comm_spawn)

  /// Whether messages between members stand for a collective on it.
  [[nodiscard]] bool is_expanded() const { return remote.empty() && !several_programs; }
};

class TraceReader {
 public:
  /// Reads the header. Throws TraceError.
  explicit TraceReader(const std::filesystem::path& file);

  [[nodiscard]] std::uint32_t rank() const { return header_.rank; }
  [[nodiscard]] std::uint32_t ranks() const { return header_.ranks; }
  /// Whether the recording ended with MPI_Finalize.
  [[nodiscard]] bool complete() const { return complete_; }
  [[nodiscard]] const TracedCall& call(std::uint16_t number) const {
    return calls_[number - record::first_call];
  }
  [[nodiscard]] const std::vector<TracedCall>& calls() const { return calls_; }
  /// What the records read so far refer to.
  [[nodiscard]] const TraceDefinitions& definitions() const { return definitions_; }
  /// The largest number of records that fit into the file.
  [[nodiscard]] std::uint64_t max_records() const { return end_ / sizeof(record::Record); }
  /// The context of that number; null: not defined so far.
  [[nodiscard]] const TracedContext* context(std::uint16_t number) const;

  /// Passes each record with its thread to `use`, in the order of blocks; records of one thread are in
  /// order. Definitions are stored. Throws TraceError.
  void for_each(const std::function<void(std::uint32_t, const record::Record&)>& use);

  /// Reads the next records, of one block, `most` at most; false: there are no more. Definitions are stored.
  /// `rewind` begins again. Throws TraceError.
  bool next(TracePiece& piece, std::size_t most);
  void rewind();
  /// The number of the block that `next` has read last, from 0.
  [[nodiscard]] std::size_t block_number() const { return block_number_; }
  /// The headers of all blocks. Throws TraceError.
  [[nodiscard]] std::vector<TraceBlock> blocks();
  /// Closes the file until it is read again: of many files only some can be open.
  void close() { file_.close(); }

 private:
  void read_at(std::uint64_t offset, void* data, std::size_t bytes);
  /// Reads the header at `at`; false: the blocks end before.
  bool read_header(std::uint64_t at, record::BlockHeader& block);
  /// Takes the definitions out of records of the block. Returns how many records it could take.
  std::size_t take(std::vector<record::Record>& records, bool to_the_end);
  bool is_index(std::uint64_t at);
  void read_calls(const std::string& text);
  std::size_t define(const std::vector<record::Record>& records, std::size_t index, std::uint64_t offset);
  void define_context(const record::Record& record, const std::vector<record::RankRun>& runs,
                      std::uint64_t offset);
  [[noreturn]] void refuse(std::uint64_t offset, const std::string& what) const;

  std::filesystem::path path_;
  std::ifstream file_;
  std::uint64_t end_ = 0;  // end of the blocks
  bool complete_ = false;
  record::TraceHeader header_;
  // Of the block that `next` reads.
  std::uint64_t next_block_ = 0;
  std::size_t block_number_ = 0;
  std::uint32_t thread_ = 0;
  std::uint64_t position_ = 0;
  std::size_t left_ = 0;  // records
  std::vector<TracedCall> calls_;
  TraceDefinitions definitions_;
  std::map<std::uint16_t, TracedContext> contexts_;
};

/// The trace files of a directory, by rank. Throws TraceError unless there is one per rank.
[[nodiscard]] std::vector<std::filesystem::path> trace_files(const std::filesystem::path& directory);

}  // namespace stretto::replay
