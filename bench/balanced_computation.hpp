// SPDX-License-Identifier: BSD-3-Clause
// The computation of which T_w equals T_c, the time of a communication alone.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <functional>

#include "interleaved_rounds.hpp"
#include "measure/work.hpp"

namespace stretto::bench {

/// The slowest rank's median time of `once`, the same on all ranks. Collective.
inline double median_s(const std::function<void()>& once) {
  std::array<double, 5> times{};
  for (double& time_s : times) time_s = slowest_s(once);
  std::nth_element(times.begin(), times.begin() + 2, times.end());
  return times[2];
}

/// The iterations of computation that take as long as `communicate`. Collective.
inline std::uint64_t balanced_count(measure::Worker& worker, const std::function<void()>& communicate) {
  constexpr std::uint64_t some = 1 << 14;
  const double communication_s = median_s(communicate);
  const double some_s = median_s([&] { worker.work(measure::WorkKind::registers, some); });
  return std::max<std::uint64_t>(static_cast<std::uint64_t>(some * communication_s / some_s), 1);
}

}  // namespace stretto::bench
