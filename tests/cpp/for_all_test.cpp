// SPDX-License-Identifier: BSD-3-Clause
#include "replay/for_all.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <cstddef>
#include <functional>
#include <stdexcept>
#include <string>
#include <vector>

#include "refusal.hpp"

namespace stretto::replay {
namespace {

TEST(ForAll, EveryNumberHasItsTaskOnce) {
  for (const unsigned threads : {0U, 1U, 3U, 20U}) {
    std::vector<int> calls(10);
    for_all(calls.size(), threads, [&] { return [&](std::size_t at) { ++calls[at]; }; });
    EXPECT_EQ(calls, std::vector<int>(10, 1)) << threads;
  }
  for_all(0, 2, []() -> std::function<void(std::size_t)> { throw std::logic_error("a task of nothing"); });
}

TEST(ForAll, TheFailureOfTheLowestNumberIsThrown) {
  std::atomic<bool> second_fails = false;
  std::atomic<int> begun = 0;
  const std::string said = testing::refusal_of<std::runtime_error>([&] {
    for_all(100, 2, [&] {
      return [&](std::size_t at) {
        ++begun;
        if (at == 0) second_fails.wait(false);
        if (at == 1) {
          second_fails = true;
          second_fails.notify_all();
        }
        throw std::runtime_error(std::to_string(at));
      };
    });
  });
  EXPECT_EQ(said, "0");
  EXPECT_EQ(begun, 2);
}

}  // namespace
}  // namespace stretto::replay
