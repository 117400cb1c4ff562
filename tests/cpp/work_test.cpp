// SPDX-License-Identifier: BSD-3-Clause
// Work is linear in its count: seen by the processor time of this thread, which no other process can steal.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <ctime>
#include <stretto/statistics.hpp>
#include <stretto/work.hpp>
#include <vector>

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

TEST(Work, NamesAreReadBack) {
  for (const WorkKind kind : all_work_kinds) EXPECT_EQ(work_kind_from(to_string(kind)), kind);
  EXPECT_FALSE(work_kind_from("idle"));
}

// The ratio of times to the ratio of counts, interleaved; the least disturbed of many pairs speaks for the
// loop, since a disturbance only ever adds.
class WorkIsLinear : public ::testing::TestWithParam<WorkKind> {};

TEST_P(WorkIsLinear, WithinTwoPercent) {
  constexpr std::uint64_t count = 40000;
  CountedWorker worker;
  worker.work(GetParam(), 4 * count);  // caches, clock frequency, first touch
  double once_s = 1e9;
  double four_times_s = 1e9;
  for (int pair = 0; pair < 500; ++pair) {
    once_s = std::min(once_s, taken_s(worker, GetParam(), count));
    four_times_s = std::min(four_times_s, taken_s(worker, GetParam(), 4 * count));
    if (pair >= 15 && std::abs(four_times_s / once_s / 4 - 1) < 0.02) break;
  }
  EXPECT_NEAR(four_times_s / once_s / 4, 1.0, 0.02);
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
