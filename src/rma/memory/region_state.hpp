// SPDX-License-Identifier: BSD-3-Clause
// What a region is, behind its handle: its memory, and per target the operations of the rma path.
#pragma once

#include <atomic>
#include <memory>
#include <optional>
#include <span>
#include <utility>

#include "rma/api/runtime_state.hpp"
#include "rma/memory/region_memory.hpp"
#include "rma/path/layout.hpp"

namespace stretto::rma {

struct RegionState {
  /// Collective over the team.
  RegionState(std::shared_ptr<TeamState> members, std::size_t size_bytes);
  ~RegionState();

  std::shared_ptr<TeamState> team;
  std::uint32_t id = 0;
  std::optional<RegionMemory> memory;
  bool freed = false;
  /// Handles and aggregates on it that are not waited for.
  std::atomic<std::size_t> pending{0};
  /// Itself, where an exception took the region before its handles: until the last of them is done.
  std::shared_ptr<RegionState> left_behind;

  void begin_use() { (void)add_to(pending, std::size_t{1}, std::memory_order_relaxed); }
  /// May be the end of it. Comes before what a thread does that has seen nothing pending.
  void end_use() {
    const std::size_t before = add_to(pending, std::size_t{0} - 1, std::memory_order_acq_rel);
    if (before > 1 || left_behind == nullptr) return;
    const std::shared_ptr<RegionState> last = std::move(left_behind);
  }

  [[nodiscard]] State& state() const { return *team->state; }
  [[nodiscard]] int runtime_rank(int target) const { return team->ranks[static_cast<std::size_t>(target)]; }
  /// A rank of the runtime as one of the team, or -1.
  [[nodiscard]] int team_rank(int runtime_rank) const {
    return team->places[static_cast<std::size_t>(runtime_rank)];
  }

  /// Throws FinalizedError.
  void check_alive() const {
    state().check_alive();
    if (freed) [[unlikely]]
      refuse_freed();
  }
  /// Throws FinalizedError, or ArgumentError `target` or `place`.
  void check_range(int target, std::size_t end) const {
    check_alive();
    if (target < 0 || target >= static_cast<int>(team->ranks.size()) || end > memory->size_bytes(target))
        [[unlikely]] {
      refuse_range(target, end);
    }
  }

  /// Gives the memory back; collective.
  void release();

  // The rma path. `target` is a rank of the team.
  /// A put or a get. Returns the ticket to complete it with.
  std::uint64_t start(Kind kind, int target, const Piece& piece);
  void complete_locally(int target, std::uint64_t ticket);
  [[nodiscard]] bool is_locally_complete(int target, std::uint64_t ticket) const {
    return tickets(target).complete_here.load(std::memory_order_acquire) >= ticket;
  }
  [[nodiscard]] std::uint64_t last_ticket(int target) const { return tickets(target).issued.load(); }
  void flush(int target);

 private:
  [[noreturn]] static void refuse_freed();
  [[noreturn]] void refuse_range(int target, std::size_t end) const;

  struct Tickets {
    std::atomic<std::uint64_t> issued{0};
    std::atomic<std::uint64_t> complete_here{0};
    std::atomic<std::uint64_t> complete_there{0};
  };
  [[nodiscard]] Tickets& tickets(int target) const { return tickets_[static_cast<std::size_t>(target)]; }

  std::unique_ptr<Tickets[]> tickets_;
};

}  // namespace stretto::rma
