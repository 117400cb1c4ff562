// SPDX-License-Identifier: BSD-3-Clause
// The steps of the probes FT and SPMV: which piece a rank sends to which rank, after which computation
// (architectural probes, algorithms 3 to 8, and the continuum between 3 and 5). The probes run them, and the
// model builds its graphs from them. Only arithmetic.
#pragma once

#include <array>
#include <cstddef>
#include <string>
#include <string_view>

namespace stretto::network {

/// The rows of a rank: `rows` (N) of `row_length` (R) complex doubles. Block p, of N/P rows, is for rank p.
struct FtProblem {
  std::size_t rows = 0;
  std::size_t row_length = 0;
  std::size_t ranks = 1;
  /// The number of parts into which `slabs` divides its rows, as with the one-sided slides.
  std::size_t planes = 1;

  [[nodiscard]] std::size_t row_bytes() const { return row_length * 2 * sizeof(double); }
  [[nodiscard]] std::size_t bytes() const { return rows * row_bytes(); }
  [[nodiscard]] std::size_t block_rows() const { return rows / ranks; }
  [[nodiscard]] std::size_t block_bytes() const { return bytes() / ranks; }
};

enum class FtKind { exchange, slabs, pencils, chunks };
inline constexpr std::array<std::string_view, 4> ft_kinds = {"exchange", "slabs", "pencils", "chunks"};

/// `exchange`, `slabs`, `pencils` or `chunks`: the value of the axis `schedule`.
[[nodiscard]] constexpr std::string_view to_string(FtKind kind) {
  return ft_kinds[static_cast<std::size_t>(kind)];
}

struct FtSchedule {
  FtKind kind = FtKind::exchange;
  std::size_t chunks = 0;  ///< of FtKind::chunks

  /// X, the number of pieces of a rank's rows, including those for itself: P, P times the planes, N, or the
  /// requested number.
  [[nodiscard]] std::size_t pieces(const FtProblem& problem) const {
    switch (kind) {
      case FtKind::exchange:
        return problem.ranks;
      case FtKind::slabs:
        return problem.ranks * problem.planes;
      case FtKind::pencils:
        return problem.rows;
      case FtKind::chunks:
        break;
    }
    return chunks;
  }
};

/// The name of the schedule in options and as a quantity; `chunks=X` includes its X.
[[nodiscard]] inline std::string name_of(const FtSchedule& schedule) {
  std::string name{to_string(schedule.kind)};
  return schedule.kind == FtKind::chunks ? name + "=" + std::to_string(schedule.chunks) : name;
}

/// Whether X pieces are equal numbers of elements for each rank. If X exceeds N or does not divide it, rows
/// are cut into tiles.
[[nodiscard]] inline bool divides_rows(std::size_t pieces, const FtProblem& problem) {
  return pieces > 0 && pieces % problem.ranks == 0 && problem.rows * problem.row_length % pieces == 0;
}

/// One message, or the local copy for the rank itself, and the rows that must be transformed before it.
struct FtPiece {
  std::size_t peer = 0;
  std::size_t first_row = 0;  ///< first row to transform before this piece; earlier ones are transformed
  std::size_t end_row = 0;
  std::size_t offset_bytes = 0;          ///< in the sender's rows
  std::size_t receive_offset_bytes = 0;  ///< in the peer's receive buffer; its block s comes from rank s
  std::size_t size_bytes = 0;
};

/// Piece `round` (of X/P) that `from` sends to `to`.
[[nodiscard]] inline FtPiece ft_piece(const FtProblem& problem, std::size_t pieces, std::size_t from,
                                      std::size_t to, std::size_t round) {
  const std::size_t size_bytes = problem.bytes() / pieces;
  const std::size_t row_bytes = problem.row_bytes();
  const auto end_of = [&](std::size_t count) {  // the rows that the first `count` pieces of a block touch
    return to * problem.block_rows() + (count * size_bytes + row_bytes - 1) / row_bytes;
  };
  return {.peer = to,
          .first_row = end_of(round),
          .end_row = end_of(round + 1),
          .offset_bytes = to * problem.block_bytes() + round * size_bytes,
          .receive_offset_bytes = from * problem.block_bytes() + round * size_bytes,
          .size_bytes = size_bytes};
}

/// Calls `visit` with every piece of `rank` in the order of sending. Each round starts with the next rank
/// and ends with the rank itself (line 3 of algorithm 5).
template <typename Visit>
void for_each_piece(const FtProblem& problem, std::size_t pieces, std::size_t rank, Visit visit) {
  for (std::size_t round = 0; round < pieces / problem.ranks; ++round) {
    for (std::size_t step = 1; step <= problem.ranks; ++step) {
      visit(ft_piece(problem, pieces, rank, (rank + step) % problem.ranks, round));
    }
  }
}

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
inline constexpr std::array<std::string_view, 3> spmv_kinds = {"bulk", "gather", "scatter"};

[[nodiscard]] constexpr std::string_view to_string(SpmvKind kind) {
  return spmv_kinds[static_cast<std::size_t>(kind)];
}

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

/// The name of the quantity: `bulk`, `gather,prefetch=1`.
[[nodiscard]] inline std::string name_of(const SpmvSchedule& schedule) {
  std::string name{to_string(schedule.kind)};
  return schedule.kind == SpmvKind::bulk ? name : name + ",prefetch=" + std::to_string(schedule.prefetch);
}

}  // namespace stretto::network
