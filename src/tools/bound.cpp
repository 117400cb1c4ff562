// SPDX-License-Identifier: BSD-3-Clause
#include "tools/bound.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <random>

#include "measure/statistics.hpp"

namespace stretto::tools {
namespace {

double median_time_s(Leader& leader, const Step& step) {
  std::array<double, 3> times{};
  for (double& time : times) {
    time = leader.run(step).elapsed_s();
  }
  return measure::median(times);
}

/// The iteration count of a computation that takes `time_s` on both hosts. Runs computations to find it.
std::uint64_t calibrate(Leader& leader, double time_s) {
  std::uint64_t count = 1U << 12;
  double taken_s = 0.0;
  while ((taken_s = leader.run({.work_count = count}).elapsed_s()) < time_s / 4) {
    count *= 2;
  }
  taken_s = median_time_s(leader, {.work_count = count});
  return std::max<std::uint64_t>(1, std::llround(static_cast<double>(count) * time_s / taken_s));
}

}  // namespace

std::vector<OverlapRound> overlap_rounds(Leader& leader, std::uint64_t size_bytes, bool both_ways,
                                         int rounds) {
  const Step transfer{.size_bytes = size_bytes, .answer_bytes = both_ways ? size_bytes : 0};
  (void)leader.run(transfer);  // opens the congestion window
  const Step work{.work_count = calibrate(leader, median_time_s(leader, transfer))};
  Step together = transfer;
  together.work_count = work.work_count;

  std::array<int, 3> order{0, 1, 2};
  std::mt19937 random(57);  // random order, so that periodic noise cannot follow it; any seed will do
  std::vector<OverlapRound> result(static_cast<std::size_t>(rounds));
  for (OverlapRound& round : result) {
    std::shuffle(order.begin(), order.end(), random);
    for (const int which : order) {
      const StepTime time = leader.run(which == 0 ? transfer : which == 1 ? work : together);
      (which == 0 ? round.transfer_s : which == 1 ? round.work_s : round.together_s) = time.elapsed_s();
      if (which == 1) round.computing_alone_s = time.computing_s;
      if (which == 2) round.computing_together_s = time.computing_s;
    }
  }
  return result;
}

}  // namespace stretto::tools
