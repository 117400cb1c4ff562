// SPDX-License-Identifier: BSD-3-Clause
#include "mpi/count.hpp"

#include <gtest/gtest.h>

#include "refusal.hpp"

namespace stretto::mpi {
namespace {

TEST(CountOf, AllowsCountsUpToAnInt) {
  EXPECT_EQ(count_of(0, "numbers"), 0);
  EXPECT_EQ(count_of(2147483647, "numbers"), 2147483647);
}

TEST(CountOf, LargerCountsAreRefusedByName) {
  for (const std::size_t number : {std::size_t{2147483648}, std::size_t{1} << 32U, ~std::size_t{0}}) {
    const std::string refusal =
        testing::refusal_of<std::invalid_argument>([&] { return count_of(number, "numbers in one block"); });
    EXPECT_TRUE(testing::has(refusal, std::to_string(number) + " numbers in one block"));
  }
}

}  // namespace
}  // namespace stretto::mpi
