// SPDX-License-Identifier: BSD-3-Clause
// The matrix and vectors of CG on a grid of p1 x p2 ranks, and what they exchange. A vector is cut into as
// many pieces as there are ranks, and piece k is of rank k. Rank (i, j), which is number i p2 + j, has the
// rows of all pieces of row i of the grid, and of these the columns of all pieces of column j. So a product
// needs the pieces of the ranks of its grid column (expand), and leaves sums for those of its grid row
// (fold): no transpose, any p1, p2.
#pragma once

#include <memory>
#include <stretto/runtime.hpp>
#include <vector>

#include "exchange/exchange.hpp"
#include "kernel/block_distribution.hpp"
#include "kernel/nas/cg_matrix.hpp"
#include "kernel/nas/exchange_mode.hpp"
#include "kernel/sparse/sliced_rows.hpp"

namespace stretto::kernel {

class CgGrid {
 public:
  /// Collective over the runtime.
  CgGrid(Runtime& runtime, const nas::CgClass& size, const nas::ExchangeMode& mode);

  /// Elements of this rank's piece of a vector.
  [[nodiscard]] std::size_t piece() const { return pieces_.count(rank_); }

  /// q = A p, this rank's pieces of both. Collective.
  void multiply(const double* p, double* q);
  /// The sum over all ranks, the same bits on all of them. Collective.
  [[nodiscard]] double sum(double value);

  /// Of the exchanges; the work around them is the caller's to add.
  [[nodiscard]] nas::Timers& timers() { return timers_; }
  [[nodiscard]] std::uint64_t messages() const;
  [[nodiscard]] int grid_rows() const { return rows_; }
  [[nodiscard]] int grid_columns() const { return columns_; }

 private:
  /// Sums of one value of each rank along a row or a column of the grid. Two receive buffers alternate: a
  /// rank that sends to one has received from everybody since, so no credit need be sent.
  class Sums {
   public:
    Sums(Runtime& runtime, const Team& team, const nas::ExchangeMode& mode);
    [[nodiscard]] double operator()(double value);
    [[nodiscard]] std::uint64_t messages() const { return exchange_ ? exchange_->messages() : 0; }

   private:
    int place_;
    int count_;
    std::size_t turn_ = 0;
    std::unique_ptr<exchange::Exchange> exchange_;  // null: this rank is alone
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
  /// Where chunk `chunk` of grid column `j` begins among this rank's rows; that behind the last is the next's
  /// first.
  [[nodiscard]] std::size_t fold_place(int j, int chunk = 0) const {
    return fold_place_[chunk_number(j, chunk)];
  }
  /// The number of that chunk among all.
  [[nodiscard]] std::size_t chunk_number(int j, int chunk) const {
    return static_cast<std::size_t>(j) * static_cast<std::size_t>(chunks_) + static_cast<std::size_t>(chunk);
  }
  void add_folded(double* q);
  /// The rank of column `j` in this row of the grid, or of row `i` in this column.
  [[nodiscard]] int in_row(int j) const { return row_ * columns_ + j; }
  [[nodiscard]] int in_column(int i) const { return i * columns_ + column_; }

  int rank_;
  int rows_;     // of the grid
  int columns_;  // of the grid
  int row_;
  int column_;
  BlockDistribution pieces_;
  bool overlap_;
  bool split_;                             // own columns are multiplied while others come
  std::vector<std::size_t> expand_place_;  // of each grid row's piece in the receive buffer of the expand
  int chunks_;                             // in which the sums of a piece leave, each as soon as it is made
  std::vector<std::size_t> fold_place_;    // of each chunk of each grid column's piece among this rank's rows
  SlicedRows own_;                         // columns of this rank's piece, where work is to overlap
  SlicedRows others_;                      // the others; all of them, where not
  std::vector<double> product_;            // by row
  Team column_team_;
  Team row_team_;
  std::unique_ptr<exchange::Exchange> expand_;
  std::unique_ptr<exchange::Exchange> fold_;
  Sums row_sums_;
  Sums column_sums_;
  nas::Timers timers_;
};

}  // namespace stretto::kernel
