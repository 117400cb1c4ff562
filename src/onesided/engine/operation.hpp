// SPDX-License-Identifier: BSD-3-Clause
// One operation of the message path: what is still to be sent, and which replies are outstanding. The engine
// owns it; all members but `done` are accessed under the engine's lock.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "onesided/engine/packet.hpp"
#include "onesided/memory/threading.hpp"
#include "onesided/path/layout.hpp"

namespace stretto::onesided {

/// A request that an aggregate has packed piece by piece.
struct PackedRequest {
  PacketWriter writer;
  std::vector<Piece> pieces;  // of a get: where its reply goes
};

struct MessageOperation {
  MessageOperation(PacketKind what, int rank, Layout&& pieces)
      : kind(what), target(rank), layout(std::move(pieces)), cursor(layout) {}
  MessageOperation(const MessageOperation&) = delete;  // the cursor points into the layout
  MessageOperation& operator=(const MessageOperation&) = delete;

  PacketKind kind;
  int target;  // in the runtime
  Layout layout;
  Cursor cursor;
  Scale scale{};
  PacketFlag flag{};
  PacketAtomic atomic{};

  /// A packed request replaces the layout; its owner keeps it until start() returns.
  PackedRequest* packed = nullptr;

  bool begun = false;        // a packet was sent
  bool rendezvous = false;   // some of its data is sent in segments
  bool block_begun = false;  // the cursor is within a block that is sent in segments
  bool all_sent = false;
  int outstanding_replies = 0;
  int outstanding_sends = 0;                // segments that MPI still sends from the caller's memory
  std::uint64_t result = 0;                 // an atomic's value before; a fence's count of stores
  void* fetched = nullptr;                  // where an atomic's value before is also stored
  std::shared_ptr<MessageOperation> query;  // of a store: sent to learn when the target has it

  /// Complete at this rank.
  Atomic<bool> done{false};
  /// Nobody waits for it any more: it uses no memory of the program.
  Atomic<bool> abandoned{false};

  /// Marks it done where no packet is left to be sent, and no send or reply is outstanding.
  void complete_if_finished() {
    if (all_sent && outstanding_replies == 0 && outstanding_sends == 0)
      done.store(true, std::memory_order_release);
  }
};

/// One that was done before it began.
[[nodiscard]] inline std::shared_ptr<MessageOperation> done_operation(int target) {
  auto operation = std::make_shared<MessageOperation>(PacketKind::fence, target, Layout{});
  operation->done = true;
  return operation;
}

}  // namespace stretto::onesided
