// SPDX-License-Identifier: BSD-3-Clause
// The share of its peak rate that a simulated processor reaches (architectural probes, section 4.1). Not used
// on real processors.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>

namespace stretto::probe {

/// The share for transforms of `row_length` elements, from 0.25 to 0.70. FFTs "achieve over 70% of peak
/// performance on small problem sizes and around 25% of peak on larger". As in section 6, 512 elements are
/// small and 64k are large. Between them, the share is linear in the logarithm.
[[nodiscard]] inline double fft_efficiency(std::size_t row_length) {
  constexpr double small_exponent = 9;
  constexpr double large_exponent = 16;
  const double exponent = std::log2(static_cast<double>(std::max<std::size_t>(row_length, 1)));
  const double share = std::clamp((exponent - small_exponent) / (large_exponent - small_exponent), 0.0, 1.0);
  return 0.70 - share * (0.70 - 0.25);
}

/// The share for SPMV, unless a platform states its own. SPMV reaches "at most 40%" on small problems and
/// "well below 10% of peak for larger ones"; the problems of the probe are large.
inline constexpr double usual_spmv_efficiency = 0.10;

}  // namespace stretto::probe
