// SPDX-License-Identifier: BSD-3-Clause
#include "probe/settings.hpp"

#include <array>
#include <charconv>
#include <stdexcept>
#include <utility>

namespace stretto::probe {
namespace {

constexpr std::array<std::string_view, 3> side_names = {"origin", "target", "both"};

constexpr std::array<std::pair<std::string_view, std::size_t>, 4> units = {
    {{"", 1}, {"KiB", std::size_t{1} << 10}, {"MiB", std::size_t{1} << 20}, {"GiB", std::size_t{1} << 30}}};

}  // namespace

std::string_view to_string(Side side) { return side_names[static_cast<std::size_t>(side)]; }

std::optional<Side> side_from(std::string_view name) {
  for (const Side side : all_sides) {
    if (to_string(side) == name) return side;
  }
  return std::nullopt;
}

std::size_t size_from(std::string_view text) {
  std::size_t number = 0;
  const auto [rest, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  const std::string_view unit = text.substr(static_cast<std::size_t>(rest - text.data()));
  if (error == std::errc{}) {
    for (const auto& [name, factor] : units) {
      if (unit == name && number <= largest_size_bytes) return number * factor;
    }
  }
  throw std::invalid_argument("'" + std::string{text} + "' is not a size: write 8, 64KiB or 1MiB");
}

SizeRange size_range_from(std::string_view text) {
  const std::size_t colon = text.find(':');
  if (colon == std::string_view::npos) {
    throw std::invalid_argument("'" + std::string{text} +
                                "' is not a range of sizes: write MIN:MAX, such as 8:1MiB");
  }
  const SizeRange range{.min_bytes = size_from(text.substr(0, colon)),
                        .max_bytes = size_from(text.substr(colon + 1))};
  if (range.min_bytes == 0 || range.min_bytes > range.max_bytes || range.max_bytes > largest_size_bytes) {
    throw std::invalid_argument(
        "'" + std::string{text} +
        "' is not a range of sizes: the first is at least 1 and not above the second, "
        "the second at most 64MiB");
  }
  return range;
}

std::vector<std::size_t> sizes_between(const SizeRange& range, std::size_t factor) {
  std::vector<std::size_t> sizes;
  for (std::size_t size = range.min_bytes; size < range.max_bytes; size *= factor) sizes.push_back(size);
  sizes.push_back(range.max_bytes);
  return sizes;
}

std::vector<std::size_t> sizes_or(const Settings& settings, const SizeRange& own, std::size_t factor) {
  return sizes_between(settings.sizes.value_or(own), factor);
}

}  // namespace stretto::probe
