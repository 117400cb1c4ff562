// SPDX-License-Identifier: BSD-3-Clause
// How the kernels move blocks into each other's landing arrays, round after round: one protocol over the
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

namespace stretto::kernel {

/// Bytes that land at `offset`: `count` blocks, so many bytes apart here and there. All multiples of 8.
struct Block {
  std::size_t offset = 0;
  std::size_t size_bytes = 0;  ///< of one of them
  std::size_t count = 1;
  std::size_t here_stride = 0;
  std::size_t there_stride = 0;

  [[nodiscard]] std::size_t total_bytes() const { return size_bytes * count; }
};

/// What lands here in every round of a route, in the order in which each source sends it.
struct Incoming {
  int source = 0;
  int group = 0;
  Block block;
};

using Route = std::vector<Incoming>;

/// What is in force for all ranks of a mover, and equal on them.
struct MoverShape {
  std::size_t landing_bytes = 0;  ///< of this rank; may differ
  int groups = 1;                 ///< arrivals are waited for by group; the most that any route has
  bool blocking = false;          ///< one-sided: every send is complete before it returns
  /// The caller sees to it that a block has been read before it sends the next one to the same place: between
  /// them the target has sent it something of a later round. Then nothing need tell of what was read. Every
  /// group has one source then, the same on all routes.
  bool self_paced = false;
};

/// Rounds, each on one of the routes that the mover was made for. A round: open; send, any number; arrived,
/// for each group, and for one at least on every rank; sent. Every rank goes through every round, on the same
/// route, and no rank sends to itself. A rank that lets others write into its landing says so by release,
/// once a round, when it has read what the round before brought (at the latest before it waits for arrivals).
class Mover {
 public:
  virtual ~Mover() = default;

  /// This rank's landing array, aligned to 64; written by others between open and release.
  [[nodiscard]] virtual std::byte* landing() = 0;
  /// Whether a send to this rank is a copy that is complete on return, so that its source need not stay.
  [[nodiscard]] virtual bool copies_to(int target) const = 0;

  virtual void open(std::size_t route) = 0;
  /// Starts one incoming block of `target`. What it reads stays unchanged until sent() unless
  /// copies_to(target).
  virtual void send(int target, const std::byte* from, const Block& block, int group) = 0;
  /// Part of a block whose arrival a later send of its group announces. Throws std::logic_error unless
  /// copies_to(target).
  virtual void store(int target, const std::byte* from, const Block& block);
  /// Sources may be changed.
  virtual void sent() = 0;
  /// Waits until the blocks of this group are here.
  virtual void arrived(int group) = 0;
  /// Others may write into this rank's landing, for one more round.
  virtual void release() = 0;

  /// Sends so far.
  [[nodiscard]] std::uint64_t messages() const { return messages_; }
  /// Bytes of memory it holds: the landing and what belongs to it.
  [[nodiscard]] virtual std::size_t memory_bytes() const = 0;

 protected:
  std::uint64_t messages_ = 0;
};

/// Collective over the team.
[[nodiscard]] std::unique_ptr<Mover> make_mover(Transport transport, Runtime& runtime, const Team& team,
                                                const MoverShape& shape, std::vector<Route> routes);

}  // namespace stretto::kernel
