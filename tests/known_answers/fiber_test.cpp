// SPDX-License-Identifier: BSD-3-Clause
// Exceptions in suspended code; run under the sanitizers, too. run_test.cpp has the rest.
#include "known_answers/fiber.hpp"

#include <gtest/gtest.h>

#include <array>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>

namespace stretto::known_answers::fiber_test {
namespace {

struct Guard {
  int& count;
  ~Guard() { ++count; }
};

TEST(Fiber, StandardHandlersDoNotStopUnwinding) {
  bool handled = false;
  {
    std::optional<Fiber> fiber;
    fiber.emplace([&] {
      try {
        fiber->suspend();
      } catch (const std::exception&) {
        handled = true;
      }
    });
    fiber->resume();
  }
  EXPECT_FALSE(handled);
}

// The C++ runtime has one list of handled exceptions per thread. Without a list per fiber these two fibers
// would mix theirs.
TEST(Fiber, SuspendsInCatchBlocksCrosswise) {
  std::array<std::unique_ptr<Fiber>, 2> fibers;
  std::array<std::string, 2> seen;
  for (std::size_t i = 0; i < 2; ++i) {
    fibers[i] = std::make_unique<Fiber>([&, i] {
      try {
        throw std::runtime_error(std::to_string(i));
      } catch (const std::runtime_error&) {
        fibers[i]->suspend();
        try {
          throw;  // rethrows the exception that this block handles
        } catch (const std::runtime_error& error) {
          seen[i] = error.what();
        }
      }
    });
  }
  fibers[0]->resume();
  fibers[1]->resume();
  EXPECT_EQ(std::current_exception(), nullptr);
  fibers[0]->resume();
  fibers[1]->resume();
  EXPECT_EQ(seen[0], "0");
  EXPECT_EQ(seen[1], "1");
}

TEST(Fiber, UnwindsOutOfACatchBlock) {
  int destroyed = 0;
  {
    std::optional<Fiber> fiber;
    fiber.emplace([&] {
      const Guard guard{destroyed};
      try {
        throw std::runtime_error("first");
      } catch (const std::runtime_error&) {
        fiber->suspend();
      }
    });
    fiber->resume();
  }
  EXPECT_EQ(destroyed, 1);
  EXPECT_EQ(std::uncaught_exceptions(), 0);
}

}  // namespace
}  // namespace stretto::known_answers::fiber_test
