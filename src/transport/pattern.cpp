// SPDX-License-Identifier: BSD-3-Clause
#include "transport/pattern.hpp"

namespace stretto::transport {
namespace {

/// A few multiplies a byte, so that bytes of another rank, place or seed differ nearly always.
std::byte pattern_at(std::size_t place, int rank, std::uint32_t seed) {
  std::uint64_t mixed = place + 0x9e3779b97f4a7c15ULL * (static_cast<std::uint64_t>(rank) + 1) + seed;
  mixed = (mixed ^ (mixed >> 31)) * 0xbf58476d1ce4e5b9ULL;
  return static_cast<std::byte>(mixed >> 56);
}

}  // namespace

void fill_pattern(std::span<std::byte> buffer, int rank, std::uint32_t seed) {
  for (std::size_t place = 0; place < buffer.size(); ++place) buffer[place] = pattern_at(place, rank, seed);
}

bool holds_pattern(std::span<const std::byte> bytes, std::size_t offset_bytes, int rank, std::uint32_t seed) {
  for (std::size_t i = 0; i < bytes.size(); ++i) {
    if (bytes[i] != pattern_at(offset_bytes + i, rank, seed)) return false;
  }
  return true;
}

}  // namespace stretto::transport
