// SPDX-License-Identifier: BSD-3-Clause
// How deep a JSON text is nested. Its reader and its values are recursive: they end a process for a text that
// is nested more deeply than the stack is.
#pragma once

#include <cstddef>
#include <string_view>

namespace stretto::network {

/// More than any document of stretto has.
inline constexpr std::size_t max_json_depth = 64;

/// Whether arrays and objects are nested more deeply than `most`. Correct for texts that are JSON; of others
/// it is as deep as their brackets.
[[nodiscard]] constexpr bool nests_too_deep(std::string_view text, std::size_t most = max_json_depth) {
  std::size_t depth = 0;
  bool in_string = false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char one = text[i];
    if (in_string) {
      if (one == '\\') {
        ++i;
      } else if (one == '"') {
        in_string = false;
      }
    } else if (one == '"') {
      in_string = true;
    } else if (one == '[' || one == '{') {
      if (++depth > most) return true;
    } else if ((one == ']' || one == '}') && depth > 0) {
      --depth;
    }
  }
  return false;
}

}  // namespace stretto::network
