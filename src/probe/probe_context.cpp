// SPDX-License-Identifier: BSD-3-Clause
#include "probe/probe_context.hpp"

#include <cmath>

namespace stretto::probe {

std::uint64_t WorkRates::count_for(measure::WorkKind kind, double duration_s) const {
  const double count = std::ceil(duration_s / of(kind));
  return count > 1 ? static_cast<std::uint64_t>(count) : 1;
}

Pairing pairing_of(int rank, int size) {
  const int pairs = size / 2;
  if (rank < pairs) return {.origin = true, .peer = rank + pairs, .pairs = pairs};
  if (rank < 2 * pairs) return {.target = true, .peer = rank - pairs, .pairs = pairs};
  return {.pairs = pairs};
}

}  // namespace stretto::probe
