// SPDX-License-Identifier: BSD-3-Clause
// How the kernels move blocks into each other's receive buffers, round after round: one protocol over the
// one-sided runtime, MPI's own windows, Isend and Irecv, and one blocking all-to-all. It knows nothing of
// what is moved.
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

/// Bytes that land at `offset`: `count` blocks, so many bytes apart here and there. All multiples of 8.
struct StridedBlock {
  std::size_t offset = 0;
  std::size_t size_bytes = 0;  ///< of one of them
  std::size_t count = 1;
  std::size_t local_stride = 0;
  std::size_t remote_stride = 0;

  [[nodiscard]] std::size_t total_bytes() const { return size_bytes * count; }
};

/// What lands here in every round of a pattern, in the order in which each source sends it.
struct IncomingBlocks {
  int source = 0;
  int group = 0;
  StridedBlock block;
  std::size_t times = 1;  ///< as many messages, one behind the other
  std::size_t apart = 0;  ///< bytes from where one of them lands to where the next one does
};

using ReceivePattern = std::vector<IncomingBlocks>;

/// What is in force for all ranks of an exchange, and equal on them.
struct ExchangeShape {
  std::size_t buffer_bytes = 0;  ///< of this rank; may differ
  std::size_t arena_offset = 0;  ///< bytes before it in the memory of its arena; may differ
  int groups = 1;                ///< arrivals are waited for by group; the most that any pattern has
  bool blocking = false;         ///< one-sided: every send is complete before it returns
  /// The caller sees to it that a block has been read before it sends the next one to the same place: between
  /// them the target has sent it something of a later round. Then nothing need tell of what was read. Every
  /// group has one source then, the same on all patterns.
  bool implicit_credits = false;
};

class BufferArena;

/// Rounds, each on one of the patterns that the exchange was made for. A round: open; send, any number;
/// wait_arrived, for each group, and for one at least on every rank; wait_sent. Every rank goes through every
/// round, on the same pattern, and no rank sends to itself. A rank lets others write into its receive buffer
/// by release_buffer, once a round, when it has read what the round before brought. At the latest it does so
/// before it waits for arrivals.
class Exchange {
 public:
  Exchange(const Exchange&) = delete;
  Exchange& operator=(const Exchange&) = delete;
  virtual ~Exchange() = default;

  /// This rank's receive buffer, aligned to 64 where its first byte is; written by others between open and
  /// release_buffer.
  [[nodiscard]] std::byte* receive_buffer() const { return receive_buffer_; }
  /// Whether a send to this rank is a copy that is complete on return, so that its source need not stay.
  [[nodiscard]] virtual bool copies_to(int /*target*/) const { return false; }

  /// All of the round lands `shift_bytes` further than the pattern says: those who send add it themselves.
  virtual void open(std::size_t pattern, std::size_t shift_bytes) = 0;
  void open(std::size_t pattern) { open(pattern, 0); }
  /// Starts one incoming block of `target`. What it reads stays unchanged until wait_sent() unless
  /// copies_to(target).
  virtual void send(int target, const std::byte* from, const StridedBlock& block, int group) = 0;
  /// Part of a block; a later send of its group signals the arrival of the whole. Throws std::logic_error
  /// unless copies_to(target).
  virtual void store(int target, const std::byte* from, const StridedBlock& block);
  /// Sources may be changed.
  virtual void wait_sent() = 0;
  /// Waits until the blocks of this group are here.
  virtual void wait_arrived(int group) = 0;
  /// Others may write into this rank's receive buffer, for one more round.
  virtual void release_buffer() {}

  /// Sends so far.
  [[nodiscard]] std::uint64_t messages() const { return messages_; }

 protected:
  Exchange(std::shared_ptr<BufferArena> arena, const ExchangeShape& shape);

  std::uint64_t messages_ = 0;

 private:
  std::shared_ptr<BufferArena> arena_;  // lives as long as its exchanges
  std::byte* receive_buffer_;
};

/// Memory of each rank of a team, in which exchanges land: those of the team, and of teams within it.
/// Exchanges keep it as long as they live. What lands where, and that receive buffers overlap only while one
/// of them is in use, is the caller's business.
class BufferArena : public std::enable_shared_from_this<BufferArena> {
 public:
  BufferArena() = default;
  BufferArena(const BufferArena&) = delete;
  BufferArena& operator=(const BufferArena&) = delete;
  virtual ~BufferArena() = default;

  /// This rank's, aligned to 64.
  [[nodiscard]] virtual std::byte* memory() = 0;
  /// Bytes that are held for it, with all that belongs to it.
  [[nodiscard]] virtual std::size_t memory_bytes() const = 0;
  /// Collective over `team`. All ranks of the arena make theirs in the same order, with as many groups, and
  /// in teams of as many ranks.
  [[nodiscard]] virtual std::unique_ptr<Exchange> exchange(const Team& team, const ExchangeShape& shape,
                                                           std::vector<ReceivePattern> patterns) = 0;
};

/// Collective over the team. `flags`: for all exchanges together, their groups and the ranks of their teams.
[[nodiscard]] std::shared_ptr<BufferArena> make_arena(Transport transport, const Team& team, Runtime& runtime,
                                                      std::size_t memory_bytes, std::size_t flags);

/// An exchange on arena of its own. Collective over the team.
[[nodiscard]] std::unique_ptr<Exchange> make_exchange(Transport transport, Runtime& runtime, const Team& team,
                                                      const ExchangeShape& shape,
                                                      std::vector<ReceivePattern> patterns);

}  // namespace stretto::exchange
