// SPDX-License-Identifier: BSD-3-Clause
// A JSON text that is nested too deeply is refused before it is read: its reader would end the process.
#include "network/json_depth.hpp"

#include <gtest/gtest.h>

#include <stdexcept>
#include <string>

#include "profile/document.hpp"

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
    try {
      (void)profile::parse_document(text);
      ADD_FAILURE() << depth << " levels were read";
    } catch (const std::invalid_argument& error) {
      EXPECT_NE(std::string(error.what()).find("is nested too deeply"), std::string::npos) << error.what();
    }
  }
}

}  // namespace
}  // namespace stretto
