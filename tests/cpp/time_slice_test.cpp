// SPDX-License-Identifier: BSD-3-Clause
// A thread requests a short time slice, and no other attribute changes.
#include "progress/thread/time_slice.hpp"

#include <gtest/gtest.h>
#include <sched.h>
#include <sys/resource.h>
#include <unistd.h>

#include <thread>

namespace stretto::progress {
namespace {

void use_policy(int policy) {
  const sched_param parameters{};
  EXPECT_EQ(sched_setscheduler(0, policy, &parameters), 0);
}

TEST(TimeSlice, IsOfTheThreadThatRequestsIt) {
  const std::uint64_t before_ns = scheduling_attributes().value().runtime_ns;
  if (before_ns == 0) GTEST_SKIP() << "NOT TESTED: this kernel (before 6.12) has no request for a time slice";
  std::uint64_t requested_ns = 0;
  std::thread([&] {
    request_short_time_slice();
    requested_ns = scheduling_attributes().value().runtime_ns;
  }).join();
  EXPECT_EQ(requested_ns, 100'000U);
  EXPECT_EQ(scheduling_attributes().value().runtime_ns, before_ns);
}

TEST(TimeSlice, LeavesPolicyAndPriority) {
  std::thread([] {
    use_policy(SCHED_BATCH);
    EXPECT_EQ(setpriority(PRIO_PROCESS, static_cast<id_t>(gettid()), 5), 0);
    request_short_time_slice();
    EXPECT_EQ(scheduling_attributes().value().policy, static_cast<std::uint32_t>(SCHED_BATCH));
    EXPECT_EQ(scheduling_attributes().value().nice, 5);
  }).join();
}

TEST(TimeSlice, StaysInTheIdleSchedulingClass) {
  std::thread([] {
    use_policy(SCHED_IDLE);
    const std::uint64_t before_ns = scheduling_attributes().value().runtime_ns;
    request_short_time_slice();
    EXPECT_EQ(scheduling_attributes().value().policy, static_cast<std::uint32_t>(SCHED_IDLE));
    EXPECT_EQ(scheduling_attributes().value().runtime_ns, before_ns);
  }).join();
}

}  // namespace
}  // namespace stretto::progress
