// SPDX-License-Identifier: BSD-3-Clause
#include "network/closed_forms.hpp"

#include <algorithm>

namespace stretto::network {

double ft_transfer_s(const FtPieces& work, const LogGp& loggp) {
  const double bytes = static_cast<double>(work.size_bytes) * static_cast<double>(work.ranks - 1);
  return bytes * loggp.gap_s_per_byte * work.rounds();
}

double ft_initiation_eq6_s(const FtPieces& work, const LogGp& loggp) {
  const double start_s = loggp.overhead_send_s;
  const double between_s = std::max(loggp.gap_queue_s, work.work_s + start_s);
  return (2 * work.work_s + start_s + between_s * static_cast<double>(work.ranks - 2)) * work.rounds();
}

double ft_initiation_s(const FtPieces& work, const LogGp& loggp) {
  const double across_s =
      2 * work.work_s + loggp.overhead_send_s;  // the rank's own piece lies between two rounds
  const double missing_s = std::max(loggp.gap_queue_s - across_s, 0.0);
  return ft_initiation_eq6_s(work, loggp) + missing_s * (work.rounds() - 1);
}

double ft_communication_s(const FtPieces& work, const LogGp& loggp) {
  const double first_s = std::max(loggp.overhead_send_s, loggp.gap_queue_s);
  return work.work_s + first_s + ft_transfer_s(work, loggp);
}

FtTimes ft_times(const FtPieces& work, const LogGp& loggp) {
  const double init_s = ft_initiation_s(work, loggp);
  const double total_s = std::max(init_s, ft_communication_s(work, loggp));
  const double computing_s = work.work_s * static_cast<double>(work.pieces);
  return {
      .total_s = total_s, .work_s = computing_s, .init_s = init_s - computing_s, .wait_s = total_s - init_s};
}

double spmv_computation_bound_s(const SpmvBlocks& work, const LogGp& loggp) {
  return (loggp.overhead_send_s + work.work_s) * static_cast<double>(work.ranks - 1) + work.work_s;
}

double spmv_communication_bound_s(const SpmvBlocks& work, const LogGp& loggp) {
  const double each_s = 2 * loggp.latency_s + static_cast<double>(work.size_bytes) * loggp.gap_s_per_byte;
  const double start_s = std::max(loggp.overhead_send_s, loggp.gap_queue_s);
  return (loggp.overhead_send_s + each_s) + (start_s + each_s) * static_cast<double>(work.ranks - 2) +
         work.work_s;
}

double spmv_total_s(const SpmvBlocks& work, const LogGp& loggp) {
  return std::max(spmv_computation_bound_s(work, loggp), spmv_communication_bound_s(work, loggp));
}

}  // namespace stretto::network
