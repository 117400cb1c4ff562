// SPDX-License-Identifier: BSD-3-Clause
// The computation of the FT probe: a fraction or a multiple of one FFT of a row, by FFTW. It does not
// communicate.
#pragma once

#include <complex>
#include <cstddef>
#include <memory>

#include "measure/team.hpp"

namespace stretto::probe {

/// The nominal number of floating-point operations of an FFT of m = `length` complex elements: 5 m log2 m.
[[nodiscard]] double fft_flops(std::size_t length);

/// The transforms that together cost `scale` times one transform of a complete row: some complete ones, and
/// one of the first `part_length` elements for the rest (R' of the paper's section 6.3).
struct TransformPlan {
  std::size_t row_length = 0;
  std::size_t whole = 0;
  std::size_t part_length =
      0;  ///< a product of 2, 3, 5 and 7, because other lengths cost more than 5 m log2 m

  [[nodiscard]] double flops() const;
};

/// The plan nearest to `scale`, which is finite and not negative; `row_length` is at least 1.
[[nodiscard]] TransformPlan transform_plan(std::size_t row_length, double scale);

class RowTransform {
 public:
  /// Rank 0 searches the fastest FFTW plans; the other ranks use its result. Collective.
  RowTransform(const TransformPlan& plan, measure::Team& team);
  RowTransform(const RowTransform&) = delete;
  RowTransform& operator=(const RowTransform&) = delete;
  ~RowTransform();

  /// Transforms `source` into `row`. Both have row_length elements and do not overlap. Throws
  /// std::logic_error unless both are aligned to 16 bytes.
  void run(const std::complex<double>* source, std::complex<double>* row) const;

 private:
  struct Plans;
  TransformPlan plan_;
  std::unique_ptr<Plans> plans_;
};

}  // namespace stretto::probe
