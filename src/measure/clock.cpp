// SPDX-License-Identifier: BSD-3-Clause
#include "measure/clock.hpp"

#include <algorithm>
#include <ctime>
#include <limits>
#include <vector>

#include "measure/statistics.hpp"

namespace stretto::measure {

double monotonic_s() {
  timespec time{};
  ::clock_gettime(CLOCK_MONOTONIC, &time);
  return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
}

ClockQuality calibrate(const std::function<double()>& now) {
  constexpr int batches = 51;
  constexpr int readings = 64;
  double resolution_s = std::numeric_limits<double>::infinity();
  std::vector<double> overheads_s;
  for (int batch = 0; batch < batches; ++batch) {
    const double first_s = now();
    double before_s = first_s;
    for (int reading = 0; reading < readings; ++reading) {
      const double after_s = now();
      if (after_s > before_s) resolution_s = std::min(resolution_s, after_s - before_s);
      before_s = after_s;
    }
    overheads_s.push_back((before_s - first_s) / readings);
  }
  const double overhead_s = median(overheads_s);
  return {.resolution_s = overhead_s > 0 ? resolution_s : 0, .overhead_s = overhead_s};
}

}  // namespace stretto::measure
