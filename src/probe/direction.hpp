// SPDX-License-Identifier: BSD-3-Clause
// Whether the first rank of a pair sends to the second, or both send at once.
#pragma once

#include <array>
#include <string_view>

#include "measure/named.hpp"

namespace stretto::probe {

using measure::to_string;

enum class Direction { one_way, both_ways };

inline constexpr Direction all_directions[] = {Direction::one_way, Direction::both_ways};

constexpr std::array<std::string_view, 2> names_of(Direction /*type*/) { return {"one-way", "both-ways"}; }

}  // namespace stretto::probe
