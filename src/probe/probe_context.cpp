// SPDX-License-Identifier: BSD-3-Clause
#include "probe/probe_context.hpp"

#include <algorithm>
#include <cmath>

namespace stretto::probe {

std::uint64_t WorkRates::count_for(measure::WorkKind kind, double duration_s) const {
  const double count = std::ceil(duration_s / of(kind));
  return count > 1 ? static_cast<std::uint64_t>(count) : 1;
}

Pairing pairing_of(int rank, int size, int most) {
  const int half = size / 2;
  const int pairs = most > 0 ? std::min(most, half) : half;
  if (rank < pairs) return {.origin = true, .peer = rank + half, .pairs = pairs};
  if (rank >= half && rank < half + pairs) return {.target = true, .peer = rank - half, .pairs = pairs};
  return {.pairs = pairs};
}

}  // namespace stretto::probe
