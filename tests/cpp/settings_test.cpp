// SPDX-License-Identifier: BSD-3-Clause
#include "probe/settings.hpp"

#include <gtest/gtest.h>

namespace stretto::probe {
namespace {

TEST(Settings, BothEndsOfARangeAreMeasured) {
  EXPECT_EQ(sizes_between({.min_bytes = 4, .max_bytes = 20}, 2), (std::vector<std::size_t>{4, 8, 16, 20}));
  EXPECT_EQ(sizes_between({.min_bytes = 8, .max_bytes = 8}, 2), (std::vector<std::size_t>{8}));
}

TEST(Settings, SidesAreReadBack) {
  for (const ComputingSide side : all_sides)
    EXPECT_EQ(measure::enumerator_from<ComputingSide>(to_string(side)), side);
  EXPECT_FALSE(measure::enumerator_from<ComputingSide>("neither"));
}

}  // namespace
}  // namespace stretto::probe
