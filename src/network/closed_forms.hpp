// SPDX-License-Identifier: BSD-3-Clause
// Closed forms of the architectural probes' paper. Eq. 1 to 9 (section 7) hold for the pencils of FT, and
// for any schedule that sends pieces as it computes them. Eq. 10 to 13 hold for the gather of SPMV with the
// smallest prefetch. Other schedules are evaluated as graphs. The paper's g is the gap of the injection
// queue, here g_queue; its gamma R and gamma N/P are `size_bytes`.
#pragma once

#include <cstdint>

#include "network/loggp.hpp"

namespace stretto::network {

/// The pieces that a rank computes and sends one by one: pencils are N pieces of one row, slabs are P
/// pieces of N/P rows.
struct FtPieces {
  std::int64_t pieces = 0;       ///< N of the equations; every P-th is the rank's own and is not sent
  std::int64_t ranks = 2;        ///< P, which divides `pieces`
  std::uint64_t size_bytes = 0;  ///< size of one piece (gamma R of eq. 2)
  double work_s = 0;             ///< computation of one piece (T_comp^R)

  /// N/P: the number of pieces for each rank.
  [[nodiscard]] double rounds() const {
    const std::int64_t whole = pieces / ranks;
    return static_cast<double>(whole);
  }
};

/// The predicted total and the parts that add up to it.
struct FtTimes {
  double total_s = 0;
  double work_s = 0;
  double init_s = 0;
  double wait_s = 0;
};

/// Eq. 2: gamma (P - 1) R G N/P, the wire time of all pieces for other ranks.
[[nodiscard]] double ft_transfer_s(const FtPieces& work, const LogGp& loggp);

/// Eq. 6 as printed: [2 T + o + max(g, T + o)(P - 2)] N/P, where each piece is computed and then started,
/// in N/P rounds. Eq. 1 is its case T + o >= g, and eq. 5 T + o < g (the paper's text lacks one o there). It
/// assumes an idle queue at the first start of each round. It is therefore too short by up to 1/(P - 1) where
/// 2 T + o < g. P >= 2.
[[nodiscard]] double ft_initiation_eq6_s(const FtPieces& work, const LogGp& loggp);

/// Eq. 6 corrected: the first start of a round also waits for the queue. It is exact, and equals eq. 6
/// where 2 T + o >= g.
[[nodiscard]] double ft_initiation_s(const FtPieces& work, const LogGp& loggp);

/// Eq. 4: T + max(o, g) + M_transfer, the total where the network is the bottleneck.
[[nodiscard]] double ft_communication_s(const FtPieces& work, const LogGp& loggp);

/// Eq. 7 to 9: the total and its parts: computation, initiation and waiting. Eq. 7 does not cover runs
/// bound by the injection queue, where eq. 8 becomes negative. The total here is max(M_init, M_comm), so
/// that no wait is negative. L is zero in these equations.
[[nodiscard]] FtTimes ft_times(const FtPieces& work, const LogGp& loggp);

/// One rank's row of P blocks of the matrix.
struct SpmvBlocks {
  std::int64_t ranks = 2;        ///< P
  std::uint64_t size_bytes = 0;  ///< size of one rank's block of the source vector (gamma N/P of eq. 11)
  double work_s = 0;             ///< computation of one block (T_comp^(N/P))
};

/// Eq. 10: (o + T)(P - 1) + T, where each get completes before its block is needed.
[[nodiscard]] double spmv_computation_bound_s(const SpmvBlocks& work, const LogGp& loggp);

/// Eq. 11-12 (one formula): (o + 2L + s G) + (max(o, g) + 2L + s G)(P - 2) + T, with s = gamma N/P. It has
/// one get in flight at a time; Algorithm 7 has up to two, which hides the latencies.
[[nodiscard]] double spmv_communication_bound_s(const SpmvBlocks& work, const LogGp& loggp);

/// Eq. 13: the total, which is the larger of the two bounds. P >= 2.
[[nodiscard]] double spmv_total_s(const SpmvBlocks& work, const LogGp& loggp);

}  // namespace stretto::network
