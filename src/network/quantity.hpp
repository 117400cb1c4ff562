// SPDX-License-Identifier: BSD-3-Clause
// Numbers with a unit behind them, as the texts of a network and of a virtual machine have them.
#pragma once

#include <array>
#include <charconv>
#include <cmath>
#include <string_view>
#include <system_error>

namespace stretto::network {

struct Unit {
  std::string_view name;
  double factor;
};

constexpr std::array<Unit, 6> time_units = {
    {{"", 1}, {"s", 1}, {"ms", 1e-3}, {"us", 1e-6}, {"ns", 1e-9}, {"ps", 1e-12}}};
constexpr std::array<Unit, 5> size_units = {
    {{"", 1}, {"B", 1}, {"KiB", 1024}, {"MiB", 1024.0 * 1024}, {"GiB", 1024.0 * 1024 * 1024}}};

/// The number that `text` denotes in `units`; NaN when it is none.
template <std::size_t count>
double number_in(std::string_view text, const std::array<Unit, count>& units) {
  double number = 0;
  const auto [rest, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc{}) return NAN;
  const std::string_view suffix = text.substr(static_cast<std::size_t>(rest - text.data()));
  for (const Unit& unit : units) {
    if (unit.name == suffix) return number * unit.factor;
  }
  return NAN;
}

}  // namespace stretto::network
