// SPDX-License-Identifier: BSD-3-Clause
// The processor time of computation is linear in its iteration count.
#include "measure/work.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <ctime>
#include <vector>

#include "measure/statistics.hpp"

namespace stretto::measure {
namespace {

double processor_s() {
  timespec time{};
  ::clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
  return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
}

double taken_s(Worker& worker, WorkKind kind, std::uint64_t count) {
  const double begin_s = processor_s();
  worker.work(kind, count);
  return processor_s() - begin_s;
}

class WorkIsLinear : public ::testing::TestWithParam<WorkKind> {};

/// The time of 4 n iterations over that of two runs of 2 n, one before and one after, so that drift cancels.
/// The median of many such ratios reduces the effect of other processes on the caches.
double ratio_of_counts(Worker& worker, WorkKind kind) {
  constexpr std::uint64_t count = 40000;
  worker.work(kind, 4 * count);  // caches, clock frequency, first touch
  std::vector<double> ratios;
  for (int i = 0; i < 101; ++i) {
    const double before_s = taken_s(worker, kind, 2 * count);
    const double four_times_s = taken_s(worker, kind, 4 * count);
    const double after_s = taken_s(worker, kind, 2 * count);
    ratios.push_back(four_times_s / (before_s + after_s));
  }
  return median(ratios);
}

// Other processes use the memory for seconds at a time, so a deviation must repeat.
TEST_P(WorkIsLinear, WithinTwoPercent) {
  CountedWorker worker;
  double ratio = ratio_of_counts(worker, GetParam());
  for (int again = 0; again < 3 && std::abs(ratio - 1) > 0.02; ++again) {
    ratio = ratio_of_counts(worker, GetParam());
  }
  EXPECT_NEAR(ratio, 1.0, 0.02);
}

TEST_P(WorkIsLinear, NoneTakesNone) {
  CountedWorker worker;
  worker.work(GetParam(), 1);
  EXPECT_LT(taken_s(worker, GetParam(), 0), taken_s(worker, GetParam(), 100000));
}

INSTANTIATE_TEST_SUITE_P(EveryKind, WorkIsLinear, ::testing::ValuesIn(all_work_kinds),
                         [](const auto& kind) { return std::string{to_string(kind.param)}; });

}  // namespace
}  // namespace stretto::measure
