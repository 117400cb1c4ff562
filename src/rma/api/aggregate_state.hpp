// SPDX-License-Identifier: BSD-3-Clause
// The operations that an aggregate handle has gathered and not sent, and those that it has sent and not
// waited for.
#pragma once

#include <atomic>
#include <memory>
#include <mutex>
#include <vector>

#include "rma/api/runtime_state.hpp"
#include "rma/engine/operation.hpp"
#include "rma/engine/packet.hpp"
#include "rma/path/execute.hpp"

namespace stretto::rma {

struct AggregateState : std::enable_shared_from_this<AggregateState> {
  explicit AggregateState(std::shared_ptr<State> owner);
  AggregateState(const AggregateState&) = delete;
  AggregateState& operator=(const AggregateState&) = delete;
  ~AggregateState();

  std::shared_ptr<State> state;
  std::atomic<int> target{-1};  // in the runtime; -1: empty. A fence of another thread looks at it

  /// Throws what the public header says.
  void add(const Transfer& transfer);
  /// The same for one piece, where it goes where the one before went, by message. False: it is for add().
  bool add_alike(Kind kind, const RegionState& region, int to, const Piece& piece);
  /// What was gathered leaves.
  void go_out();
  [[nodiscard]] bool pending() const { return target >= 0; }
  /// Gone out and complete here, as far as that can be seen without waiting.
  [[nodiscard]] bool is_complete();
  /// Goes out and waits.
  void wait();

 private:
  struct Entry {
    std::shared_ptr<RegionState> region;
    int target = 0;                    // in its team
    std::size_t size_bytes = 0;        // of its part
    const std::byte* there = nullptr;  // its part, where this rank sees it
  };

  void check(const Transfer& transfer, int rank) const;
  void use(const Transfer& transfer);
  void gather(Piece piece);
  void send_gathered();
  void send_message();
  void send_otherwise();
  void begin_packet();
  void clear();

  std::mutex mutex_;  // a fence of another thread may make it go out
  Kind kind_ = Kind::put;
  Path path_ = Path::direct;
  std::vector<Entry> regions_;
  std::vector<std::byte> buffer_;  // of the request that is being packed; without the message path none is
  PackedRequest gathered_;         // not gone out; on the other paths its pieces are all that counts
  std::vector<std::shared_ptr<Operation>> sent_;
};

/// Before a fence or a barrier.
void send_out_aggregates(State& state, int target);

}  // namespace stretto::rma
