// SPDX-License-Identifier: BSD-3-Clause
#include "known_answers/memory.hpp"

#include <algorithm>
#include <span>

#include "exchange/pattern.hpp"

namespace stretto::known_answers {

using exchange::fill_pattern;
using exchange::holds_pattern;

void VirtualMemory::reserve(std::size_t size_bytes) {
  reserved_bytes_ = std::max(reserved_bytes_, size_bytes);
}

void VirtualMemory::fill(int rank, std::uint32_t seed) {
  filled_ = true;
  Rank& memory = ranks_[static_cast<std::size_t>(rank)];
  memory.content = seed;
  memory.incoming.clear();  // the capacity stays; resizing fills with zeros
}

void VirtualMemory::deliver(const Piece& piece, const Content& content) {
  if (!filled_) return;
  std::vector<std::byte>& incoming = ranks_[static_cast<std::size_t>(piece.to)].incoming;
  if (incoming.size() < piece.receive_offset_bytes + piece.size_bytes) {
    incoming.resize(piece.receive_offset_bytes + piece.size_bytes);
  }
  const auto target = std::span{incoming}.subspan(piece.receive_offset_bytes, piece.size_bytes);
  if (content) {
    fill_pattern(target, piece.from, *content, piece.offset_bytes);
  } else {
    std::fill(target.begin(), target.end(), std::byte{0});
  }
}

bool VirtualMemory::arrived(const Piece& piece, std::uint32_t seed) const {
  const std::vector<std::byte>& incoming = ranks_[static_cast<std::size_t>(piece.to)].incoming;
  if (piece.receive_offset_bytes + piece.size_bytes > incoming.size()) return piece.size_bytes == 0;
  const auto bytes = std::span{incoming}.subspan(piece.receive_offset_bytes, piece.size_bytes);
  return holds_pattern(bytes, piece.offset_bytes, piece.from, seed);
}

}  // namespace stretto::known_answers
