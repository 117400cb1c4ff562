// SPDX-License-Identifier: BSD-3-Clause
// The problem of halo_plain.cpp and halo_overlap.cpp: Jacobi sweeps over a square of n x n points, cut into
// strips of rows, one a rank. Only arithmetic; how the halo rows arrive is what the two programs differ in.
#pragma once

#include <algorithm>
#include <cstddef>
#include <span>
#include <vector>

namespace examples {

constexpr std::size_t points = 240;  // a row, and rows in all; ranks must divide it
constexpr int sweeps = 50;

/// Rows [first, first + rows) of the square, with one halo row before and one behind.
class Strip {
 public:
  Strip(int rank, int ranks)
      : rows_(points / static_cast<std::size_t>(ranks)),
        first_(rows_ * static_cast<std::size_t>(rank)),
        now_((rows_ + 2) * points),
        next_(now_.size()) {
    for (std::size_t row = 0; row < rows_ + 2; ++row) {
      for (std::size_t j = 0; j < points; ++j) {
        const bool hot =
            first_ + row > points / 3 && first_ + row < points / 2 && j > points / 4 && j < points / 2;
        now_[row * points + j] = hot ? 1000.0 : 0.0;
      }
    }
    next_ = now_;
  }

  [[nodiscard]] std::size_t rows() const { return rows_; }
  /// Row 0 is the halo before, rows() + 1 the one behind.
  [[nodiscard]] std::span<double> row(std::size_t index) { return {&now_[index * points], points}; }

  /// Computes the rows from `begin` to before `end`; needs the rows next to them. The square's edge stays.
  void relax(std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) {
      const std::size_t row = first_ + i - 1;
      if (row == 0 || row == points - 1) continue;
      for (std::size_t j = 1; j + 1 < points; ++j) {
        const std::size_t at = i * points + j;
        next_[at] = 0.25 * (now_[at - points] + now_[at + points] + now_[at - 1] + now_[at + 1]);
      }
    }
  }
  /// What was computed becomes what is read.
  void advance() { now_.swap(next_); }

  /// Whether the own rows are, bit for bit, those of a solution by one rank.
  [[nodiscard]] bool is_serial() {
    Strip whole(0, 1);
    for (int sweep = 0; sweep < sweeps; ++sweep, whole.advance()) whole.relax(1, points + 1);
    return std::equal(&now_[points], &now_[(rows_ + 1) * points], &whole.now_[(first_ + 1) * points]);
  }
  /// Of the own rows.
  [[nodiscard]] double sum_of_squares() const {
    double sum = 0;
    for (std::size_t at = points; at < (rows_ + 1) * points; ++at) sum += now_[at] * now_[at];
    return sum;
  }

 private:
  std::size_t rows_;
  std::size_t first_;
  std::vector<double> now_;
  std::vector<double> next_;
};

}  // namespace examples
