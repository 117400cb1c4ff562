// SPDX-License-Identifier: BSD-3-Clause
#include "exchange/pattern.hpp"

#include <algorithm>
#include <cstring>

namespace stretto::exchange {
namespace {

constexpr std::size_t word_bytes = sizeof(std::uint64_t);

/// Eight bytes of the pattern: the finaliser of a hash, so that another rank, offset or seed changes all of
/// them.
std::uint64_t pattern_word(std::size_t index, int rank, std::uint32_t seed) {
  std::uint64_t mixed = index + 0x9e3779b97f4a7c15ULL * ((static_cast<std::uint64_t>(rank) << 32 | seed) + 1);
  mixed = (mixed ^ (mixed >> 31)) * 0xbf58476d1ce4e5b9ULL;
  return mixed ^ (mixed >> 29);
}

/// Calls `visit(bytes of the word, first offset in the span, number of bytes)` for every word that the span
/// touches.
template <typename Visit>
void for_words(std::size_t offset_bytes, std::size_t size_bytes, int rank, std::uint32_t seed, Visit visit) {
  for (std::size_t done = 0; done < size_bytes;) {
    const std::size_t place = offset_bytes + done;
    const std::uint64_t word = pattern_word(place / word_bytes, rank, seed);
    const std::size_t within = place % word_bytes;
    const std::size_t count = std::min(word_bytes - within, size_bytes - done);
    visit(reinterpret_cast<const std::byte*>(&word) + within, done, count);
    done += count;
  }
}

}  // namespace

void fill_pattern(std::span<std::byte> bytes, int rank, std::uint32_t seed, std::size_t offset_bytes) {
  for_words(offset_bytes, bytes.size(), rank, seed,
            [&](const std::byte* word, std::size_t place, std::size_t count) {
              std::memcpy(bytes.data() + place, word, count);
            });
}

bool holds_pattern(std::span<const std::byte> bytes, std::size_t offset_bytes, int rank, std::uint32_t seed) {
  bool holds = true;
  for_words(offset_bytes, bytes.size(), rank, seed,
            [&](const std::byte* expected, std::size_t place, std::size_t count) {
              holds = holds && std::memcmp(bytes.data() + place, expected, count) == 0;
            });
  return holds;
}

}  // namespace stretto::exchange
