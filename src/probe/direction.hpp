// SPDX-License-Identifier: BSD-3-Clause
// Whether the first rank of a pair sends to the second, or both send at once.
#pragma once

#include <optional>
#include <string_view>

namespace stretto::probe {

enum class Direction { one_way, both_ways };

inline constexpr Direction all_directions[] = {Direction::one_way, Direction::both_ways};

[[nodiscard]] std::string_view to_string(Direction direction);
[[nodiscard]] std::optional<Direction> direction_from(std::string_view name);

}  // namespace stretto::probe
