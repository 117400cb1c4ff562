// SPDX-License-Identifier: BSD-3-Clause
// The data of one rank of the FT probe: its rows, the sources and transforms of the rows, and the check of
// received pieces.
#pragma once

#include <complex>
#include <cstdint>
#include <span>
#include <vector>

#include "probe/row_transform.hpp"
#include "probe/schedule_names.hpp"

namespace stretto::probe {

class FtRows {
 public:
  /// `rows` are this rank's N R elements, in memory that the transport reads. With `all_differ` each row
  /// has a source of its own, which a check needs. Without it the rows share a few sources that stay in the
  /// cache, so that the memory traffic is that of an in-place transform. Collective.
  FtRows(const FtProblem& problem, const TransformPlan& plan, std::span<std::complex<double>> rows,
         bool all_differ, measure::Team& team);

  /// Sets every row to its source, which depends on the seed.
  void fill(std::uint32_t seed);

  /// Transforms the source of the row into the row; may be repeated.
  void transform(std::size_t row) { transform_.run(source(row), element(row)); }

  /// The number of pieces in `block`, the N/P rows received from `sender`, that have a wrong element.
  /// Requires fill(seed) on all ranks, and all_differ. `transformed`: whether the rows were transformed
  /// before they were sent.
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
