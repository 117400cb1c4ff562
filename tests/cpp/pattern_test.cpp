// SPDX-License-Identifier: BSD-3-Clause
#include "exchange/pattern.hpp"

#include <gtest/gtest.h>

#include <vector>

namespace stretto::exchange {
namespace {

std::span<const std::byte> part(const std::vector<std::byte>& buffer, std::size_t offset, std::size_t size) {
  return std::span{buffer}.subspan(offset, size);
}

TEST(Pattern, EveryPartIsRecognised) {
  std::vector<std::byte> buffer(1003);
  fill_pattern(buffer, 3, 42);
  for (std::size_t offset = 0; offset < 40; ++offset) {
    for (const std::size_t size : {0, 1, 7, 8, 9, 500}) {
      EXPECT_TRUE(holds_pattern(part(buffer, offset, size), offset, 3, 42)) << offset << " " << size;
    }
  }
}

TEST(Pattern, EveryWordDependsOnRankPlaceAndSeed) {
  std::vector<std::byte> buffer(4096);
  fill_pattern(buffer, 3, 42);
  for (std::size_t offset = 0; offset + 8 <= buffer.size(); offset += 8) {
    const auto word = part(buffer, offset, 8);
    EXPECT_FALSE(holds_pattern(word, offset, 2, 42));
    EXPECT_FALSE(holds_pattern(word, offset + 8, 3, 42));
    EXPECT_FALSE(holds_pattern(word, offset, 3, 43));
  }
}

TEST(Pattern, OneWrongByteIsDetected) {
  std::vector<std::byte> buffer(64);
  fill_pattern(buffer, 0, 1);
  buffer[63] ^= std::byte{1};
  EXPECT_FALSE(holds_pattern(buffer, 0, 0, 1));
}

}  // namespace
}  // namespace stretto::exchange
