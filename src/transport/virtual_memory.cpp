// SPDX-License-Identifier: BSD-3-Clause
#include "transport/virtual_memory.hpp"

#include <algorithm>
#include <span>

#include "transport/pattern.hpp"

namespace stretto::transport {

void VirtualMemory::reserve(std::size_t size_bytes) { reserved_bytes_ = std::max(reserved_bytes_, size_bytes); }

VirtualMemory::Rank& VirtualMemory::grown(int rank) {
  Rank& memory = ranks_[static_cast<std::size_t>(rank)];
  if (memory.outgoing.size() < reserved_bytes_) {
    memory.outgoing.resize(reserved_bytes_);
    memory.incoming.resize(reserved_bytes_);
  }
  return memory;
}

void VirtualMemory::fill(int rank, std::uint32_t seed) {
  filled_ = true;
  Rank& memory = grown(rank);
  fill_pattern(memory.outgoing, rank, seed);
  std::fill(memory.incoming.begin(), memory.incoming.end(), std::byte{0});
}

std::vector<std::byte> VirtualMemory::snapshot(const Piece& piece) {
  const auto bytes = std::span{grown(piece.from).outgoing}.subspan(piece.offset_bytes, piece.size_bytes);
  return {bytes.begin(), bytes.end()};
}

void VirtualMemory::deliver(const Piece& piece, const std::vector<std::byte>& earlier) {
  if (!filled_) return;
  const std::span<const std::byte> source =
      earlier.empty() ? std::span{grown(piece.from).outgoing}.subspan(piece.offset_bytes, piece.size_bytes)
                      : std::span{earlier};
  const auto target = std::span{grown(piece.to).incoming}.subspan(piece.offset_bytes, piece.size_bytes);
  std::copy(source.begin(), source.end(), target.begin());
}

bool VirtualMemory::arrived(const Piece& piece, std::uint32_t seed) const {
  const std::vector<std::byte>& incoming = ranks_[static_cast<std::size_t>(piece.to)].incoming;
  if (piece.offset_bytes + piece.size_bytes > incoming.size()) return false;
  const auto bytes = std::span{incoming}.subspan(piece.offset_bytes, piece.size_bytes);
  return holds_pattern(bytes, piece.offset_bytes, piece.from, seed);
}

}  // namespace stretto::transport
