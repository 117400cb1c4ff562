// SPDX-License-Identifier: BSD-3-Clause
#include "mpi/count.hpp"

#include <gtest/gtest.h>

namespace stretto::mpi {
namespace {

TEST(CountOf, AllowsCountsUpToAnInt) {
  EXPECT_EQ(count_of(0, "numbers"), 0);
  EXPECT_EQ(count_of(2147483647, "numbers"), 2147483647);
}

TEST(CountOf, LargerCountsAreRefusedByName) {
  for (const std::size_t number : {std::size_t{2147483648}, std::size_t{1} << 32U, ~std::size_t{0}}) {
    try {
      (void)count_of(number, "numbers in one block");
      FAIL() << number;
    } catch (const std::invalid_argument& error) {
      EXPECT_NE(std::string(error.what()).find(std::to_string(number) + " numbers in one block"),
                std::string::npos);
    }
  }
}

}  // namespace
}  // namespace stretto::mpi
