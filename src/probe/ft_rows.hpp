// SPDX-License-Identifier: BSD-3-Clause
// The data of one rank of the FT probe: what its rows are made of, their transforms, and what must have
// arrived.
#pragma once

#include <complex>
#include <cstdint>
#include <span>
#include <vector>

#include "probe/ft_schedule.hpp"
#include "probe/row_transform.hpp"

namespace stretto::probe {

class FtRows {
 public:
  /// `rows` are this rank's, N R elements, in memory that communication reads. `all_differ`: each row has a
  /// source of its own, which a check needs; else a few that stay in the cache take turns, so that the memory
  /// traffic is that of a transform in place. Collective.
  FtRows(const FtProblem& problem, const TransformPlan& plan, std::span<std::complex<double>> rows,
         bool all_differ, measure::Team& team);

  /// Every row becomes its source, which depends on the seed.
  void fill(std::uint32_t seed);

  /// From the row's source; may be repeated.
  void transform(std::size_t row) { transform_.run(source(row), element(row)); }

  /// How many of the pieces that `sender` has sent to this rank in `block`, N/P rows, have a wrong element.
  /// Only after fill(seed) on all ranks, with all_differ. `transformed`: whether the rows had been.
  [[nodiscard]] std::size_t wrong_pieces(std::span<const std::complex<double>> block, int sender,
                                         std::size_t pieces, std::uint32_t seed, bool transformed) const;

 private:
  [[nodiscard]] const std::complex<double>* source(std::size_t row) const {
    return sources_.data() + row % source_rows_ * problem_.row_length;
  }
  [[nodiscard]] std::complex<double>* element(std::size_t row) {
    return rows_.data() + row * problem_.row_length;
  }

  FtProblem problem_;
  TransformPlan plan_;
  std::span<std::complex<double>> rows_;
  int rank_;
  std::size_t source_rows_;
  std::vector<std::complex<double>> sources_;
  RowTransform transform_;
};

}  // namespace stretto::probe
