// SPDX-License-Identifier: BSD-3-Clause
#include <algorithm>
#include <array>
#include <charconv>
#include <stretto/collective_form.hpp>

namespace stretto::collective {
namespace {

constexpr std::array<std::string_view, 8> operation_names = {
    "broadcast", "gather", "scatter", "reduce", "allreduce", "allgather", "reduce-scatter", "alltoall"};
constexpr std::array<std::string_view, 2> algorithm_names = {"library", "reference"};

/// Reads a whole number of at least 1 that fills the text.
std::optional<int> count_from(std::string_view text) {
  int value = 0;
  const auto [rest, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{} || rest != text.data() + text.size() || value < 1) return std::nullopt;
  return value;
}

}  // namespace

std::string_view to_string(Operation operation) {
  return operation_names[static_cast<std::size_t>(operation)];
}

std::optional<Operation> operation_from(std::string_view name) {
  const auto found = std::ranges::find(operation_names, name);
  if (found == operation_names.end()) return std::nullopt;
  return static_cast<Operation>(found - operation_names.begin());
}

std::string_view to_string(Algorithm algorithm) {
  return algorithm_names[static_cast<std::size_t>(algorithm)];
}

std::optional<Algorithm> algorithm_from(std::string_view name) {
  const auto found = std::ranges::find(algorithm_names, name);
  if (found == algorithm_names.end()) return std::nullopt;
  return static_cast<Algorithm>(found - algorithm_names.begin());
}

bool Grid::holds(int ranks) const {
  const auto full = static_cast<long long>(rows) * columns;
  return rows >= 1 && columns >= 1 && full >= ranks && full - columns < ranks;
}

std::string to_string(const Grid& grid) {
  return grid.is_flat() ? "flat" : std::to_string(grid.rows) + "x" + std::to_string(grid.columns);
}

std::optional<Grid> grid_from(std::string_view text) {
  if (text == "flat") return Grid{};
  const std::size_t cross = text.find('x');
  if (cross == std::string_view::npos) return std::nullopt;
  const auto rows = count_from(text.substr(0, cross));
  const auto columns = count_from(text.substr(cross + 1));
  if (!rows || !columns) return std::nullopt;
  return Grid{.rows = *rows, .columns = *columns};
}

std::vector<Grid> factorisations(int ranks) {
  std::vector<Grid> grids;
  for (int rows = 2; rows <= ranks / 2; ++rows) {
    if (ranks % rows == 0) grids.push_back({.rows = rows, .columns = ranks / rows});
  }
  return grids;
}

Grid grid_of_columns(int ranks, int columns) {
  return {.rows = (ranks - 1) / columns + 1, .columns = columns};
}

}  // namespace stretto::collective
