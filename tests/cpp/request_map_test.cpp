// SPDX-License-Identifier: BSD-3-Clause
// A request has its value from when it is added until it is taken out, whatever happens to others.
#include "analysis/request_map.hpp"

#include <gtest/gtest.h>

#include <map>
#include <random>

namespace stretto::analysis {
namespace {

TEST(RequestMap, IsAMap) {
  for (unsigned seed = 0; seed < 20; ++seed) {
    std::mt19937 random(seed);
    // Few numbers, so that requests come back; far apart, so that some share a place.
    std::uniform_int_distribution<std::uint32_t> number(0, 1U << (seed % 8 + 2));
    const std::uint32_t stride = seed % 2 == 0 ? 1 : 1U << 20U;
    RequestMap<int> map;
    std::map<std::uint32_t, int> expected;
    for (int step = 0; step < 3000; ++step) {
      const std::uint32_t request = stride * number(random);
      const auto found = expected.find(request);
      ASSERT_EQ(map.find(request) != nullptr, found != expected.end());
      if (found == expected.end()) {
        map.add(request, step);
        expected[request] = step;
      } else {
        EXPECT_EQ(*map.find(request), found->second);
        EXPECT_EQ(map.take(request), found->second);
        EXPECT_FALSE(map.take(request));
        expected.erase(found);
      }
    }
    for (const auto& [request, value] : expected) EXPECT_EQ(*map.find(request), value);
    std::size_t left = 0;
    map.for_each([&](int) { ++left; });
    EXPECT_EQ(left, expected.size());
  }
}

}  // namespace
}  // namespace stretto::analysis
