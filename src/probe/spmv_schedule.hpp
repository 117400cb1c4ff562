// SPDX-License-Identifier: BSD-3-Clause
// The schedules of SPMV: how a rank obtains the blocks of the source vector (architectural probes,
// algorithms 6 to 8). Only arithmetic, no communication.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace stretto::probe {

/// A square matrix of order `rows` (n). Its rows and both vectors are divided into blocks, one per rank;
/// the first n mod P blocks have one more row.
struct SpmvProblem {
  std::size_t rows = 0;
  std::size_t ranks = 1;

  [[nodiscard]] std::size_t block_begin(std::size_t rank) const {
    return rank * (rows / ranks) + (rank < rows % ranks ? rank : rows % ranks);
  }
  [[nodiscard]] std::size_t block_rows(std::size_t rank) const {
    return rows / ranks + (rank < rows % ranks ? 1 : 0);
  }
  [[nodiscard]] std::size_t largest_block_rows() const { return block_rows(0); }
};

enum class SpmvKind { bulk, gather, scatter };

struct SpmvSchedule {
  SpmvKind kind = SpmvKind::bulk;
  std::size_t prefetch = 0;  ///< the paper's eta; bulk has none

  /// The number of blocks started before the first iteration (lines 4 to 8 of algorithm 7). With gather and
  /// scatter the first iteration starts one more, so that prefetch 0 and 1 are the same run.
  [[nodiscard]] std::size_t before(std::size_t ranks) const {
    if (ranks < 2) return 0;
    if (kind == SpmvKind::bulk) return ranks - 1;
    return prefetch > 0 ? prefetch - 1 : 0;
  }
};

[[nodiscard]] std::string_view to_string(SpmvKind kind);
/// The name of the quantity: `bulk`, `gather,prefetch=1`.
[[nodiscard]] std::string name_of(const SpmvSchedule& schedule);

[[nodiscard]] bool is_spmv_schedule(std::string_view name);
/// Reads `bulk`, `gather` or `scatter`; throws std::invalid_argument for other names.
[[nodiscard]] SpmvKind spmv_kind_from(std::string_view name);

}  // namespace stretto::probe
