// SPDX-License-Identifier: BSD-3-Clause
// An exchange in an MPI window: puts, then a flush and a barrier, because MPI cannot signal the arrival of
// one put. MPI counts in int: elements of 8 bytes reach 16 GiB.
#include <mpi.h>

#include <cstdint>
#include <utility>

#include "exchange/arenas.hpp"
#include "exchange/messages.hpp"
#include "exchange/rma_window.hpp"
#include "exchange/transports.hpp"
#include "mpi/check.hpp"
#include "mpi/communicator.hpp"

namespace stretto::exchange {
namespace {

using mpi::check;

/// A window with aligned memory in it. MPI chooses the alignment of a window on each rank.
class RmaArena final : public BufferArena {
 public:
  RmaArena(const Team& team, std::size_t memory_bytes)
      : ranks_(team),
        communicator_(team.communicator()),
        size_bytes_(memory_bytes + buffer_alignment),
        window_(communicator_.get(), size_bytes_) {
    const auto address = reinterpret_cast<std::uintptr_t>(window_.memory());
    shift_ = (buffer_alignment - address % buffer_alignment) % buffer_alignment;
  }

  std::byte* memory() override { return window_.memory() + shift_; }
  std::size_t memory_bytes() const override { return size_bytes_; }
  std::unique_ptr<Exchange> exchange(const Team& team, const ExchangeShape& shape,
                                     std::vector<ReceivePattern> patterns) override;

 private:
  ArenaRanks ranks_;
  mpi::Communicator communicator_;
  std::size_t size_bytes_;
  RmaWindow window_;
  std::size_t shift_ = 0;  // bytes from the start of this rank's part of the window to its memory
};

class RmaExchange final : public Exchange {
 public:
  RmaExchange(std::shared_ptr<BufferArena> arena, const Team& team, const ExchangeShape& shape,
              const RmaWindow& window, std::vector<RemoteBuffer> buffers)
      : Exchange(std::move(arena), shape),
        communicator_(team.communicator()),
        window_(window),
        buffers_(std::move(buffers)) {}
  ~RmaExchange() override { MPI_Wait(&released_, MPI_STATUS_IGNORE); }

  void open(std::size_t /*pattern*/, std::size_t /*shift_bytes*/) override { arrived_ = false; }

  void send(int target, const std::byte* from, const StridedBlock& block, int /*group*/) override {
    wait_for(released_);
    const int count = numbers_of(block);
    const RemoteBuffer& buffer = buffers_[static_cast<std::size_t>(target)];
    const std::size_t first = buffer.offset + block.offset;
    for (std::size_t i = 0; i < block.count; ++i) {
      window_.put(from + i * block.local_stride, count, MPI_DOUBLE, buffer.rank,
                  first + i * block.remote_stride);
      ++messages_;
    }
  }

  void wait_sent() override {
    if (arrived_) return;
    for (const RemoteBuffer& buffer : buffers_) window_.flush_local(buffer.rank);
  }

  /// Waits for all groups at once.
  void wait_arrived(int /*group*/) override {
    if (arrived_) return;
    for (const RemoteBuffer& buffer : buffers_) window_.flush(buffer.rank);
    check(MPI_Barrier(communicator_.get()), "MPI_Barrier");
    window_.synchronise();
    arrived_ = true;
  }

  void release_buffer() override {
    wait_for(released_);
    check(MPI_Ibarrier(communicator_.get(), &released_), "MPI_Ibarrier");
  }

 private:
  mpi::Communicator communicator_;
  const RmaWindow& window_;
  std::vector<RemoteBuffer> buffers_;  // by rank of the team
  MPI_Request released_ = MPI_REQUEST_NULL;
  bool arrived_ = false;  // in this round
};

std::unique_ptr<Exchange> RmaArena::exchange(const Team& team, const ExchangeShape& shape,
                                             std::vector<ReceivePattern> /*patterns*/) {
  return std::make_unique<RmaExchange>(shared_from_this(), team, shape, window_,
                                       ranks_.buffers_of(team, shift_ + shape.arena_offset));
}

}  // namespace

std::shared_ptr<BufferArena> rma_arena(const ArenaRequest& request) {
  return std::make_shared<RmaArena>(request.team, request.memory_bytes);
}

}  // namespace stretto::exchange
