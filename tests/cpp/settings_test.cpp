// SPDX-License-Identifier: BSD-3-Clause
#include "probe/settings.hpp"

#include <gtest/gtest.h>

#include <stdexcept>

namespace stretto::probe {
namespace {

TEST(Settings, SizesAreRead) {
  EXPECT_EQ(size_from("8"), 8U);
  EXPECT_EQ(size_from("64KiB"), 65536U);
  EXPECT_EQ(size_from("1MiB"), 1048576U);
}

TEST(Settings, WhatIsNoSizeIsRefused) {
  for (const char* text :
       {"", "KiB", "-8", "8kb", "8 KiB", "1e3", "99999999999999999999", "68719476736GiB"}) {
    EXPECT_THROW((void)size_from(text), std::invalid_argument) << text;
  }
}

TEST(Settings, RangesAreReadAndReversedOnesRefused) {
  const SizeRange range = size_range_from("8:1MiB");
  EXPECT_EQ(range.min_bytes, 8U);
  EXPECT_EQ(range.max_bytes, 1048576U);
  for (const char* text : {"8", "1MiB:8", "0:8", "8:128MiB", ":", "8:", "8:16:32"}) {
    EXPECT_THROW((void)size_range_from(text), std::invalid_argument) << text;
  }
}

TEST(Settings, BothEndsOfARangeAreMeasured) {
  EXPECT_EQ(sizes_between({.min_bytes = 4, .max_bytes = 20}, 2), (std::vector<std::size_t>{4, 8, 16, 20}));
  EXPECT_EQ(sizes_between({.min_bytes = 8, .max_bytes = 8}, 2), (std::vector<std::size_t>{8}));
}

TEST(Settings, SidesAreReadBack) {
  for (const Side side : all_sides) EXPECT_EQ(side_from(to_string(side)), side);
  EXPECT_FALSE(side_from("neither"));
}

}  // namespace
}  // namespace stretto::probe
