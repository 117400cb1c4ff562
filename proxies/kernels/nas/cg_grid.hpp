// SPDX-License-Identifier: BSD-3-Clause
// The matrix and vectors of CG on a grid of p1 x p2 ranks, and their communication.
// A vector is cut into one piece per rank. Rank (i, j) has number i p2 + j. It has the rows of all pieces of
// grid row i, and of these the columns of all pieces of grid column j.
// A product needs the pieces of the ranks in its grid column (expand), and produces partial sums for those in
// its grid row (fold). This works without a transpose, for any p1 and p2.
#pragma once

#include <memory>
#include <stretto/plan_timers.hpp>
#include <stretto/runtime.hpp>
#include <vector>

#include "exchange/exchange.hpp"
#include "kernels/nas/cg_layout.hpp"
#include "kernels/nas/cg_matrix.hpp"
#include "kernels/nas/exchange_mode.hpp"
#include "kernels/nas/sliced_rows.hpp"

namespace stretto::kernel {

class CgGrid {
 public:
  /// Collective over the runtime.
  CgGrid(Runtime& runtime, const nas::CgClass& size, const nas::ExchangeMode& mode);

  /// Elements of this rank's piece of a vector.
  [[nodiscard]] std::size_t piece() const { return layout_.pieces.count(rank_); }

  /// Computes q = A p for this rank's pieces of both. Collective.
  void multiply(const double* p, double* q);
  /// The sum over all ranks, bitwise identical on all of them. Collective.
  [[nodiscard]] double sum(double value);

  /// The timers of the exchanges; the caller adds its own computation.
  [[nodiscard]] PlanTimers& timers() { return timers_; }
  [[nodiscard]] std::uint64_t messages() const;
  [[nodiscard]] int grid_rows() const { return layout_.rows; }
  [[nodiscard]] int grid_columns() const { return layout_.columns; }

 private:
  /// Sums of one value per rank along a row or a column of the grid. Two receive buffers alternate: before a
  /// rank sends to one again, it has received from every other rank. So no credits are needed.
  class Sums {
   public:
    Sums(Runtime& runtime, const Team& team, const nas::ExchangeMode& mode);
    [[nodiscard]] double operator()(double value);
    [[nodiscard]] std::uint64_t messages() const { return exchange_ ? exchange_->messages() : 0; }

   private:
    int place_;
    int count_;
    std::size_t turn_ = 0;
    std::unique_ptr<exchange::Exchange> exchange_;  // null: this rank is the only one
  };

  void make_matrix(const nas::CgClass& size);
  [[nodiscard]] std::unique_ptr<exchange::Exchange> expand_exchange(Runtime& runtime,
                                                                    const nas::ExchangeMode& mode);
  [[nodiscard]] std::unique_ptr<exchange::Exchange> fold_exchange(Runtime& runtime,
                                                                  const nas::ExchangeMode& mode);
  [[nodiscard]] const double* gathered() {
    return reinterpret_cast<const double*>(expand_->receive_buffer());
  }
  void send_piece(const double* p);
  void multiply_all(const SlicedRows& matrix);
  void fold_rows(int target);
  /// The first of this rank's rows in chunk `chunk` of grid column `j`. The value after the last chunk is the
  /// next column's first row.
  [[nodiscard]] std::size_t fold_place(int j, int chunk = 0) const {
    return fold_place_[chunk_number(j, chunk)];
  }
  /// The index of that chunk among all chunks.
  [[nodiscard]] std::size_t chunk_number(int j, int chunk) const {
    return static_cast<std::size_t>(j) * static_cast<std::size_t>(layout_.chunks) +
           static_cast<std::size_t>(chunk);
  }
  void add_folded(double* q);
  /// The rank at column `j` of this grid row, or at row `i` of this grid column.
  [[nodiscard]] int in_row(int j) const { return row_ * layout_.columns + j; }
  [[nodiscard]] int in_column(int i) const { return i * layout_.columns + column_; }

  int rank_;
  nas::CgLayout layout_;
  int row_;
  int column_;
  bool overlap_;
  // Offset of each grid row's piece in the receive buffer of the expand.
  std::vector<std::size_t> expand_place_;
  // First row of each chunk of each grid column's piece, among this rank's rows.
  std::vector<std::size_t> fold_place_;
  SlicedRows own_;               // columns of this rank's own piece, if computation overlaps communication
  SlicedRows others_;            // the other columns; without overlap, all columns
  std::vector<double> product_;  // by row
  Team column_team_;
  Team row_team_;
  std::unique_ptr<exchange::Exchange> expand_;
  std::unique_ptr<exchange::Exchange> fold_;
  Sums row_sums_;
  Sums column_sums_;
  PlanTimers timers_;
};

}  // namespace stretto::kernel
