// SPDX-License-Identifier: BSD-3-Clause
// Suspended code: control, exceptions and unwinding; run under the sanitizers, too.
#include "known_answers/fiber.hpp"

#include <gtest/gtest.h>

#include <array>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

namespace stretto::known_answers::fiber_test {
namespace {

TEST(Fiber, AlternatesWithItsCaller) {
  std::string trace;
  std::optional<Fiber> fiber;
  fiber.emplace([&] {
    trace += "a";
    fiber->suspend();
    trace += "c";
  });
  EXPECT_EQ(trace, "");
  fiber->resume();
  trace += "b";
  EXPECT_FALSE(fiber->done());
  fiber->resume();
  EXPECT_EQ(trace, "abc");
  EXPECT_TRUE(fiber->done());
}

TEST(Fiber, KeepsItsLocalVariables) {
  std::vector<std::unique_ptr<Fiber>> fibers(50);
  std::vector<int> sums(fibers.size());
  for (std::size_t i = 0; i < fibers.size(); ++i) {
    fibers[i] = std::make_unique<Fiber>([&, i] {
      std::array<int, 1000> own{};
      for (std::size_t k = 0; k < own.size(); ++k) {
        own[k] = static_cast<int>(i);
        if (k % 100 == 0) fibers[i]->suspend();
      }
      for (const int value : own) sums[i] += value;
    });
  }
  for (bool any = true; any;) {
    any = false;
    for (auto& fiber : fibers) {
      if (fiber->done()) continue;
      fiber->resume();
      any = true;
    }
  }
  for (std::size_t i = 0; i < sums.size(); ++i) EXPECT_EQ(sums[i], 1000 * static_cast<int>(i));
}

TEST(Fiber, ThrowsWhatTheBodyThrew) {
  Fiber fiber([] { throw std::runtime_error("from inside"); });
  try {
    fiber.resume();
    FAIL() << "no exception";
  } catch (const std::runtime_error& error) {
    EXPECT_STREQ(error.what(), "from inside");
  }
  EXPECT_TRUE(fiber.done());
}

struct Guard {
  int& count;
  ~Guard() { ++count; }
};

TEST(Fiber, UnwindsASuspendedBody) {
  int destroyed = 0;
  bool went_on = false;
  {
    std::optional<Fiber> fiber;
    fiber.emplace([&] {
      const Guard guard{destroyed};
      fiber->suspend();
      went_on = true;
    });
    fiber->resume();
    EXPECT_EQ(destroyed, 0);
  }
  EXPECT_EQ(destroyed, 1);
  EXPECT_FALSE(went_on);
}

TEST(Fiber, NeverStartedNeverRuns) {
  bool ran = false;
  {
    Fiber fiber([&] { ran = true; });
  }
  EXPECT_FALSE(ran);
}

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
