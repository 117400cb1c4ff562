// SPDX-License-Identifier: BSD-3-Clause
// The mesh of the proxy `adaptive`: squares of several sizes along a Z-order curve, and the adjacent cells of
// each. Every rank has the whole mesh, and owns consecutive cells of the curve. Does not use MPI.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <unordered_map>
#include <vector>

namespace stretto::proxies {

/// A square of the unit square, with sides of 2^-level.
struct Cell {
  int level = 0;
  std::uint32_t x = 0;  // in cells of its own level
  std::uint32_t y = 0;
};

struct Mesh {
  std::vector<Cell> cells;                   // along the curve
  std::vector<std::vector<int>> neighbours;  // of each cell, by number
};

/// Makes the mesh of levels `coarsest` to `finest`. It is fine on a circle of this radius around the middle
/// of the unit square, and coarse elsewhere. `finest` is below 28, because of the keys of cells.
class MeshMaker {
 public:
  MeshMaker(int coarsest, int finest, double radius)
      : coarsest_(coarsest), finest_(finest), radius_(radius) {}

  /// To be called once.
  [[nodiscard]] Mesh make() {
    divide({.level = 0, .x = 0, .y = 0});
    mesh_.neighbours.resize(mesh_.cells.size());
    for (std::size_t cell = 0; cell < mesh_.cells.size(); ++cell) connect(static_cast<int>(cell));
    for (std::vector<int>& adjacent : mesh_.neighbours) {
      std::sort(adjacent.begin(), adjacent.end());
      adjacent.erase(std::unique(adjacent.begin(), adjacent.end()), adjacent.end());
    }
    return std::move(mesh_);
  }

 private:
  void divide(const Cell& cell) {
    if (cell.level < coarsest_ || (cell.level < finest_ && is_crossed(cell))) {
      for (std::uint32_t part = 0; part < 4; ++part) {
        divide({.level = cell.level + 1, .x = 2 * cell.x + part % 2, .y = 2 * cell.y + part / 2});
      }
      return;
    }
    numbers_[key(cell)] = static_cast<int>(mesh_.cells.size());
    mesh_.cells.push_back(cell);
  }

  /// Whether the circle passes near the cell.
  [[nodiscard]] bool is_crossed(const Cell& cell) const {
    const double size = std::ldexp(1.0, -cell.level);
    const double distance = std::hypot((cell.x + 0.5) * size - 0.5, (cell.y + 0.5) * size - 0.5);
    return std::abs(distance - radius_) < size;
  }

  static std::uint64_t key(const Cell& cell) {
    return static_cast<std::uint64_t>(cell.level) << 56U | static_cast<std::uint64_t>(cell.x) << 28U | cell.y;
  }

  /// Finds the adjacent cells of the same size or larger. Smaller ones find this cell themselves.
  void connect(int number) {
    const Cell cell = mesh_.cells[static_cast<std::size_t>(number)];
    const std::uint32_t end = 1U << static_cast<unsigned>(cell.level);
    constexpr int steps[4][2] = {{1, 0}, {-1, 0}, {0, 1}, {0, -1}};
    for (const auto& step : steps) {
      Cell adjacent = {.level = cell.level, .x = cell.x + step[0], .y = cell.y + step[1]};
      if (adjacent.x >= end || adjacent.y >= end) continue;  // unsigned: -1 is beyond the end
      for (; adjacent.level >= coarsest_; adjacent = {adjacent.level - 1, adjacent.x / 2, adjacent.y / 2}) {
        const auto found = numbers_.find(key(adjacent));
        if (found == numbers_.end()) continue;
        mesh_.neighbours[static_cast<std::size_t>(number)].push_back(found->second);
        mesh_.neighbours[static_cast<std::size_t>(found->second)].push_back(number);
        break;
      }
    }
  }

  int coarsest_;
  int finest_;
  double radius_;
  Mesh mesh_;
  std::unordered_map<std::uint64_t, int> numbers_;
};

}  // namespace stretto::proxies
