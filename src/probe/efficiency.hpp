// SPDX-License-Identifier: BSD-3-Clause
// The share of its peak that a simulated processor reaches (architectural probes, section 4.1). Real
// processors do not need it.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>

namespace stretto::probe {

/// FFTs "achieve over 70% of peak performance on small problem sizes and around 25% of peak on larger".
/// Here 512 elements are small and 64k are large, as in section 6; the share between them is linear in the
/// logarithm.
[[nodiscard]] inline double fft_efficiency(std::size_t row_length) {
  constexpr double small_exponent = 9;
  constexpr double large_exponent = 16;
  const double exponent = std::log2(static_cast<double>(std::max<std::size_t>(row_length, 1)));
  const double share = std::clamp((exponent - small_exponent) / (large_exponent - small_exponent), 0.0, 1.0);
  return 0.70 - share * (0.70 - 0.25);
}

/// SPMV reaches "at most 40%" on small problems and "well below 10% of peak for larger ones"; the problems
/// of the probe are large. A platform may state its own share.
inline constexpr double usual_spmv_efficiency = 0.10;

}  // namespace stretto::probe
