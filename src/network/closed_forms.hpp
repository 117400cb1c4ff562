// SPDX-License-Identifier: BSD-3-Clause
// Closed forms of the architectural probes' paper: of the FT probe's pencils, and so of any schedule that
// sends pieces as it computes them (section 7, eq. 1 to 9), and of the SPMV probe's gather with the least
// prefetch (eq. 10 to 13). Other schedules are evaluated as graphs. The paper's g is the gap of the injection
// queue, g_queue here; its gamma R and gamma N/P are `size_bytes`.
#pragma once

#include <cstdint>

#include "network/loggp.hpp"

namespace stretto::network {

/// What a rank computes and sends piece by piece: pencils are N pieces of one row, slabs P of N/P rows.
struct FtPieces {
  std::int64_t pieces = 0;       ///< N of the equations; each P-th is for oneself and is not sent
  std::int64_t ranks = 2;        ///< P, which divides `pieces`
  std::uint64_t size_bytes = 0;  ///< of one piece (gamma R of eq. 2)
  double work_s = 0;             ///< computation of one piece (T_comp^R)

  /// N/P: how often each rank is sent to.
  [[nodiscard]] double rounds() const {
    const std::int64_t whole = pieces / ranks;
    return static_cast<double>(whole);
  }
};

/// The bars of the model, which add up to the total.
struct FtTimes {
  double total_s = 0;
  double work_s = 0;
  double init_s = 0;
  double wait_s = 0;
};

/// Eq. 1: [(T + o)(P - 1) + T] N/P, where computing a piece takes longer than queueing one.
[[nodiscard]] double ft_initiation_when_computing_s(const FtPieces& work, const LogGp& loggp);

/// Eq. 2: gamma (P - 1) R G N/P, the bytes of all pieces for others on the wire.
[[nodiscard]] double ft_transfer_s(const FtPieces& work, const LogGp& loggp);

/// Eq. 6 to the letter: [2 T + o + max(g, T + o)(P - 2)] N/P, compute and start one after the other in N/P
/// rounds. Eq. 5 is its case T + o < g (the paper's text lacks one o there). It lets the first start of each
/// round find the queue free, and so is too short by up to 1/(P - 1) where 2 T + o < g. P >= 2.
[[nodiscard]] double ft_initiation_eq6_s(const FtPieces& work, const LogGp& loggp);

/// Eq. 6 where the first start of a round waits for the queue, too: exact; the same where 2 T + o >= g.
[[nodiscard]] double ft_initiation_s(const FtPieces& work, const LogGp& loggp);

/// Eq. 4: T + max(o, g) + M_transfer, the total where the network is what takes longest.
[[nodiscard]] double ft_communication_s(const FtPieces& work, const LogGp& loggp);

/// Eq. 7 to 9: total, and what of it is computation, starting and waiting. Eq. 7 leaves out runs that the
/// injection queue bounds, where eq. 8 goes negative: the total is max(M_init, M_comm), so that no wait is
/// negative. L is zero in these equations.
[[nodiscard]] FtTimes ft_times(const FtPieces& work, const LogGp& loggp);

/// A rank's row of P blocks of the matrix.
struct SpmvBlocks {
  std::int64_t ranks = 2;  ///< P
  std::uint64_t size_bytes =
      0;              ///< of the piece of the source vector that one rank owns (gamma N/P of eq. 11)
  double work_s = 0;  ///< computation of one block (T_comp^(N/P))
};

/// `work_s` and `exposed_s` add up to the total.
struct SpmvTimes {
  double total_s = 0;
  double work_s = 0;
  double exposed_s = 0;
};

/// Eq. 10: (o + T)(P - 1) + T, where each get is done before its block is needed.
[[nodiscard]] double spmv_computation_bound_s(const SpmvBlocks& work, const LogGp& loggp);

/// Eq. 11-12 (one formula): (o + 2L + s G) + (max(o, g) + 2L + s G)(P - 2) + T, with s = gamma N/P. One get
/// at a time; Algorithm 7 keeps up to two in flight, which hides the latencies.
[[nodiscard]] double spmv_communication_bound_s(const SpmvBlocks& work, const LogGp& loggp);

/// Eq. 13: the larger of the two; what is not computation is exposed communication. P >= 2.
[[nodiscard]] SpmvTimes spmv_times(const SpmvBlocks& work, const LogGp& loggp);

}  // namespace stretto::network
