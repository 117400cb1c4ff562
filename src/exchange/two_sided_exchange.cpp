// SPDX-License-Identifier: BSD-3-Clause
// An exchange by Isend and Irecv. All receives are posted when a round opens, in the order of the messages,
// so that MPI finds each one at the head of its queue.
#include <mpi.h>

#include <algorithm>
#include <span>
#include <utility>

#include "exchange/arenas.hpp"
#include "exchange/messages.hpp"
#include "exchange/transports.hpp"
#include "mpi/check.hpp"
#include "mpi/communicator.hpp"
#include "mpi/count.hpp"

namespace stretto::exchange {
namespace {

using mpi::check;

constexpr int first_group_tag = 1;
/// Limit of outstanding sends of one rank. Open MPI searches all outstanding sends on every progress, which
/// takes quadratic time, and each takes memory.
constexpr std::size_t max_under_way = 128;

/// An MPI datatype of blocks `stride` bytes apart, freed at the end of its scope.
class VectorType {
 public:
  VectorType(const StridedBlock& block, std::size_t stride) {
    check(MPI_Type_create_hvector(mpi::count_of(block.count, "blocks in one message"), numbers_of(block),
                                  static_cast<MPI_Aint>(stride), MPI_DOUBLE, &type_),
          "MPI_Type_create_hvector");
    check(MPI_Type_commit(&type_), "MPI_Type_commit");
  }
  VectorType(const VectorType&) = delete;
  VectorType& operator=(const VectorType&) = delete;
  ~VectorType() { MPI_Type_free(&type_); }
  [[nodiscard]] MPI_Datatype type() const { return type_; }

 private:
  MPI_Datatype type_ = MPI_DATATYPE_NULL;
};

class TwoSidedExchange final : public Exchange {
 public:
  TwoSidedExchange(std::shared_ptr<BufferArena> arena, const Team& team, const ExchangeShape& shape,
                   std::vector<ReceivePattern> patterns)
      : Exchange(std::move(arena), shape),
        communicator_(team.communicator()),
        patterns_(std::move(patterns)) {
    for (ReceivePattern& pattern : patterns_) std::ranges::stable_sort(pattern, {}, &IncomingBlocks::group);
  }

  /// In a round that an exception has ended, MPI may still use the buffers.
  ~TwoSidedExchange() override {
    for (MPI_Request& request : receives_) {
      if (request != MPI_REQUEST_NULL) MPI_Cancel(&request);
    }
    for (auto* const requests : {&receives_, &sends_})
      MPI_Waitall(static_cast<int>(requests->size()), requests->data(), MPI_STATUSES_IGNORE);
  }

  /// The order of the groups of one source does not matter, because each group has its own tag.
  void open(std::size_t pattern, std::size_t shift_bytes) override {
    current_ = &patterns_[pattern];
    std::size_t messages = 0;
    std::size_t most = 0;
    for (const IncomingBlocks& one : *current_) {
      messages += one.times;
      most = std::max(most, one.times);
    }
    receives_.assign(messages, MPI_REQUEST_NULL);
    for (std::size_t time = 0; time < most; ++time) {
      std::size_t first = 0;
      for (const IncomingBlocks& one : *current_) {
        if (time < one.times) post(one, shift_bytes + time * one.message_stride, receives_[first + time]);
        first += one.times;
      }
    }
  }

  void send(int target, const std::byte* from, const StridedBlock& block, int group) override {
    MPI_Request request = MPI_REQUEST_NULL;
    with_type(block, block.local_stride, [&](int count, MPI_Datatype type) {
      start_send(from, count, type, target, first_group_tag + group, communicator_.get(), request);
    });
    sends_.push_back(request);
    ++messages_;
    // The target can reach this round although this rank waits inside its call.
    if (sends_.size() - waited_ > max_under_way) wait_for(sends_[waited_++]);
  }

  void wait_sent() override {
    wait_for_all(sends_);
    sends_.clear();
    waited_ = 0;
  }

  void wait_arrived(int group) override {
    std::size_t first = 0;
    std::size_t count = 0;
    for (const IncomingBlocks& one : *current_) {
      if (one.group > group) break;
      (one.group < group ? first : count) += one.times;
    }
    wait_for_all(std::span(receives_).subspan(first, count));
  }

  // release_buffer does nothing: a rank posts the receives of a round only when it enters the round.

 private:
  void post(const IncomingBlocks& one, std::size_t shift_bytes, MPI_Request& request) {
    std::byte* to = receive_buffer() + one.block.offset + shift_bytes;
    with_type(one.block, one.block.remote_stride, [&](int count, MPI_Datatype type) {
      start_receive(to, count, type, one.source, first_group_tag + one.group, communicator_.get(), request);
    });
  }

  /// Calls `start(count, type)` with an MPI datatype for a block with stride `stride`.
  template <typename Start>
  static void with_type(const StridedBlock& block, std::size_t stride, Start start) {
    if (block.count == 1) return start(numbers_of(block), MPI_DOUBLE);
    const VectorType vector(block, stride);
    start(1, vector.type());
  }

  mpi::Communicator communicator_;
  std::vector<ReceivePattern> patterns_;  // by pattern
  const ReceivePattern* current_ = nullptr;
  std::vector<MPI_Request> receives_;  // of the current pattern: by group, source and message
  std::vector<MPI_Request> sends_;
  std::size_t waited_ = 0;  // number of completed sends
};

}  // namespace

std::shared_ptr<BufferArena> two_sided_arena(const ArenaRequest& request) {
  return std::make_shared<HeapArena<TwoSidedExchange>>(request.memory_bytes);
}

}  // namespace stretto::exchange
