// SPDX-License-Identifier: BSD-3-Clause
// Reads the recorder's traces: records, with what they refer to. docs/formats.md has the format. It does not
// use MPI.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "record/trace_format.hpp"
#include "replay/ordered_records.hpp"
#include "replay/trace_blocks.hpp"
#include "replay/trace_definitions.hpp"

namespace stretto::replay {

struct TracedCall {
  std::string name;
  std::string kind;
};

/// A communicator or window.
struct TracedContext {
  std::uint64_t key = 0;
  std::int32_t rank = 0;
  std::vector<std::int32_t> members;
  std::vector<std::int32_t> remote;
  bool window = false;
  bool several_programs = false;  ///< some members are of another program (MPI_Comm_spawn)

  /// The rank of the world of a rank in a status; no_peer where there is none.
  [[nodiscard]] std::int32_t world(std::int32_t peer) const {
    const std::vector<std::int32_t>& peers = remote.empty() ? members : remote;
    const bool is_known = peer >= 0 && static_cast<std::size_t>(peer) < peers.size();
    return is_known ? peers[static_cast<std::size_t>(peer)] : record::no_peer;
  }
  /// Whether messages between members stand for a collective on it.
  [[nodiscard]] bool is_expanded() const { return remote.empty() && !several_programs; }
};

class TraceReader {
 public:
  /// Reads the header. Throws TraceError.
  explicit TraceReader(const std::filesystem::path& file, Limited limited = Limited::is_refused);

  [[nodiscard]] std::uint32_t rank() const { return blocks_.header().rank; }
  [[nodiscard]] std::uint32_t ranks() const { return blocks_.header().ranks; }
  /// The clock of rank 0's host at time zero of the trace: the same in all files of a run.
  [[nodiscard]] std::uint64_t begin_ns() const {
    const record::TraceHeader& header = blocks_.header();
    return header.epoch_ns - static_cast<std::uint64_t>(header.clock_offset_ns);
  }
  /// Throws TraceError where this is not the begin in the file of rank 0.
  void refuse_other_run(std::uint64_t begin_ns) const;
  /// By how much its times may differ from those of rank 0's host; 0: both have one clock.
  [[nodiscard]] std::uint64_t clock_error_ns() const { return blocks_.header().clock_error_ns; }
  /// Whether the recording ended before MPI_Finalize, or its last records had no space.
  [[nodiscard]] bool ends_early() const { return !blocks_.complete() || blocks_.trailer().lost > 0; }
  [[nodiscard]] const TracedCall& call(std::uint16_t number) const {
    return calls_[number - record::first_call];
  }
  [[nodiscard]] const std::vector<TracedCall>& calls() const { return calls_; }
  /// The first line of what MPI_Get_library_version says; empty: the trace does not say it.
  [[nodiscard]] const std::string& library() const { return library_; }
  [[nodiscard]] const TraceBlocks& file() const { return blocks_; }
  [[nodiscard]] std::string text() { return blocks_.text(); }
  /// What the records read so far refer to.
  [[nodiscard]] const TraceDefinitions& definitions() const { return definitions_; }
  /// The largest number of records that fit into the file.
  [[nodiscard]] std::uint64_t max_records() const { return blocks_.max_records(); }
  /// The context of that number; null: not defined so far.
  [[nodiscard]] const TracedContext* context(std::uint16_t number) const;
  /// Whether more communicators and windows existed at once than there are numbers: calls on some have none.
  [[nodiscard]] bool lacks_numbers() const { return lacks_numbers_; }

  /// Passes each record with its thread to `use`, in the order in which calls begin. Definitions are stored.
  /// Throws TraceError.
  void for_each(const std::function<void(std::uint32_t, const record::Record&)>& use);

  /// Reads the next records, of one thread, `most` at most; false: there are no more. Definitions are stored;
  /// communicators are those that the records refer to, whose numbers may be defined again behind them.
  /// `rewind` begins again. Throws TraceError.
  bool next(TracePiece& piece, std::size_t most);
  void rewind() {
    records_.rewind();
    rest_.clear();
    rest_at_ = 0;
  }
  /// Whether several threads made the records: one may use what another defines later. Throws TraceError.
  [[nodiscard]] bool has_several_threads() { return records_.has_several_threads(); }
  /// Closes the file until it is read again: of many files only some can be open.
  void close() { blocks_.close(); }

 private:
  /// Takes the definitions out of the records, the first of which is number `first` of those that were read.
  void take(std::vector<record::Record>& records, std::size_t first);
  void read_names(const std::string& text);
  std::size_t define(const std::vector<record::Record>& records, std::size_t index, std::size_t first);
  void define_context(const record::Record& record, const std::vector<record::RankRun>& runs,
                      std::uint64_t offset);

  TraceBlocks blocks_;
  OrderedRecords records_;  // of these
  std::vector<TracedCall> calls_;
  std::string library_;
  TraceDefinitions definitions_;
  std::map<std::uint16_t, TracedContext> contexts_;
  std::vector<record::Record> rest_;  // of the records that were read at once, from the next communicator on
  std::size_t rest_at_ = 0;
  std::size_t before_rest_ = 0;  // so many of them are not in it
  bool lacks_numbers_ = false;
};

/// The names of the trace files in a directory, by rank.
[[nodiscard]] std::vector<std::string> trace_names(const std::filesystem::path& directory);

/// The trace files of these names. Throws TraceError unless there is one for each of `ranks` ranks.
[[nodiscard]] std::vector<std::filesystem::path> trace_files(const std::filesystem::path& directory,
                                                             const std::vector<std::string>& names,
                                                             std::uint32_t ranks);

/// The trace files of a directory, by rank. Throws TraceError unless there is one per rank.
[[nodiscard]] std::vector<std::filesystem::path> trace_files(const std::filesystem::path& directory,
                                                             Limited limited = Limited::is_refused);

}  // namespace stretto::replay
