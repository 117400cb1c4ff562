// SPDX-License-Identifier: BSD-3-Clause
// Parts that the exchanges of several transports share: arenas in plain memory, and the places of the other
// ranks' receive buffers.
#pragma once

#include <map>
#include <memory>
#include <utility>
#include <vector>

#include "exchange/exchange.hpp"
#include "exchange/receive_buffer.hpp"
#include "mpi/count.hpp"

namespace stretto::exchange {

/// The size of one piece of a block in MPI_DOUBLE elements. Throws std::invalid_argument where MPI's int
/// cannot hold it.
[[nodiscard]] inline int numbers_of(const StridedBlock& block) {
  return mpi::count_of(block.size_bytes / sizeof(double), "numbers in one block");
}

/// An arena in plain memory, for transports that write only into the memory of their own rank.
template <typename AnExchange>
class HeapArena final : public BufferArena {
 public:
  explicit HeapArena(std::size_t size_bytes)
      : size_bytes_(size_bytes), memory_(make_receive_buffer(size_bytes)) {}

  std::byte* memory() override { return memory_.get(); }
  std::size_t memory_bytes() const override { return size_bytes_; }
  std::unique_ptr<Exchange> exchange(const Team& team, const ExchangeShape& shape,
                                     std::vector<ReceivePattern> patterns) override {
    return std::make_unique<AnExchange>(shared_from_this(), team, shape, std::move(patterns));
  }

 private:
  std::size_t size_bytes_;
  ReceiveBuffer memory_;
};

/// The receive buffer of another rank.
struct RemoteBuffer {
  int rank = 0;            ///< in the arena
  std::size_t offset = 0;  ///< bytes, in that rank's part of the arena
};

/// The ranks of an arena in which ranks write into each other's memory.
class ArenaRanks {
 public:
  explicit ArenaRanks(const Team& team);

  /// The receive buffers of all ranks, indexed by rank of `team`. Each rank passes the offset of its own
  /// receive buffer. Collective over `team`.
  [[nodiscard]] std::vector<RemoteBuffer> buffers_of(const Team& team, std::size_t own_offset) const;

 private:
  std::map<int, int> ranks_;  // ranks of the arena, by rank of the runtime
};

}  // namespace stretto::exchange
