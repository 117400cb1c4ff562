// SPDX-License-Identifier: BSD-3-Clause
#include "probe/settings.hpp"

#include <array>

namespace stretto::probe {
namespace {

constexpr std::array<std::string_view, 3> side_names = {"origin", "target", "both"};

}  // namespace

std::string_view to_string(ComputingSide side) { return side_names[static_cast<std::size_t>(side)]; }

std::optional<ComputingSide> side_from(std::string_view name) {
  for (const ComputingSide side : all_sides) {
    if (to_string(side) == name) return side;
  }
  return std::nullopt;
}

std::string_view to_string(Direction direction) {
  return direction == Direction::one_way ? "one-way" : "both-ways";
}

std::optional<Direction> direction_from(std::string_view name) {
  for (const Direction direction : all_directions) {
    if (to_string(direction) == name) return direction;
  }
  return std::nullopt;
}

std::string_view to_string(Buffers buffers) { return buffers == Buffers::distinct ? "distinct" : "same"; }

std::optional<Buffers> buffers_from(std::string_view name) {
  for (const Buffers buffers : {Buffers::distinct, Buffers::same}) {
    if (to_string(buffers) == name) return buffers;
  }
  return std::nullopt;
}

std::vector<Buffers> buffers_or(const Settings& settings, Buffers own) {
  return settings.buffers.empty() ? std::vector{own} : settings.buffers;
}

std::vector<std::size_t> sizes_between(const SizeRange& range, std::size_t factor) {
  std::vector<std::size_t> sizes;
  for (std::size_t size = range.min_bytes; size < range.max_bytes; size *= factor) sizes.push_back(size);
  sizes.push_back(range.max_bytes);
  return sizes;
}

std::vector<std::size_t> sizes_or(const Settings& settings, const SizeRange& own, std::size_t factor) {
  return sizes_between(settings.sizes.value_or(own), settings.size_factor.value_or(factor));
}

}  // namespace stretto::probe
