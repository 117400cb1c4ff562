// SPDX-License-Identifier: BSD-3-Clause
// The outgoing and incoming bytes of the virtual ranks. They are all zero until somebody fills them, and
// to copy zeros over zeros cannot be seen: so no byte is allocated or moved before the first fill().
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace stretto::transport {

/// Bytes that leave a rank and arrive at the same place of another.
struct Piece {
  int from = 0;
  int to = 0;
  std::size_t offset_bytes = 0;
  std::size_t size_bytes = 0;
};

class VirtualMemory {
 public:
  explicit VirtualMemory(int ranks) : ranks_(static_cast<std::size_t>(ranks)) {}

  void reserve(std::size_t size_bytes);
  [[nodiscard]] bool holds(std::size_t offset_bytes, std::size_t size_bytes) const {
    return size_bytes <= reserved_bytes_ && offset_bytes <= reserved_bytes_ - size_bytes;
  }
  [[nodiscard]] std::size_t reserved_bytes() const { return reserved_bytes_; }

  void fill(int rank, std::uint32_t seed);
  [[nodiscard]] bool filled() const { return filled_; }

  /// What the piece is made of now.
  [[nodiscard]] std::vector<std::byte> snapshot(const Piece& piece);
  /// The piece arrives: from the outgoing bytes of its rank, or from `earlier` ones if there are any.
  void deliver(const Piece& piece, const std::vector<std::byte>& earlier);
  /// Whether the piece that arrived is what `from` filled with `seed`.
  [[nodiscard]] bool arrived(const Piece& piece, std::uint32_t seed) const;

 private:
  struct Rank {
    std::vector<std::byte> outgoing;
    std::vector<std::byte> incoming;
  };

  Rank& grown(int rank);

  std::vector<Rank> ranks_;
  std::size_t reserved_bytes_ = 0;
  bool filled_ = false;
};

}  // namespace stretto::transport
