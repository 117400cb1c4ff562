// SPDX-License-Identifier: BSD-3-Clause
// Enumerations with names in files and on command lines. Their namespace has `names_of(E)`, which returns the
// names in the order of the members.
#pragma once

#include <algorithm>
#include <cstddef>
#include <optional>
#include <string_view>

namespace stretto::measure {

template <typename E>
concept Named = requires(E member) {
  names_of(member);
};

template <Named E>
[[nodiscard]] constexpr std::string_view to_string(E member) {
  return names_of(member)[static_cast<std::size_t>(member)];
}

/// The member of that name; nothing where there is none.
template <Named E>
[[nodiscard]] constexpr std::optional<E> enumerator_from(std::string_view name) {
  const auto names = names_of(E{});
  const auto found = std::ranges::find(names, name);
  if (found == names.end()) return std::nullopt;
  return static_cast<E>(found - names.begin());
}

}  // namespace stretto::measure
