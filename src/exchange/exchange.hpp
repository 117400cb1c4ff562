// SPDX-License-Identifier: BSD-3-Clause
// Moves blocks of the kernels into other ranks' receive buffers, in rounds. One protocol covers the one-sided
// runtime, MPI windows, Isend and Irecv, and one blocking all-to-all. It does not know what the data means.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <stretto/team.hpp>
#include <stretto/transport.hpp>
#include <vector>

namespace stretto {
class Runtime;
}

namespace stretto::exchange {

/// `count` blocks of `size_bytes` that arrive at `offset`, with one stride at the source and one at the
/// target. All values are multiples of 8.
struct StridedBlock {
  std::size_t offset = 0;
  std::size_t size_bytes = 0;  ///< of one block
  std::size_t count = 1;
  std::size_t local_stride = 0;
  std::size_t remote_stride = 0;
};

/// The blocks that arrive here from one source in every round of a pattern, in the order in which the source
/// sends them.
struct IncomingBlocks {
  int source = 0;
  int group = 0;
  StridedBlock block;
  std::size_t times = 1;           ///< number of messages, at consecutive places
  std::size_t message_stride = 0;  ///< bytes between the places of consecutive messages
};

using ReceivePattern = std::vector<IncomingBlocks>;

/// The parameters of an exchange. They are equal on all ranks except where stated.
struct ExchangeShape {
  std::size_t buffer_bytes = 0;  ///< size of this rank's receive buffer; may differ between ranks
  /// Offset of the receive buffer in the memory of its arena; may differ between ranks.
  std::size_t arena_offset = 0;
  /// Number of groups, the units in which arrivals are waited for; the maximum over all patterns.
  int groups = 1;
  bool blocking = false;  ///< one-sided: every send is complete before it returns
  /// The caller guarantees that a block has been read before its source writes to the same place again: in
  /// between, the target has sent it something of a later round. No credits are sent then. Every group then
  /// has one source, the same in all patterns.
  bool implicit_credits = false;
};

class BufferArena;

/// Rounds of communication, each on one of the patterns that were given at construction.
/// A round consists of open; any number of send; wait_arrived for each group, at least one on every rank; and
/// wait_sent.
/// Every rank takes part in every round with the same pattern, and no rank sends to itself.
/// A rank calls release_buffer once per round, when it has read the data of the previous round, to let others
/// write into its receive buffer. It must do so before it waits for arrivals.
class Exchange {
 public:
  Exchange(const Exchange&) = delete;
  Exchange& operator=(const Exchange&) = delete;
  virtual ~Exchange() = default;

  /// This rank's receive buffer, aligned to 64 bytes where its first byte is in the arena. Other ranks write
  /// to it between open and release_buffer.
  [[nodiscard]] std::byte* receive_buffer() const { return receive_buffer_; }
  /// Whether a send to this rank is a copy that is complete on return, so that its source may be overwritten
  /// at once.
  [[nodiscard]] virtual bool copies_to(int /*target*/) const { return false; }

  /// Begins a round. All its data arrives `shift_bytes` further than the pattern says; senders add the shift
  /// themselves.
  virtual void open(std::size_t pattern, std::size_t shift_bytes) = 0;
  void open(std::size_t pattern) { open(pattern, 0); }
  /// Starts the transfer of one incoming block of `target`. Its source must stay unchanged until wait_sent()
  /// unless copies_to(target).
  virtual void send(int target, const std::byte* from, const StridedBlock& block, int group) = 0;
  /// Stores part of a block. A later send of its group signals the arrival of the whole block. Throws
  /// std::logic_error unless copies_to(target).
  virtual void store(int target, const std::byte* from, const StridedBlock& block);
  /// Waits until the sources of all sends may be changed.
  virtual void wait_sent() = 0;
  /// Waits until all blocks of this group have arrived.
  virtual void wait_arrived(int group) = 0;
  /// Lets other ranks write into this rank's receive buffer for one more round.
  virtual void release_buffer() {}

  /// The number of sends so far.
  [[nodiscard]] std::uint64_t messages() const { return messages_; }

 protected:
  Exchange(std::shared_ptr<BufferArena> arena, const ExchangeShape& shape);

  std::uint64_t messages_ = 0;

 private:
  std::shared_ptr<BufferArena> arena_;  // shared by its exchanges, which keep it alive
  std::byte* receive_buffer_;
};

/// Memory on each rank of a team that holds the receive buffers of exchanges, over this team and teams within
/// it. The exchanges keep the arena alive. The caller decides where data arrives. It must ensure that of
/// overlapping receive buffers only one is in use at a time.
class BufferArena : public std::enable_shared_from_this<BufferArena> {
 public:
  BufferArena() = default;
  BufferArena(const BufferArena&) = delete;
  BufferArena& operator=(const BufferArena&) = delete;
  virtual ~BufferArena() = default;

  /// This rank's memory, aligned to 64 bytes.
  [[nodiscard]] virtual std::byte* memory() = 0;
  /// Bytes that are allocated for the memory and everything that belongs to it.
  [[nodiscard]] virtual std::size_t memory_bytes() const = 0;
  /// Makes an exchange. Collective over `team`. All ranks of the arena make their exchanges in the same
  /// order, with equal numbers of groups, in teams of equal size.
  [[nodiscard]] virtual std::unique_ptr<Exchange> exchange(const Team& team, const ExchangeShape& shape,
                                                           std::vector<ReceivePattern> patterns) = 0;
};

/// Makes an arena. `flags`: the sum over all exchanges of their groups and the ranks of their teams.
/// Collective over the team.
[[nodiscard]] std::shared_ptr<BufferArena> make_arena(Transport transport, const Team& team, Runtime& runtime,
                                                      std::size_t memory_bytes, std::size_t flags);

/// Makes an exchange in an arena of its own. Collective over the team.
[[nodiscard]] std::unique_ptr<Exchange> make_exchange(Transport transport, Runtime& runtime, const Team& team,
                                                      const ExchangeShape& shape,
                                                      std::vector<ReceivePattern> patterns);

}  // namespace stretto::exchange
