// SPDX-License-Identifier: BSD-3-Clause
// The records of each thread. A thread appends to a block of its rank's file that it has mapped
// (trace_file.hpp). Taking a block needs a lock, appending none. Knows no MPI.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "record/record_packer.hpp"
#include "record/trace_format.hpp"
#include "trace/trace_file.hpp"

namespace stretto::trace {

/// The records of one thread, in the order of their end times.
class Stream {
 public:
  /// The file is open.
  Stream(TraceFile& file, std::uint32_t thread) : file_(file), thread_(thread) {
    if (file.is_packed()) packer_ = std::make_unique<record::RecordPacker>();
  }
  Stream(const Stream&) = delete;
  Stream& operator=(const Stream&) = delete;

  void append(const record::Record& record) {
    if (packer_ != nullptr) return pack(record);
    if (left_ < sizeof record) make_space(sizeof record, record::low_field(record.begin_and_call));
    put(&record, sizeof record);
    end_polls();
  }
  /// Appends the record of a call that found nothing complete. Where nothing but such calls went before for
  /// at most `poll_span_ns`, an equal one among them takes its duration instead. A loop of polls would
  /// otherwise fill the disk, and each would take as long to write as to make.
  void append_poll(const record::Record& poll);
  /// The thread ends, so that the place of its block may be taken. A record that follows begins another one.
  void leave();
  /// Whether the last records are polls, so that one more may be counted with them.
  [[nodiscard]] bool is_polling() const { return polls_ > 0; }
  /// Counts a poll without a time. False where none among the last records is equal.
  [[nodiscard]] bool count_poll(const record::Record& poll) { return count_poll(equal_poll(poll)); }
  /// The same for a call of which nothing else is recorded.
  [[nodiscard]] bool count_poll(std::uint16_t call, std::uint16_t site) {
    return count_poll(index_of_poll([call, site](const record::Record& one) {
      return record::high_field(one.begin_and_call) == call &&
             record::high_field(one.duration_and_site) == site;
    }));
  }
  /// Adds `ns` to the polls that were counted since the last time, in equal parts.
  void time_counted(std::uint64_t ns);
  /// States in the file which call the thread is in, as a record's begin and call; 0: none.
  void state_call(std::uint64_t begin_and_call) {
    if (block_.begin == nullptr) return;
    header()->inside = begin_and_call;
  }
  /// States in the file for how long the thread, which is the caller's, has waited for a core.
  void state_wait();
  /// Where in the file the next record would begin.
  [[nodiscard]] std::uint64_t position() const {
    return block_.begin == nullptr ? 0 : block_.offset + static_cast<std::uint64_t>(at_ - block_.begin);
  }
  /// Adds to the duration of the record that ends at `position`, if its block is still mapped. A packed
  /// record does not change.
  void lengthen(std::uint64_t position, std::uint64_t by_ns);
  /// Appends the record and `bytes` of payload, padded to whole records, all in one block.
  void append(record::Record record, const void* payload, std::size_t bytes);
  /// Whether a definition of this kind and number, which exists, has to be written again before a record
  /// that refers to it: a limited file drops it with its block, so each block has those that it needs.
  [[nodiscard]] bool lacks(record::Defined kind, std::uint32_t number) const;

  [[nodiscard]] std::uint64_t lost() const { return lost_; }
  [[nodiscard]] std::uint32_t thread() const { return thread_; }

 private:
  static constexpr std::uint64_t poll_span_ns = 20'000;
  static constexpr std::uint32_t max_polls = record::max_open_polls;

  [[nodiscard]] record::BlockHeader* header() const {
    return reinterpret_cast<record::BlockHeader*>(block_.begin);
  }
  /// The last records, if they are polls: behind the other records, or in a packed block behind its header,
  /// because a record that is packed does not change.
  [[nodiscard]] record::Record* polls() const {
    if (packer_ != nullptr) return reinterpret_cast<record::Record*>(header() + 1);
    return reinterpret_cast<record::Record*>(at_) - polls_;
  }
  /// The index of the first of the last polls for which `is_it()` holds; `polls_`: none.
  template <typename IsIt>
  [[nodiscard]] std::uint32_t index_of_poll(const IsIt& is_it) const {
    return static_cast<std::uint32_t>(std::find_if(polls(), polls() + polls_, is_it) - polls());
  }
  [[nodiscard]] std::uint32_t equal_poll(const record::Record& poll) const;
  bool count_poll(std::uint32_t index) {
    if (index == polls_) return false;
    ++polls()[index].extra;
    ++counted_[index];
    return true;
  }
  bool merge_poll(const record::Record& poll);
  /// Moves the begins of the polls after `index` so that none begins before the one before it ends.
  void separate(std::uint32_t index);
  void end_polls() {
    if (polls_ == 0) return;
    if (packer_ != nullptr) pack_polls();
    polls_ = 0;
    counted_ = {};
  }
  void pack(const record::Record& record);
  void pack_polls();
  void open_poll(const record::Record& poll);
  void pack_definition(const record::Record& definition, const void* payload);
  [[nodiscard]] bool is_of_block(const record::Record& definition) const;
  [[nodiscard]] bool has_space(std::size_t bytes, std::uint64_t first_ns);
  /// The packed records end at `end` now, and `use` is what the block's header says of them.
  void set_use(std::byte* end, std::uint64_t use);
  void make_space(std::size_t bytes, std::uint64_t first_ns);
  void put(const void* data, std::size_t bytes);

  TraceFile& file_;
  std::unique_ptr<record::RecordPacker> packer_;  // null: records are written as they are
  std::uint64_t use_ = 0;                         // of the packed block, as its header has it
  TraceFile::Block block_;
  std::byte* at_ = nullptr;
  std::uint64_t left_ = 0;
  std::uint64_t lost_ = 0;
  // How long this thread waits for a core, as state_wait() writes it.
  std::optional<std::uint64_t> waited_before_ns_;  // until its first block
  std::uint64_t since_ns_ = 0;                     // the time of its first block
  std::uint32_t waited_ms_ = 0;                    // since then, as written last
  std::uint32_t of_ms_ = 0;                        // from then until it was written last
  // Time at which the current block begins; needed because definitions have no time.
  std::uint64_t last_ns_ = 0;
  std::uint64_t next_bytes_ = 4096;  // a thread may make few calls, and there may be thousands of threads
  std::uint32_t thread_;
  std::uint32_t polls_ = 0;                         // how many of the last records are polls of one span
  std::array<std::uint32_t, max_polls> counted_{};  // of these records, polls without a time
  // Of a limited file, the definitions in this block that go with it, by kind and number.
  std::vector<std::pair<std::uint32_t, std::uint32_t>> of_block_;
  bool full_ = false;  // whether the disk is full; no second attempt follows
};

}  // namespace stretto::trace
