// SPDX-License-Identifier: BSD-3-Clause
// The blocks of a trace file with a limit of size. They are equally long, and a new one takes the place of
// the oldest that no thread writes to. Knows no files.
#pragma once

#include <cstdint>
#include <deque>
#include <optional>
#include <vector>

#include "record/limited_size.hpp"
#include "record/trace_format.hpp"

namespace stretto::trace {

class BlockRing {
 public:
  explicit BlockRing(const record::LimitedSize& size) : size_(size) {}

  [[nodiscard]] std::uint64_t file_bytes() const { return size_.file_bytes; }
  [[nodiscard]] std::uint64_t block_bytes() const { return size_.block_bytes; }
  /// A thread begins a block. `is_kept`: it is never dropped.
  void add(const record::BlockIndex& block, bool is_kept);
  /// The thread has left its block; all calls in it have ended before `end_ns`.
  void release(std::uint64_t offset, std::uint64_t end_ns);
  /// Drops the oldest block that no thread writes to, and returns its place; nothing: there is none.
  [[nodiscard]] std::optional<std::uint64_t> drop_oldest();
  /// The index of the file: from when on nothing is missing, then the blocks in their order.
  [[nodiscard]] std::vector<record::BlockIndex> index() const;

 private:
  struct Entry {
    record::BlockIndex block;
    bool is_kept = false;
    std::optional<std::uint64_t> end_ns;  // since a thread has left it
  };
  record::LimitedSize size_;
  std::deque<Entry> blocks_;
  std::uint64_t dropped_until_ns_ = 0;
};

}  // namespace stretto::trace
