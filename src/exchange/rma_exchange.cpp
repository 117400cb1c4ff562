// SPDX-License-Identifier: BSD-3-Clause
// MPI's own window: puts, then a flush and a barrier, for MPI has no way to tell one put's arrival.
// MPI counts in int: elements of 8 bytes reach 16 GiB.
#include <mpi.h>

#include <cstdint>
#include <map>
#include <utility>

#include "exchange/arenas.hpp"
#include "exchange/receive_buffer.hpp"
#include "mpi/check.hpp"
#include "mpi/communicator.hpp"

namespace stretto::exchange {
namespace {

using mpi::check;

class RmaArena final : public BufferArena {
 public:
  RmaArena(const Team& team, std::size_t memory_bytes)
      : communicator_(team.communicator()), size_bytes_(memory_bytes + buffer_alignment) {
    check(MPI_Win_allocate(static_cast<MPI_Aint>(size_bytes_), 1, MPI_INFO_NULL, communicator_.get(),
                           static_cast<void*>(&base_), &window_),
          "MPI_Win_allocate");
    const auto address = reinterpret_cast<std::uintptr_t>(base_);
    shift_ = (buffer_alignment - address % buffer_alignment) % buffer_alignment;
    base_ += shift_;  // MPI aligns to what it likes, on each rank
    for (int member = 0; member < team.size(); ++member) members_[team.runtime_rank(member)] = member;
    check(MPI_Win_set_errhandler(window_, MPI_ERRORS_RETURN), "MPI_Win_set_errhandler");
    check(MPI_Win_lock_all(MPI_MODE_NOCHECK, window_), "MPI_Win_lock_all");
  }
  RmaArena(const RmaArena&) = delete;
  RmaArena& operator=(const RmaArena&) = delete;
  ~RmaArena() override {
    MPI_Win_unlock_all(window_);
    MPI_Win_free(&window_);
  }

  std::byte* memory() override { return base_; }
  std::size_t memory_bytes() const override { return size_bytes_; }
  std::unique_ptr<Exchange> exchange(const Team& team, const ExchangeShape& shape,
                                     std::vector<ReceivePattern> patterns) override;

  [[nodiscard]] MPI_Win window() const { return window_; }
  /// Bytes of this rank's part of the window before its memory.
  [[nodiscard]] std::size_t shift() const { return shift_; }
  /// The rank in the window of a rank of the runtime.
  [[nodiscard]] int member(int runtime_rank) const { return members_.at(runtime_rank); }

 private:
  mpi::Communicator communicator_;
  std::size_t size_bytes_;
  std::size_t shift_ = 0;
  std::byte* base_ = nullptr;
  MPI_Win window_ = MPI_WIN_NULL;
  std::map<int, int> members_;
};

class RmaExchange final : public Exchange {
 public:
  RmaExchange(std::shared_ptr<RmaArena> arena, const Team& team, const ExchangeShape& shape)
      : arena_(std::move(arena)),
        communicator_(team.communicator()),
        receive_buffer_(arena_->memory() + shape.arena_offset),
        remote_offsets_(arena_offsets_of(team, arena_->shift() + shape.arena_offset)) {
    for (int target = 0; target < team.size(); ++target) {
      members_.push_back(arena_->member(team.runtime_rank(target)));
    }
  }
  RmaExchange(const RmaExchange&) = delete;
  RmaExchange& operator=(const RmaExchange&) = delete;
  ~RmaExchange() override { MPI_Wait(&released_, MPI_STATUS_IGNORE); }

  std::byte* receive_buffer() override { return receive_buffer_; }
  bool copies_to(int /*target*/) const override { return false; }

  void open(std::size_t /*pattern*/, std::size_t /*shift_bytes*/) override { arrived_ = false; }

  void send(int target, const std::byte* from, const StridedBlock& block, int /*group*/) override {
    check(MPI_Wait(&released_, MPI_STATUS_IGNORE), "MPI_Wait");
    const int count = numbers_of(block);
    const auto place = static_cast<std::size_t>(target);
    const std::size_t first = remote_offsets_[place] + block.offset;
    for (std::size_t i = 0; i < block.count; ++i) {
      check(MPI_Put(from + i * block.local_stride, count, MPI_DOUBLE, members_[place],
                    static_cast<MPI_Aint>(first + i * block.remote_stride), count, MPI_DOUBLE, window()),
            "MPI_Put");
      ++messages_;
    }
  }

  void wait_sent() override {
    if (arrived_) return;
    for (const int member : members_) check(MPI_Win_flush_local(member, window()), "MPI_Win_flush_local");
  }

  /// All of them at once.
  void wait_arrived(int /*group*/) override {
    if (arrived_) return;
    for (const int member : members_) check(MPI_Win_flush(member, window()), "MPI_Win_flush");
    check(MPI_Barrier(communicator_.get()), "MPI_Barrier");
#ifndef STRETTO_SIMGRID  // which has none: all its ranks live in one process
    check(MPI_Win_sync(window()), "MPI_Win_sync");
#endif
    arrived_ = true;
  }

  void release_buffer() override {
    check(MPI_Wait(&released_, MPI_STATUS_IGNORE), "MPI_Wait");
    check(MPI_Ibarrier(communicator_.get(), &released_), "MPI_Ibarrier");
  }

 private:
  [[nodiscard]] MPI_Win window() const { return arena_->window(); }

  std::shared_ptr<RmaArena> arena_;
  mpi::Communicator communicator_;
  std::byte* receive_buffer_;
  std::vector<std::size_t> remote_offsets_;  // of each rank of the team, in its part of the window
  std::vector<int> members_;                 // the ranks of the team in the window
  MPI_Request released_ = MPI_REQUEST_NULL;
  bool arrived_ = false;  // in this round
};

std::unique_ptr<Exchange> RmaArena::exchange(const Team& team, const ExchangeShape& shape,
                                             std::vector<ReceivePattern> /*patterns*/) {
  return std::make_unique<RmaExchange>(std::static_pointer_cast<RmaArena>(shared_from_this()), team, shape);
}

}  // namespace

std::shared_ptr<BufferArena> rma_arena(const Team& team, std::size_t memory_bytes) {
  return std::make_shared<RmaArena>(team, memory_bytes);
}

}  // namespace stretto::exchange
