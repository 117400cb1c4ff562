// SPDX-License-Identifier: BSD-3-Clause
// One operation on its way over the message path: what is still to be sent, and what is still to come.
// Belongs to the engine, and is touched under its lock, but for `done`.
#pragma once

#include <atomic>
#include <cstdint>
#include <utility>
#include <vector>

#include "rma/engine/packet.hpp"
#include "rma/path/layout.hpp"

namespace stretto::rma {

/// A request that was packed as its pieces came.
struct PackedRequest {
  PacketWriter writer;
  std::vector<Piece> pieces;  // of a get: where the reply goes
};

struct Operation {
  Operation(PacketKind what, int rank, Layout&& pieces)
      : kind(what), target(rank), layout(std::move(pieces)), cursor(layout) {}
  Operation(const Operation&) = delete;  // the cursor points into the layout
  Operation& operator=(const Operation&) = delete;

  PacketKind kind;
  int target;  // in the runtime
  Layout layout;
  Cursor cursor;
  Scale scale{};
  PacketFlag flag{};
  PacketAtomic atomic{};

  /// Instead of a layout; its owner keeps it until start() returns.
  PackedRequest* packed = nullptr;

  bool begun = false;      // a packet was sent
  bool announced = false;  // some of its data
  bool all_sent = false;
  int replies_to_come = 0;
  int sends_to_end = 0;      // of announced data, from where it is
  std::uint64_t result = 0;  // of an atomic

  /// Complete at this rank.
  std::atomic<bool> done{false};

  /// Done, where nothing is left to be sent, to leave or to come.
  void settle() {
    if (all_sent && replies_to_come == 0 && sends_to_end == 0) done.store(true, std::memory_order_release);
  }
};

}  // namespace stretto::rma
