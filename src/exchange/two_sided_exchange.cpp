// SPDX-License-Identifier: BSD-3-Clause
// Isend and Irecv. All receives are posted when a round opens, in the order in which messages come, so that
// MPI finds each at the head of what it has to search.
#include <mpi.h>

#include <algorithm>
#include <span>
#include <utility>

#include "exchange/arenas.hpp"
#include "exchange/receive_buffer.hpp"
#include "mpi/check.hpp"
#include "mpi/communicator.hpp"
#include "mpi/count.hpp"

namespace stretto::exchange {
namespace {

using mpi::check;

constexpr int tag = 1;
/// Sends of one rank. Open MPI goes through all that wait, for each that goes on: 16,000 of 4 KiB took 28 s
/// and 1.7 GB within one machine, so many at once 1 s and nothing.
constexpr std::size_t most_under_way = 128;

/// Blocks `stride` bytes apart, for as long as a call needs it.
class Shape {
 public:
  Shape(const StridedBlock& block, std::size_t stride) {
    check(MPI_Type_create_hvector(mpi::count_of(block.count, "blocks in one message"), numbers_of(block),
                                  static_cast<MPI_Aint>(stride), MPI_DOUBLE, &type_),
          "MPI_Type_create_hvector");
    check(MPI_Type_commit(&type_), "MPI_Type_commit");
  }
  Shape(const Shape&) = delete;
  Shape& operator=(const Shape&) = delete;
  ~Shape() { MPI_Type_free(&type_); }
  [[nodiscard]] MPI_Datatype type() const { return type_; }

 private:
  MPI_Datatype type_ = MPI_DATATYPE_NULL;
};

class TwoSidedArena final : public BufferArena {
 public:
  explicit TwoSidedArena(std::size_t size_bytes)
      : size_bytes_(size_bytes), memory_(make_receive_buffer(size_bytes)) {}

  std::byte* memory() override { return memory_.get(); }
  std::size_t memory_bytes() const override { return size_bytes_; }
  std::unique_ptr<Exchange> exchange(const Team& team, const ExchangeShape& shape,
                                     std::vector<ReceivePattern> patterns) override;

 private:
  std::size_t size_bytes_;
  ReceiveBuffer memory_;
};

class TwoSidedExchange final : public Exchange {
 public:
  TwoSidedExchange(std::shared_ptr<BufferArena> arena, const Team& team, const ExchangeShape& shape,
                   std::vector<ReceivePattern> patterns)
      : arena_(std::move(arena)),
        communicator_(team.communicator()),
        receive_buffer_(arena_->memory() + shape.arena_offset),
        patterns_(std::move(patterns)) {
    for (ReceivePattern& pattern : patterns_) std::ranges::stable_sort(pattern, {}, &IncomingBlocks::group);
  }

  std::byte* receive_buffer() override { return receive_buffer_; }
  bool copies_to(int /*target*/) const override { return false; }

  /// The order among groups of one source does not matter: each group has its own tag.
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
        if (time < one.times) post(one, shift_bytes + time * one.apart, receives_[first + time]);
        first += one.times;
      }
    }
  }

  void send(int target, const std::byte* from, const StridedBlock& block, int group) override {
    MPI_Request request = MPI_REQUEST_NULL;
    if (block.count == 1) {
      check(
          MPI_Isend(from, numbers_of(block), MPI_DOUBLE, target, tag + group, communicator_.get(), &request),
          "MPI_Isend");
    } else {
      const Shape shape(block, block.local_stride);
      check(MPI_Isend(from, 1, shape.type(), target, tag + group, communicator_.get(), &request),
            "MPI_Isend");
    }
    sends_.push_back(request);
    ++messages_;
    // Its target comes to this round without this rank, which is in its call meanwhile.
    if (sends_.size() - waited_ > most_under_way) {
      check(MPI_Wait(&sends_[waited_++], MPI_STATUS_IGNORE), "MPI_Wait");
    }
  }

  void wait_sent() override {
    wait(sends_);
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
    wait(std::span(receives_).subspan(first, count));
  }

  void release_buffer() override {
  }  // the next round's receives are posted only when this rank has come to it

 private:
  void post(const IncomingBlocks& one, std::size_t shift_bytes, MPI_Request& request) {
    const auto& [source, group, block, times, apart] = one;
    std::byte* to = receive_buffer_ + block.offset + shift_bytes;
    if (block.count == 1) {
      check(MPI_Irecv(to, numbers_of(block), MPI_DOUBLE, source, tag + group, communicator_.get(), &request),
            "MPI_Irecv");
    } else {
      const Shape shape(block, block.remote_stride);
      check(MPI_Irecv(to, 1, shape.type(), source, tag + group, communicator_.get(), &request), "MPI_Irecv");
    }
  }

  static void wait(std::span<MPI_Request> requests) {
    check(
        MPI_Waitall(mpi::count_of(requests.size(), "messages at once"), requests.data(), MPI_STATUSES_IGNORE),
        "MPI_Waitall");
  }

  std::shared_ptr<BufferArena> arena_;
  mpi::Communicator communicator_;
  std::byte* receive_buffer_;
  std::vector<ReceivePattern> patterns_;  // each by group
  const ReceivePattern* current_ = nullptr;
  std::vector<MPI_Request> receives_;  // of the current pattern, by group, source and time
  std::vector<MPI_Request> sends_;
  std::size_t waited_ = 0;  // for so many of them
};

std::unique_ptr<Exchange> TwoSidedArena::exchange(const Team& team, const ExchangeShape& shape,
                                                  std::vector<ReceivePattern> patterns) {
  return std::make_unique<TwoSidedExchange>(shared_from_this(), team, shape, std::move(patterns));
}

}  // namespace

std::shared_ptr<BufferArena> two_sided_arena(std::size_t memory_bytes) {
  return std::make_shared<TwoSidedArena>(memory_bytes);
}

}  // namespace stretto::exchange
