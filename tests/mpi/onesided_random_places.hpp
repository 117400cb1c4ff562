// SPDX-License-Identifier: BSD-3-Clause
// Where in memory the random operations go.
#pragma once

#include <cstddef>

namespace stretto::testing::random_traffic {
// Each rank's part: a lane for each origin, which only that origin writes, then sums to which all add, then
// a counter for each origin's signals, words that each origin updates, one that all count with, words that
// all update, and bytes that no rank writes.
inline constexpr std::size_t half = 8192;  // of a lane: one is written while the other may be read
inline constexpr std::size_t lane = 2 * half;
inline constexpr std::size_t sums = 512;  // of 8 bytes each
inline constexpr std::size_t guard = 64;
inline constexpr std::size_t common_words = 7;

struct RandomPlaces {
  std::size_t ranks;
  [[nodiscard]] std::size_t of_lane(int origin) const { return static_cast<std::size_t>(origin) * lane; }
  [[nodiscard]] std::size_t of_sums() const { return ranks * lane; }
  [[nodiscard]] std::size_t of_signal(int origin) const {
    return of_sums() + sums * 8 + 8 * static_cast<std::size_t>(origin);
  }
  /// Each origin has two: one of an integer, one of a double.
  [[nodiscard]] std::size_t of_own_words(int origin) const {
    return of_signal(static_cast<int>(ranks)) + 16 * static_cast<std::size_t>(origin);
  }
  [[nodiscard]] std::size_t of_counter() const { return of_own_words(static_cast<int>(ranks)); }
  /// Each takes one kind of update, because only these commute.
  [[nodiscard]] std::size_t of_common_word(std::size_t kind) const { return of_counter() + 8 + 8 * kind; }
  [[nodiscard]] std::size_t size() const { return of_common_word(common_words) + guard; }
};

}  // namespace stretto::testing::random_traffic
