// SPDX-License-Identifier: BSD-3-Clause
// What a refused input is answered with.
#pragma once

#include <gtest/gtest.h>

#include <string>
#include <string_view>

namespace stretto::testing {

/// The message of the Error that the call throws; empty: it throws none.
template <typename Error, typename Call>
std::string refusal_of(const Call& call) {
  try {
    (void)call();
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

/// Whether a text has this part; a failure shows both.
inline ::testing::AssertionResult has(std::string_view text, std::string_view part) {
  if (text.find(part) != std::string_view::npos) return ::testing::AssertionSuccess();
  return ::testing::AssertionFailure() << "'" << text << "' lacks '" << part << "'";
}

}  // namespace stretto::testing
