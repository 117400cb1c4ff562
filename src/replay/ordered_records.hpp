// SPDX-License-Identifier: BSD-3-Clause
// The records of a trace file in the order in which their calls begin, whatever thread made them: messages of
// a channel, requests and collectives meet in this order.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <queue>
#include <utility>
#include <vector>

#include "replay/trace_blocks.hpp"

namespace stretto::replay {

class OrderedRecords {
 public:
  /// `blocks` must outlive this object.
  explicit OrderedRecords(TraceBlocks& blocks) : blocks_(blocks) {}
  OrderedRecords(const OrderedRecords&) = delete;
  OrderedRecords& operator=(const OrderedRecords&) = delete;

  /// Reads the next records, of one thread, `most` at most, but no definition in part; false: there are no
  /// more. A record that is no call follows the call before it. Throws TraceError.
  bool next(TracePiece& piece, std::size_t most);
  void rewind();
  /// Whether several threads made them.
  [[nodiscard]] bool has_several_threads();
  /// Where in the file a record of the last piece lies, as TraceBlocks has it.
  [[nodiscard]] std::uint64_t place_of(std::size_t index) const;

 private:
  /// A thread's records that are read and not passed on.
  struct Ahead {
    TraceBlocks blocks;
    TracePiece piece;
    std::size_t at = 0;
    std::uint64_t call_ns = 0;  // when the next call begins, or the one before records that are none
  };
  using Turn = std::pair<std::uint64_t, std::size_t>;  // `call_ns` and the number of a thread

  void find_threads();
  /// Reads on where nothing is ahead, and puts the thread in its place; not at its end.
  void queue(std::size_t number);

  TraceBlocks& blocks_;
  bool is_begun_ = false;
  std::vector<Ahead> threads_;  // empty where there is one, which is in order
  std::priority_queue<Turn, std::vector<Turn>, std::greater<>> turns_;
  std::size_t max_ahead_ = 0;
  std::uint64_t place_ = 0;
};

}  // namespace stretto::replay
