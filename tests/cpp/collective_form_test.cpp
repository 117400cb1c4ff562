// SPDX-License-Identifier: BSD-3-Clause
#include <gtest/gtest.h>

#include <limits>
#include <stretto/collective_form.hpp>

namespace stretto::collective {
namespace {

TEST(Grid, IsReadAndWritten) {
  EXPECT_EQ(grid_from("4x24"), (Grid{.rows = 4, .columns = 24}));
  EXPECT_TRUE(grid_from("flat")->is_flat());
  for (const char* text : {"", "x", "4x", "x4", "0x4", "-2x3", "4x3x2", "4 x 3", "99999999999x2"}) {
    EXPECT_FALSE(grid_from(text)) << text;
  }
  EXPECT_EQ(to_string(*grid_from("4x24")), "4x24");
  EXPECT_EQ(factorisations(12).size(), 4U);
  EXPECT_TRUE(factorisations(13).empty());
  EXPECT_TRUE(grid_of_columns(7, 3).holds(7));
  EXPECT_FALSE((Grid{.rows = 4, .columns = 3}.holds(7)));
  EXPECT_FALSE((Grid{.rows = 2, .columns = 3}.holds(7)));
}

TEST(Grid, OfMoreRanksThanAnIntHasIsNotOfFew) {
  const Grid grid{.rows = 4, .columns = (1 << 30) + 1};  // 2^32 + 4
  EXPECT_FALSE(grid.is_regular(4));
  EXPECT_FALSE(grid.holds(4));
  constexpr int most = std::numeric_limits<int>::max();
  EXPECT_TRUE(grid_of_columns(most, 2).holds(most));
}

}  // namespace
}  // namespace stretto::collective
