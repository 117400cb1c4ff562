// SPDX-License-Identifier: BSD-3-Clause
// MPI's own window: puts, then a flush and a barrier, for MPI has no way to tell one put's arrival.
// MPI counts in int: elements of 8 bytes reach 16 GiB.
#include <mpi.h>

#include <cstdint>

#include "kernel/landing.hpp"
#include "kernel/movers.hpp"
#include "mpi/check.hpp"
#include "mpi/communicator.hpp"
#include "rma/state.hpp"

namespace stretto::kernel {
namespace {

using mpi::check;

class RmaMover final : public Mover {
 public:
  RmaMover(const Team& team, const MoverShape& shape)
      : communicator_(team.state()->communicator.get()),
        size_bytes_(shape.landing_bytes + landing_alignment),
        shifts_(static_cast<std::size_t>(team.size())) {
    check(MPI_Win_allocate(static_cast<MPI_Aint>(size_bytes_), 1, MPI_INFO_NULL, communicator_.get(),
                           static_cast<void*>(&base_), &window_),
          "MPI_Win_allocate");
    const auto address = reinterpret_cast<std::uintptr_t>(base_);
    const auto shift =
        static_cast<MPI_Aint>((landing_alignment - address % landing_alignment) % landing_alignment);
    base_ += shift;  // MPI aligns to what it likes, on each rank
    check(MPI_Allgather(&shift, 1, MPI_AINT, shifts_.data(), 1, MPI_AINT, communicator_.get()),
          "MPI_Allgather");
    check(MPI_Win_set_errhandler(window_, MPI_ERRORS_RETURN), "MPI_Win_set_errhandler");
    check(MPI_Win_lock_all(MPI_MODE_NOCHECK, window_), "MPI_Win_lock_all");
  }
  RmaMover(const RmaMover&) = delete;
  RmaMover& operator=(const RmaMover&) = delete;
  ~RmaMover() override {
    MPI_Wait(&released_, MPI_STATUS_IGNORE);
    MPI_Win_unlock_all(window_);
    MPI_Win_free(&window_);
  }

  std::byte* landing() override { return base_; }
  bool copies_to(int /*target*/) const override { return false; }

  void open(std::size_t /*route*/) override { arrived_ = false; }

  void send(int target, const std::byte* from, const Block& block, int /*group*/) override {
    check(MPI_Wait(&released_, MPI_STATUS_IGNORE), "MPI_Wait");
    const auto count = static_cast<int>(block.size_bytes / sizeof(double));
    const MPI_Aint shift = shifts_[static_cast<std::size_t>(target)];
    for (std::size_t i = 0; i < block.count; ++i) {
      check(MPI_Put(from + i * block.here_stride, count, MPI_DOUBLE, target,
                    shift + static_cast<MPI_Aint>(block.offset + i * block.there_stride), count, MPI_DOUBLE,
                    window_),
            "MPI_Put");
      ++messages_;
    }
  }

  void sent() override {
    if (!arrived_) check(MPI_Win_flush_local_all(window_), "MPI_Win_flush_local_all");
  }

  /// All of them at once.
  void arrived(int /*group*/) override {
    if (arrived_) return;
    check(MPI_Win_flush_all(window_), "MPI_Win_flush_all");
    check(MPI_Barrier(communicator_.get()), "MPI_Barrier");
#ifndef STRETTO_SIMGRID  // which has none: all its ranks live in one process
    check(MPI_Win_sync(window_), "MPI_Win_sync");
#endif
    arrived_ = true;
  }

  void release() override {
    check(MPI_Wait(&released_, MPI_STATUS_IGNORE), "MPI_Wait");
    check(MPI_Ibarrier(communicator_.get(), &released_), "MPI_Ibarrier");
  }

  std::size_t memory_bytes() const override { return size_bytes_; }

 private:
  mpi::Communicator communicator_;
  std::size_t size_bytes_;
  std::vector<MPI_Aint> shifts_;  // of each rank's landing in its window
  std::byte* base_ = nullptr;
  MPI_Win window_ = MPI_WIN_NULL;
  MPI_Request released_ = MPI_REQUEST_NULL;
  bool arrived_ = false;  // in this round
};

}  // namespace

std::unique_ptr<Mover> rma_mover(const Team& team, const MoverShape& shape) {
  return std::make_unique<RmaMover>(team, shape);
}

}  // namespace stretto::kernel
