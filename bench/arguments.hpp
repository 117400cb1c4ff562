// SPDX-License-Identifier: BSD-3-Clause
// Numbers on the command lines of the programs.
#pragma once

#include <charconv>
#include <string_view>

namespace stretto::bench {

/// The number at the start of `text`; 0 where there is none.
template <typename Integer = int>
Integer number(std::string_view text) {
  Integer value = 0;
  std::from_chars(text.data(), text.data() + text.size(), value);
  return value;
}

}  // namespace stretto::bench
