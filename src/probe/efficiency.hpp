// SPDX-License-Identifier: BSD-3-Clause
// How much of its peak a processor that is not real reaches, by architectural probes, section 4.1. A real one
// needs none of this.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>

namespace stretto::probe {

/// FFTs "achieve over 70% of peak performance on small problem sizes and around 25% of peak on larger": here
/// 512 elements are small and 64k large, as in section 6, and what lies between follows the logarithm.
[[nodiscard]] inline double fft_efficiency(std::size_t row_length) {
  constexpr double small_exponent = 9;
  constexpr double large_exponent = 16;
  const double exponent = std::log2(static_cast<double>(std::max<std::size_t>(row_length, 1)));
  const double share = std::clamp((exponent - small_exponent) / (large_exponent - small_exponent), 0.0, 1.0);
  return 0.70 - share * (0.70 - 0.25);
}

/// SPMV "at most 40%" on small problems and "well below 10% of peak for larger ones", of which the probe's
/// are.
inline constexpr double spmv_efficiency = 0.10;

}  // namespace stretto::probe
