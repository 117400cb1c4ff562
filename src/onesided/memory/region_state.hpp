// SPDX-License-Identifier: BSD-3-Clause
// The state behind a Region: its memory, and for each target the operations of the rma path.
#pragma once

#include <atomic>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <utility>

#include "onesided/api/runtime_state.hpp"
#include "onesided/memory/region_memory.hpp"
#include "onesided/memory/threading.hpp"
#include "onesided/path/layout.hpp"

namespace stretto::onesided {

struct RegionState {
  /// Allocates a part of `size_bytes` on this rank. Collective over the team.
  RegionState(std::shared_ptr<TeamState> members, std::size_t size_bytes);
  /// Over memory of the program.
  RegionState(std::shared_ptr<TeamState> members, std::span<std::byte> own);
  ~RegionState();

  std::shared_ptr<TeamState> team;
  std::uint32_t id = 0;
  std::optional<RegionMemory> memory;
  bool freed = false;
  /// The handles and aggregates of the region that were not waited for.
  Atomic<std::size_t> pending{0};
  /// The state itself, where an exception destroyed the region before its handles, until the last of them is
  /// done.
  std::shared_ptr<RegionState> left_behind;

  void begin_use() { (void)fetch_and_add(pending, std::size_t{1}, std::memory_order_relaxed); }
  /// May destroy the state. Happens before what another thread does that has seen nothing pending.
  void end_use() {
    const std::size_t before = fetch_and_add(pending, std::size_t{0} - 1, std::memory_order_acq_rel);
    if (before > 1 || left_behind == nullptr) return;
    const std::shared_ptr<RegionState> last = std::move(left_behind);
  }

  /// Lets other ranks name it in requests.
  void serve() const;
  /// Ends that for memory of the program, which is about to go, without the other ranks: after an error.
  void stop_serving() noexcept;

  [[nodiscard]] RuntimeState& runtime() const { return *team->state; }
  [[nodiscard]] int runtime_rank(int target) const {
    return team->runtime_ranks[static_cast<std::size_t>(target)];
  }
  /// A rank of the runtime as one of the team, or -1.
  [[nodiscard]] int team_rank(int runtime_rank) const {
    return team->team_ranks[static_cast<std::size_t>(runtime_rank)];
  }

  /// Throws FinalizedError.
  void check_alive() const {
    runtime().check_alive();
    if (freed) [[unlikely]]
      refuse_freed();
  }
  /// Throws FinalizedError, or ArgumentError `target` or `place`.
  void check_range(int target, std::size_t end) const {
    check_alive();
    if (target < 0 || target >= static_cast<int>(team->runtime_ranks.size()) ||
        end > memory->size_bytes(target)) [[unlikely]] {
      refuse_range(target, end);
    }
  }

  /// Frees the memory. Collective.
  void release();

  // The rma path. `target` is a rank of the team.
  /// Starts a put or a get. Returns the ticket that completes it.
  std::uint64_t start(OperationKind kind, int target, const Piece& piece);
  void complete_locally(int target, std::uint64_t ticket);
  /// The same for what nobody waits for again: where it throws, MPI uses no memory of the program any more.
  void complete_locally_once(int target, std::uint64_t ticket) {
    try {
      complete_locally(target, ticket);
    } catch (...) {
      end_transfers(target);
      throw;
    }
  }
  [[nodiscard]] bool is_locally_complete(int target, std::uint64_t ticket) const {
    return tickets(target).complete_here.load(std::memory_order_acquire) >= ticket;
  }
  [[nodiscard]] std::uint64_t last_ticket(int target) const { return tickets(target).issued.load(); }
  /// Ends MPI's use of the program's memory after an error of MPI. Ends the program where MPI fails again.
  void end_transfers(int target) noexcept;
  void flush(int target);
  /// Whether some operations may not be complete at the target.
  [[nodiscard]] bool must_flush(int target) const {
    return tickets(target).complete_there.load(std::memory_order_acquire) < last_ticket(target);
  }

 private:
  /// `check_call` throws where this rank refuses the call.
  void begin(const std::function<void()>& check_call);
  void end_of_creation();
  void forget() noexcept;
  [[noreturn]] static void refuse_freed();
  [[noreturn]] void refuse_range(int target, std::size_t end) const;

  struct Tickets {
    Atomic<std::uint64_t> issued{0};
    Atomic<std::uint64_t> complete_here{0};
    Atomic<std::uint64_t> complete_there{0};
  };
  [[nodiscard]] Tickets& tickets(int target) const { return tickets_[static_cast<std::size_t>(target)]; }

  std::unique_ptr<Tickets[]> tickets_;
};

}  // namespace stretto::onesided
