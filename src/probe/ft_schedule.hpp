// SPDX-License-Identifier: BSD-3-Clause
// The schedules of FT: which piece of its rows a rank sends to which rank, after which transforms
// (architectural probes, algorithms 3 to 5 and the continuum between them). Only arithmetic, no
// communication.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace stretto::probe {

/// The rows of a rank: `rows` (N) of `row_length` (R) complex doubles. Block p, of N/P rows, is for rank p.
struct FtProblem {
  std::size_t rows = 0;
  std::size_t row_length = 0;
  std::size_t ranks = 1;
  std::size_t planes =
      1;  ///< number of parts into which `slabs` divides its rows, as with the one-sided slides

  [[nodiscard]] std::size_t row_bytes() const { return row_length * 2 * sizeof(double); }
  [[nodiscard]] std::size_t bytes() const { return rows * row_bytes(); }
  [[nodiscard]] std::size_t block_rows() const { return rows / ranks; }
  [[nodiscard]] std::size_t block_bytes() const { return bytes() / ranks; }
};

/// Throws std::invalid_argument where the ranks or the planes do not divide the rows. The message names the
/// option and a valid value.
void require_divisible(const FtProblem& problem);

enum class FtKind { exchange, slabs, pencils, chunks };

struct FtSchedule {
  FtKind kind = FtKind::exchange;
  std::size_t chunks = 0;  ///< of FtKind::chunks
};

/// `exchange`, `slabs`, `pencils` or `chunks`: the value of the axis `schedule`.
[[nodiscard]] std::string_view to_string(FtKind kind);
/// The name of the schedule in options and as a quantity; `chunks=X` includes its X.
[[nodiscard]] std::string name_of(const FtSchedule& schedule);

/// Whether `name` begins like a schedule of FT, so that ft_schedule_from() can read it or report what is
/// wrong.
[[nodiscard]] bool is_ft_schedule(std::string_view name);
/// Throws std::invalid_argument for an unknown schedule.
[[nodiscard]] FtSchedule ft_schedule_from(std::string_view name);

/// X, the number of pieces of a rank's rows, including those for itself: P, P times the planes, N, or the
/// requested number. Throws std::invalid_argument unless X is a multiple of the ranks and divides N R. If X
/// exceeds N or does not divide it, rows are cut into tiles.
[[nodiscard]] std::size_t chunks_of(const FtSchedule& schedule, const FtProblem& problem);

/// One message, or the local copy for the rank itself, and the rows that must be transformed before it.
struct FtPiece {
  std::size_t peer = 0;
  std::size_t first_row =
      0;  ///< first row to transform before this piece: earlier pieces have had the rows before it
  std::size_t end_row = 0;
  std::size_t offset_bytes = 0;  ///< offset in the sender's rows
  std::size_t receive_offset_bytes =
      0;  ///< offset in the receive buffer of the peer; its block s comes from rank s
  std::size_t size_bytes = 0;
};

/// Piece `round` (of X/P) that `from` sends to `to`.
[[nodiscard]] FtPiece ft_piece(const FtProblem& problem, std::size_t chunks, std::size_t from, std::size_t to,
                               std::size_t round);

/// Calls `visit` with every piece of `rank` in the order of sending. Each round starts with the next rank
/// and ends with the rank itself (line 3 of algorithm 5).
template <typename Visit>
void for_each_piece(const FtProblem& problem, std::size_t chunks, std::size_t rank, Visit visit) {
  for (std::size_t round = 0; round < chunks / problem.ranks; ++round) {
    for (std::size_t step = 1; step <= problem.ranks; ++step) {
      visit(ft_piece(problem, chunks, rank, (rank + step) % problem.ranks, round));
    }
  }
}

}  // namespace stretto::probe
