// SPDX-License-Identifier: BSD-3-Clause
// All pairs of ranks in rounds in which each rank has one partner (the circle method): P - 1 rounds for an
// even number of ranks, P for an odd one.
#pragma once

namespace stretto::tools {

/// The number of rounds in which all pairs of `ranks` meet.
[[nodiscard]] constexpr int pairing_rounds(int ranks) {
  if (ranks < 2) return 0;
  return ranks % 2 == 0 ? ranks - 1 : ranks;
}

/// The partner of `rank` in a round; -1 where it has none, which an odd number of ranks brings about.
[[nodiscard]] constexpr int partner_of(int rank, int round, int ranks) {
  const int circle =
      pairing_rounds(ranks);  // odd; with an even number of ranks the last one is in its centre
  const int centre = ranks % 2 == 0 ? ranks - 1 : -1;
  if (rank == centre) return static_cast<int>(static_cast<long long>(round) * ((circle + 1) / 2) % circle);
  const int opposite = (round - rank + circle) % circle;
  return opposite == rank ? centre : opposite;
}

}  // namespace stretto::tools
