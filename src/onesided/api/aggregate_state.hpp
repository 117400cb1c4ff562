// SPDX-License-Identifier: BSD-3-Clause
// The operations of an aggregate handle: those that it holds, and those that it has sent and not waited for.
#pragma once

#include <memory>
#include <vector>

#include "onesided/api/runtime_state.hpp"
#include "onesided/engine/operation.hpp"
#include "onesided/engine/packet.hpp"
#include "onesided/memory/threading.hpp"
#include "onesided/path/execute.hpp"

namespace stretto::onesided {

struct AggregateState : std::enable_shared_from_this<AggregateState> {
  explicit AggregateState(std::shared_ptr<RuntimeState> owner);
  AggregateState(const AggregateState&) = delete;
  AggregateState& operator=(const AggregateState&) = delete;
  ~AggregateState();

  std::shared_ptr<RuntimeState> state;
  Atomic<int> target{-1};  // in the runtime; -1: empty. Atomic, because fences of other threads read it

  /// Throws what Aggregate::put throws.
  void add(const LayoutTransfer& transfer);
  /// A shorter add() for one piece to the same region and target as the one before, by message. False: the
  /// piece needs add().
  bool add_alike(OperationKind kind, const RegionState& region, int to, const Piece& piece);
  /// Sends what it holds.
  void send();
  [[nodiscard]] bool pending() const { return target >= 0; }
  /// Whether all is sent and complete at this rank, as far as that can be seen without waiting.
  [[nodiscard]] bool is_complete();
  /// Sends what it holds, and waits.
  void wait();
  /// Forgets what it holds, and ends the use of the program's memory, which is about to be freed.
  void release() noexcept;
  /// Waits where that is possible, else releases it.
  void end() noexcept;

 private:
  struct Entry {
    std::shared_ptr<RegionState> region;
    int target = 0;                    // in its team
    std::size_t size_bytes = 0;        // of its part
    const std::byte* there = nullptr;  // its part where it is node-local, else nullptr
  };

  void check(const LayoutTransfer& transfer, int rank) const;
  void use(const LayoutTransfer& transfer);
  void gather(Piece piece);
  void send_gathered();
  void send_message();
  void send_otherwise();
  void begin_packet();
  void discard_gathered();
  void clear();

  Mutex mutex_;  // a fence of another thread may send it
  OperationKind kind_ = OperationKind::put;
  Path path_ = Path::direct;
  std::vector<Entry> regions_;
  std::vector<std::byte> buffer_;  // of the request that is being packed, on the message path
  PackedRequest gathered_;         // not sent yet; on the other paths only its pieces are used
  std::vector<std::shared_ptr<MessageOperation>> sent_;
};

/// Sends all aggregates to `target`, before a fence or a barrier.
void send_aggregates(RuntimeState& state, int target);

}  // namespace stretto::onesided
