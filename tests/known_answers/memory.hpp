// SPDX-License-Identifier: BSD-3-Clause
// The outgoing and incoming bytes of the virtual ranks. Incoming bytes are stored and compared. Outgoing
// bytes are a function of rank, offset and seed, so only the seed is stored. Before the first fill() all
// bytes are zero and nothing is copied.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

namespace stretto::known_answers {

/// Bytes that go from an offset of one rank to an offset of another.
struct Piece {
  int from = 0;
  int to = 0;
  std::size_t offset_bytes = 0;
  std::size_t receive_offset_bytes = 0;
  std::size_t size_bytes = 0;
};

/// The content of a rank's outgoing bytes: the pattern of a seed, or zeros.
using Content = std::optional<std::uint32_t>;

class VirtualMemory {
 public:
  explicit VirtualMemory(int ranks) : ranks_(static_cast<std::size_t>(ranks)) {}

  void reserve(std::size_t size_bytes);
  [[nodiscard]] bool holds(std::size_t offset_bytes, std::size_t size_bytes) const {
    return size_bytes <= reserved_bytes_ && offset_bytes <= reserved_bytes_ - size_bytes;
  }
  [[nodiscard]] std::size_t reserved_bytes() const { return reserved_bytes_; }

  /// Sets the outgoing bytes to the pattern of `seed` and the incoming bytes to zero.
  void fill(int rank, std::uint32_t seed);
  [[nodiscard]] const Content& content(int rank) const {
    return ranks_[static_cast<std::size_t>(rank)].content;
  }

  /// Stores the piece with `content` at its target.
  void deliver(const Piece& piece, const Content& content);
  /// Whether the bytes at the piece's target are those that `from` fills with `seed`.
  [[nodiscard]] bool arrived(const Piece& piece, std::uint32_t seed) const;

 private:
  struct Rank {
    Content content;
    std::vector<std::byte> incoming;  // up to the last byte that has arrived; zeros beyond
  };

  std::vector<Rank> ranks_;
  std::size_t reserved_bytes_ = 0;
  bool filled_ = false;
};

}  // namespace stretto::known_answers
