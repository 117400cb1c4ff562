// SPDX-License-Identifier: BSD-3-Clause
// What channels with memory of this process have in common: buffers that begin at a page, as the large arrays
// of programs do, and their verification.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <new>
#include <span>
#include <vector>

#include "exchange/channel.hpp"
#include "exchange/pattern.hpp"
#include "mpi/communicator.hpp"

namespace stretto::exchange {

template <typename T>
struct PageAllocator {
  using value_type = T;
  static constexpr std::align_val_t alignment{4096};

  PageAllocator() = default;
  // As allocators do. NOLINTNEXTLINE(google-explicit-constructor)
  template <typename U>
  PageAllocator(const PageAllocator<U>& /*other*/) {}

  [[nodiscard]] T* allocate(std::size_t count) {
    return static_cast<T*>(::operator new(count * sizeof(T), alignment));
  }
  void deallocate(T* memory, std::size_t /*count*/) { ::operator delete(memory, alignment); }
  bool operator==(const PageAllocator& /*other*/) const { return true; }
};

class MemoryChannel : public Channel {
 public:
  explicit MemoryChannel(MPI_Comm parent) : rank_(mpi::rank_in(parent)) {}

  [[nodiscard]] TransferBuffers memory(ChannelOperation operation) override { return buffers_of(operation); }

  void fill(std::uint32_t seed) override {
    for (const ChannelOperation operation : all_operations) {
      if (!supports(operation)) continue;
      fill_pattern(buffers_of(operation).outgoing, rank_, seed);
      std::ranges::fill(buffers_of(operation).incoming, std::byte{0});
    }
  }

  [[nodiscard]] bool arrived(const Transfer& transfer, std::uint32_t seed) const override {
    const auto bytes =
        buffers_of(transfer.operation).incoming.subspan(transfer.receive_offset(), transfer.size_bytes);
    return holds_pattern(bytes, transfer.offset_bytes, transfer.peer, seed);
  }

 protected:
  [[nodiscard]] std::size_t size_bytes() const { return outgoing_.size(); }
  [[nodiscard]] const TransferBuffers& buffers_of(ChannelOperation operation) const {
    return buffers_[static_cast<std::size_t>(operation)];
  }
  /// Where the data of a transfer leaves this rank from, and where it arrives at this rank.
  [[nodiscard]] std::byte* source(const Transfer& transfer) {
    return outgoing_.data() + transfer.offset_bytes;
  }
  [[nodiscard]] std::byte* destination(const Transfer& transfer) {
    return incoming_.data() + transfer.receive_offset();
  }

  /// Buffers of messages.
  void allocate(std::size_t size_bytes) {
    outgoing_.assign(size_bytes, std::byte{1});
    incoming_.assign(size_bytes, std::byte{0});
    buffers_.fill({outgoing_, incoming_});
  }

  /// Buffers of puts and gets. `exposed` is memory that other ranks access: the source of gets and then, from
  /// `size_bytes` on, the target of puts.
  void allocate(std::size_t size_bytes, std::span<std::byte> exposed) {
    allocate(size_bytes);
    std::ranges::fill(exposed, std::byte{1});
    buffers_.fill({exposed.first(size_bytes), incoming_});
    buffers_[static_cast<std::size_t>(ChannelOperation::put)] = {outgoing_,
                                                                 exposed.subspan(size_bytes, size_bytes)};
  }

 private:
  using PageMemory = std::vector<std::byte, PageAllocator<std::byte>>;

  int rank_;
  PageMemory outgoing_;                     // sources of messages and puts
  PageMemory incoming_;                     // destinations of messages and gets
  std::array<TransferBuffers, 3> buffers_;  // by operation
};

}  // namespace stretto::exchange
