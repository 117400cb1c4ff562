// SPDX-License-Identifier: BSD-3-Clause
// Which piece of its rows a rank of the FT probe sends to whom, after which transforms (architectural probes,
// algorithms 3 to 5 and the continuum between them). Arithmetic only: nothing here communicates.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace stretto::probe {

/// A rank's rows: `rows` (N) of `row_length` (R) complex doubles. Block p of them, N/P rows, is for rank p.
struct FtProblem {
  std::size_t rows = 0;
  std::size_t row_length = 0;
  std::size_t ranks = 1;
  std::size_t planes = 1;  ///< into which `slabs` divides its rows, as the one-sided slides do

  [[nodiscard]] std::size_t row_bytes() const { return row_length * 2 * sizeof(double); }
  [[nodiscard]] std::size_t bytes() const { return rows * row_bytes(); }
  [[nodiscard]] std::size_t block_rows() const { return rows / ranks; }
  [[nodiscard]] std::size_t block_bytes() const { return bytes() / ranks; }
};

/// Throws std::invalid_argument, naming the option and the mend, where ranks or planes do not divide the
/// rows.
void require_divisible(const FtProblem& problem);

enum class FtKind { exchange, slabs, pencils, chunks };

struct FtSchedule {
  FtKind kind = FtKind::exchange;
  std::size_t chunks = 0;  ///< of FtKind::chunks
};

/// `exchange`, `slabs`, `pencils`, `chunks`: the axis.
[[nodiscard]] std::string_view to_string(FtKind kind);
/// The schedule as it is requested, and the quantity's name: `chunks=X` has its X.
[[nodiscard]] std::string name_of(const FtSchedule& schedule);

/// Whether `name` begins as a schedule of FT does, so that ft_schedule_from() reads it or says what is wrong.
[[nodiscard]] bool is_ft_schedule(std::string_view name);
/// Throws std::invalid_argument when it is none.
[[nodiscard]] FtSchedule ft_schedule_from(std::string_view name);

/// X, with the pieces for oneself: P, P times the planes, N, or as requested.
/// Throws std::invalid_argument when X pieces of equal size do not come out: X must be a multiple of the
/// ranks and divide N R. Above N, or where X does not divide N, rows are cut into tiles.
[[nodiscard]] std::size_t chunks_of(const FtSchedule& schedule, const FtProblem& problem);

/// One message, or the copy to oneself, and the rows that must be transformed before it.
struct FtPiece {
  std::size_t peer = 0;
  std::size_t first_row = 0;  ///< to be transformed now: those of the piece that no piece before it had
  std::size_t end_row = 0;
  std::size_t offset_bytes = 0;          ///< in the sender's rows
  std::size_t receive_offset_bytes = 0;  ///< in what arrives at the peer: block s of it comes from rank s
  std::size_t size_bytes = 0;
};

/// Piece `round` (of X/P) that `from` sends to `to`.
[[nodiscard]] FtPiece ft_piece(const FtProblem& problem, std::size_t chunks, std::size_t from, std::size_t to,
                               std::size_t round);

/// Calls `visit` with every piece of `rank` in the order in which they go out: round after round to the next
/// rank first and to oneself last (line 3 of algorithm 5).
template <typename Visit>
void for_each_piece(const FtProblem& problem, std::size_t chunks, std::size_t rank, Visit visit) {
  for (std::size_t round = 0; round < chunks / problem.ranks; ++round) {
    for (std::size_t step = 1; step <= problem.ranks; ++step) {
      visit(ft_piece(problem, chunks, rank, (rank + step) % problem.ranks, round));
    }
  }
}

}  // namespace stretto::probe
