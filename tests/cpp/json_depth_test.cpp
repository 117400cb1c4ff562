// SPDX-License-Identifier: BSD-3-Clause
// A JSON text that is nested too deeply is refused before it is read: its reader would end the process.
#include "network/json_depth.hpp"

#include <gtest/gtest.h>

#include <stdexcept>
#include <string>

#include "profile/document.hpp"
#include "refusal.hpp"

namespace stretto {
namespace {

std::string nested(std::size_t depth, char open, char close) {
  return std::string(depth, open) + std::string(depth, close);
}

TEST(JsonDepth, CountsBracketsOutsideOfStrings) {
  using network::nests_too_deep;
  EXPECT_FALSE(nests_too_deep(nested(3, '[', ']'), 3));
  EXPECT_TRUE(nests_too_deep(nested(4, '[', ']'), 3));
  EXPECT_TRUE(nests_too_deep(R"({"a":[{"b":[1]}]})", 3));
  EXPECT_FALSE(nests_too_deep("[[],[],[],[]]", 2)) << "one after another";
  EXPECT_FALSE(nests_too_deep(R"(["[[[[", "\"[[[[", "\\"])", 1));
  EXPECT_FALSE(nests_too_deep("]]]]", 1));
  EXPECT_FALSE(nests_too_deep("", 1));
}

TEST(JsonDepth, AProfileThatIsNestedTooDeepIsRefused) {
  for (const std::size_t depth : {network::max_json_depth, std::size_t{200'000}}) {
    const std::string text = R"({"schema":"stretto.profile/1.3","runtime":)" + nested(depth, '[', ']') + "}";
    const std::string refusal =
        testing::refusal_of<std::invalid_argument>([&] { return profile::parse_document(text); });
    EXPECT_TRUE(testing::has(refusal, "is nested too deeply")) << depth;
  }
}

}  // namespace
}  // namespace stretto
