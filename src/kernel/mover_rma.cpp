// SPDX-License-Identifier: BSD-3-Clause
// MPI's own window: puts, then a flush and a barrier, for MPI has no way to tell one put's arrival.
// MPI counts in int: elements of 8 bytes reach 16 GiB.
#include <mpi.h>

#include <cstdint>
#include <map>
#include <utility>

#include "kernel/landing.hpp"
#include "kernel/movers.hpp"
#include "mpi/check.hpp"
#include "mpi/communicator.hpp"

namespace stretto::kernel {
namespace {

using mpi::check;

class RmaGround final : public Ground {
 public:
  RmaGround(const Team& team, std::size_t memory_bytes)
      : communicator_(team.communicator()), size_bytes_(memory_bytes + landing_alignment) {
    check(MPI_Win_allocate(static_cast<MPI_Aint>(size_bytes_), 1, MPI_INFO_NULL, communicator_.get(),
                           static_cast<void*>(&base_), &window_),
          "MPI_Win_allocate");
    const auto address = reinterpret_cast<std::uintptr_t>(base_);
    shift_ = (landing_alignment - address % landing_alignment) % landing_alignment;
    base_ += shift_;  // MPI aligns to what it likes, on each rank
    for (int member = 0; member < team.size(); ++member) members_[team.runtime_rank(member)] = member;
    check(MPI_Win_set_errhandler(window_, MPI_ERRORS_RETURN), "MPI_Win_set_errhandler");
    check(MPI_Win_lock_all(MPI_MODE_NOCHECK, window_), "MPI_Win_lock_all");
  }
  RmaGround(const RmaGround&) = delete;
  RmaGround& operator=(const RmaGround&) = delete;
  ~RmaGround() override {
    MPI_Win_unlock_all(window_);
    MPI_Win_free(&window_);
  }

  std::byte* memory() override { return base_; }
  std::size_t memory_bytes() const override { return size_bytes_; }
  std::unique_ptr<Mover> mover(const Team& team, const MoverShape& shape, std::vector<Route> routes) override;

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

class RmaMover final : public Mover {
 public:
  RmaMover(std::shared_ptr<RmaGround> ground, const Team& team, const MoverShape& shape)
      : ground_(std::move(ground)),
        communicator_(team.communicator()),
        landing_(ground_->memory() + shape.landing_first),
        landings_(landings_of(team, ground_->shift() + shape.landing_first)) {
    for (int target = 0; target < team.size(); ++target) {
      members_.push_back(ground_->member(team.runtime_rank(target)));
    }
  }
  RmaMover(const RmaMover&) = delete;
  RmaMover& operator=(const RmaMover&) = delete;
  ~RmaMover() override { MPI_Wait(&released_, MPI_STATUS_IGNORE); }

  std::byte* landing() override { return landing_; }
  bool copies_to(int /*target*/) const override { return false; }

  void open(std::size_t /*route*/, std::size_t /*shift_bytes*/) override { arrived_ = false; }

  void send(int target, const std::byte* from, const Block& block, int /*group*/) override {
    check(MPI_Wait(&released_, MPI_STATUS_IGNORE), "MPI_Wait");
    const int count = numbers_of(block);
    const auto place = static_cast<std::size_t>(target);
    const std::size_t first = landings_[place] + block.offset;
    for (std::size_t i = 0; i < block.count; ++i) {
      check(MPI_Put(from + i * block.here_stride, count, MPI_DOUBLE, members_[place],
                    static_cast<MPI_Aint>(first + i * block.there_stride), count, MPI_DOUBLE, window()),
            "MPI_Put");
      ++messages_;
    }
  }

  void sent() override {
    if (arrived_) return;
    for (const int member : members_) check(MPI_Win_flush_local(member, window()), "MPI_Win_flush_local");
  }

  /// All of them at once.
  void arrived(int /*group*/) override {
    if (arrived_) return;
    for (const int member : members_) check(MPI_Win_flush(member, window()), "MPI_Win_flush");
    check(MPI_Barrier(communicator_.get()), "MPI_Barrier");
#ifndef STRETTO_SIMGRID  // which has none: all its ranks live in one process
    check(MPI_Win_sync(window()), "MPI_Win_sync");
#endif
    arrived_ = true;
  }

  void release() override {
    check(MPI_Wait(&released_, MPI_STATUS_IGNORE), "MPI_Wait");
    check(MPI_Ibarrier(communicator_.get(), &released_), "MPI_Ibarrier");
  }

 private:
  [[nodiscard]] MPI_Win window() const { return ground_->window(); }

  std::shared_ptr<RmaGround> ground_;
  mpi::Communicator communicator_;
  std::byte* landing_;
  std::vector<std::size_t> landings_;  // of each rank of the team, in its part of the window
  std::vector<int> members_;           // the ranks of the team in the window
  MPI_Request released_ = MPI_REQUEST_NULL;
  bool arrived_ = false;  // in this round
};

std::unique_ptr<Mover> RmaGround::mover(const Team& team, const MoverShape& shape,
                                        std::vector<Route> /*routes*/) {
  return std::make_unique<RmaMover>(std::static_pointer_cast<RmaGround>(shared_from_this()), team, shape);
}

}  // namespace

std::shared_ptr<Ground> rma_ground(const Team& team, std::size_t memory_bytes) {
  return std::make_shared<RmaGround>(team, memory_bytes);
}

}  // namespace stretto::kernel
