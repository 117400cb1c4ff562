// SPDX-License-Identifier: BSD-3-Clause
// The computation of the FT probe: a fraction or a multiple of one FFT of a row, by FFTW. Knows no other rows
// and no communication.
#pragma once

#include <complex>
#include <cstddef>
#include <memory>

#include "measure/team.hpp"

namespace stretto::probe {

/// Operations that an FFT of `length` complex elements is counted as: 5 m log2 m.
[[nodiscard]] double fft_flops(std::size_t length);

/// How a row's transforms come to `scale` times one of all its elements: whole transforms, and one of the
/// first `part_length` elements for the rest (R' of the paper's section 6.3).
struct TransformPlan {
  std::size_t row_length = 0;
  std::size_t whole = 0;
  std::size_t part_length = 0;  ///< a product of 2, 3, 5 and 7, for others cost more than 5 m log2 m

  [[nodiscard]] double flops() const;
  /// So many elements at the front of a row are written; those behind stay.
  [[nodiscard]] std::size_t written() const { return whole > 0 ? row_length : part_length; }
};

/// The nearest that there is. `scale` is finite and not negative, `row_length` at least 1.
[[nodiscard]] TransformPlan transform_plan(std::size_t row_length, double scale);

class RowTransform {
 public:
  /// Rank 0 tries out how FFTW is fastest and the others do as it does. Collective.
  RowTransform(const TransformPlan& plan, measure::Team& team);
  RowTransform(const RowTransform&) = delete;
  RowTransform& operator=(const RowTransform&) = delete;
  ~RowTransform();

  /// From `source` into `row`, both of row_length elements and apart. Both must lie at multiples of 16 bytes:
  /// throws std::logic_error.
  void run(const std::complex<double>* source, std::complex<double>* row) const;

 private:
  struct Plans;
  TransformPlan plan_;
  std::unique_ptr<Plans> plans_;
};

}  // namespace stretto::probe
