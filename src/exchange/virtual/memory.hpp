// SPDX-License-Identifier: BSD-3-Clause
// The outgoing and incoming bytes of the virtual ranks. What arrives is really written and really read.
// What leaves is a function of rank, place and seed, so of it only the seed is kept; and before the first
// fill() all is zero, where to copy zeros over zeros cannot be seen and is not done.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

namespace stretto::exchange {

/// Bytes that leave a place of a rank and arrive at one of another.
struct Piece {
  int from = 0;
  int to = 0;
  std::size_t offset_bytes = 0;
  std::size_t receive_offset_bytes = 0;
  std::size_t size_bytes = 0;
};

/// What the outgoing bytes of a rank are: the pattern of a seed, or zeros.
using Content = std::optional<std::uint32_t>;

class VirtualMemory {
 public:
  explicit VirtualMemory(int ranks) : ranks_(static_cast<std::size_t>(ranks)) {}

  void reserve(std::size_t size_bytes);
  [[nodiscard]] bool holds(std::size_t offset_bytes, std::size_t size_bytes) const {
    return size_bytes <= reserved_bytes_ && offset_bytes <= reserved_bytes_ - size_bytes;
  }
  [[nodiscard]] std::size_t reserved_bytes() const { return reserved_bytes_; }

  /// The outgoing bytes become the pattern of `seed`, the incoming ones zero.
  void fill(int rank, std::uint32_t seed);
  [[nodiscard]] const Content& content(int rank) const {
    return ranks_[static_cast<std::size_t>(rank)].content;
  }

  /// The piece, of `content`, arrives.
  void deliver(const Piece& piece, const Content& content);
  /// Whether what arrived at the piece's place is what `from` fills with `seed`.
  [[nodiscard]] bool arrived(const Piece& piece, std::uint32_t seed) const;

 private:
  struct Rank {
    Content content;
    std::vector<std::byte> incoming;  // as far as anything has arrived; beyond, zeros
  };

  std::vector<Rank> ranks_;
  std::size_t reserved_bytes_ = 0;
  bool filled_ = false;
};

}  // namespace stretto::exchange
