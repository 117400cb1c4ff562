// SPDX-License-Identifier: BSD-3-Clause
#include "kernels/nas/mg_messages.hpp"

namespace stretto::kernel::nas {
namespace {

std::size_t length(MgRange range) { return static_cast<std::size_t>(range.end - range.begin); }

/// On an axis of `count` rows: the rows that move `step` ranks on.
MgRange leaving(int step, int count) { return {step > 0 ? count - 1 : 0, step < 0 ? 1 : count}; }
MgRange arriving(int step, int count) {
  if (step == 0) return {0, count};
  return step > 0 ? MgRange{-1, 0} : MgRange{count, count + 1};
}

MgMessage ghost_rows(const MgExtent& extent, int dy, int dz) {
  return {.dy = dy,
          .dz = dz,
          .from = {leaving(dy, extent.ny), leaving(dz, extent.nz)},
          .to = {arriving(dy, extent.ny), arriving(dz, extent.nz)}};
}

}  // namespace

std::size_t MgBox::values(int nx) const { return length(y) * length(z) * static_cast<std::size_t>(nx); }

std::vector<MgRound> halo_rounds(const MgExtent& extent, bool at_once) {
  std::vector<MgRound> rounds(1);
  for (const int dz : {-1, 1}) rounds.front().push_back(ghost_rows(extent, 0, dz));
  if (!extent.split_y) return rounds;
  if (at_once) {
    for (const int dz : {0, -1, 1}) {
      for (const int dy : {-1, 1}) rounds.front().push_back(ghost_rows(extent, dy, dz));
    }
    return rounds;
  }
  const MgRange all{-1, extent.nz + 1};
  MgRound& along_y = rounds.emplace_back();
  for (const int dy : {-1, 1}) {
    along_y.push_back(
        {.dy = dy, .dz = 0, .from = {leaving(dy, extent.ny), all}, .to = {arriving(dy, extent.ny), all}});
  }
  return rounds;
}

MgRound fold_round(const MgExtent& fine) {
  const int ny = fine.ny / 2;
  const int nz = fine.nz / 2;
  const auto to_rank = [&](int dy, int dz) {
    const MgBox rows{{dy < 0 ? ny - 1 : 0, ny}, {dz < 0 ? nz - 1 : 0, nz}};
    return MgMessage{.dy = dy, .dz = dz, .from = rows, .to = rows};
  };
  MgRound round{to_rank(0, -1)};
  if (fine.split_y) round.insert(round.end(), {to_rank(-1, 0), to_rank(-1, -1)});
  return round;
}

std::vector<MgRound> gather_rounds(const MgGrid& grid, int points) {
  const auto part = [points](int place, int ranks) {
    place = (place + ranks) % ranks;
    return MgRange{points / ranks * place, points / ranks * (place + 1)};
  };
  const MgRange own = part(grid.y, grid.ranks_y);
  const MgRange all{0, points};
  std::vector<MgRound> rounds(1);
  for (int step = 1; step < grid.ranks_z; ++step) {
    rounds.front().push_back({.dy = 0,
                              .dz = step,
                              .from = {own, part(grid.z, grid.ranks_z)},
                              .to = {own, part(grid.z - step, grid.ranks_z)}});
  }
  if (grid.ranks_y == 1) return rounds;
  MgRound& along_y = rounds.emplace_back();
  for (int step = 1; step < grid.ranks_y; ++step) {
    along_y.push_back(
        {.dy = step, .dz = 0, .from = {own, all}, .to = {part(grid.y - step, grid.ranks_y), all}});
  }
  return rounds;
}

}  // namespace stretto::kernel::nas
