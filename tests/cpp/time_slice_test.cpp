// SPDX-License-Identifier: BSD-3-Clause
// A thread asks for short turns, and changes nothing else by it.
#include "rma/progress/time_slice.hpp"

#include <gtest/gtest.h>
#include <sched.h>
#include <sys/resource.h>
#include <unistd.h>

#include <thread>

namespace stretto::rma {
namespace {

void follow(int policy) {
  const sched_param parameters{};
  EXPECT_EQ(sched_setscheduler(0, policy, &parameters), 0);
}

TEST(ShortSlice, IsOfTheThreadThatAsks) {
  const std::uint64_t before_ns = scheduling_attributes().value().runtime_ns;
  if (before_ns == 0)
    GTEST_SKIP() << "NOT TESTED: this kernel (before 6.12) lets no thread ask for short slices";
  std::uint64_t asked_ns = 0;
  std::thread([&] {
    ask_for_short_slices();
    asked_ns = scheduling_attributes().value().runtime_ns;
  }).join();
  EXPECT_EQ(asked_ns, 100'000U);
  EXPECT_EQ(scheduling_attributes().value().runtime_ns, before_ns);
}

TEST(ShortSlice, LeavesPolicyAndPriority) {
  std::thread([] {
    follow(SCHED_BATCH);
    EXPECT_EQ(setpriority(PRIO_PROCESS, static_cast<id_t>(gettid()), 5), 0);
    ask_for_short_slices();
    EXPECT_EQ(scheduling_attributes().value().policy, static_cast<std::uint32_t>(SCHED_BATCH));
    EXPECT_EQ(scheduling_attributes().value().nice, 5);
  }).join();
}

TEST(ShortSlice, IsNotForAThreadThatRunsOnlyWhereNobodyElseDoes) {
  std::thread([] {
    follow(SCHED_IDLE);
    const std::uint64_t before_ns = scheduling_attributes().value().runtime_ns;
    ask_for_short_slices();
    EXPECT_EQ(scheduling_attributes().value().policy, static_cast<std::uint32_t>(SCHED_IDLE));
    EXPECT_EQ(scheduling_attributes().value().runtime_ns, before_ns);
  }).join();
}

}  // namespace
}  // namespace stretto::rma
