// SPDX-License-Identifier: BSD-3-Clause
// The file of a rank, in blocks that the threads map, so the kernel writes the records also when the process
// is killed:
//
//   header | block of thread 0 | of thread 1 | of thread 0 | ... | index and trailer, at the end
//
// Under a limit of size, new blocks take the place of the oldest ones (block_ring.hpp), and what records
// refer to by number is in blocks of its own. Knows no MPI.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "memory/watch.hpp"
#include "record/limited_size.hpp"
#include "record/trace_format.hpp"
#include "trace/block_ring.hpp"
#include "trace/own_file.hpp"

namespace stretto::trace {

/// The time of this host's monotonic clock.
[[nodiscard]] inline std::uint64_t now_ns() { return memory::clock_ns(); }

class Stream;

/// One rank's trace file. Allocating a block takes a lock; each thread writes only to its own blocks.
class TraceFile {
 public:
  TraceFile();
  ~TraceFile();
  TraceFile(const TraceFile&) = delete;
  TraceFile& operator=(const TraceFile&) = delete;

  /// Creates the file and writes its header. False, with errno, when that fails or another process writes it.
  /// `size`: of a limited file.
  [[nodiscard]] bool open(const std::string& path, record::TraceHeader header, const std::string& text,
                          const std::optional<record::LimitedSize>& size = {});

  struct Block {
    std::byte* begin = nullptr;  ///< null: the disk is full, or the file is gone
    std::uint64_t bytes = 0;
    std::uint64_t offset = 0;
  };
  [[nodiscard]] Block take_block(std::uint64_t bytes, std::uint32_t thread, std::uint64_t first_ns);
  /// Unmaps a full block; its data stays in the file, under a limit until its place is needed.
  void unmap(const Block& block);
  [[nodiscard]] bool is_limited() const { return ring_ != nullptr; }
  /// Writes a definition to the blocks that a limited file always keeps.
  void define(const record::Record& definition, const void* payload);
  /// Writes index and trailer after the blocks. `lost`: records that did not fit on the disk.
  void finish(std::uint64_t end_ns, std::uint64_t lost);
  /// Removes them, so that blocks can follow.
  void remove_trailer();
  /// Whether its records are packed, by the header that `open` took.
  [[nodiscard]] bool is_packed() const { return packed_; }
  /// Whether the program has closed the file, and nothing could open it again.
  [[nodiscard]] bool is_gone() const { return file_.is_gone(); }
  [[nodiscard]] bool may_report() const { return file_.may_report(); }
  void close();

 private:
  [[nodiscard]] bool begin(record::TraceHeader header, const std::string& text,
                           const std::optional<record::LimitedSize>& size);
  /// The place of a new block; 0: there is none.
  [[nodiscard]] std::uint64_t place_for(Block& block, bool is_kept);
  [[nodiscard]] std::uint64_t since_epoch_ns() const;
  std::mutex mutex_;
  OwnFile file_;
  std::uint64_t end_ = 0;
  bool packed_ = false;
  std::vector<record::BlockIndex> index_;
  std::unique_ptr<BlockRing> ring_;  // in place of the index, where the size is limited
  bool has_dropped_ = false;
  std::uint64_t epoch_ns_ = 0;
  std::mutex defining_;
  std::unique_ptr<Stream> definitions_;  // of a limited file
};

}  // namespace stretto::trace
