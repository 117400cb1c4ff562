// SPDX-License-Identifier: BSD-3-Clause
// The requirements on a reader of schedules for any input: it reads the input or refuses it with one line,
// and what it reads can be replayed.
#pragma once

#include <gtest/gtest.h>

#include <stdexcept>
#include <string>

#include "refusal.hpp"
#include "replay/deadlock.hpp"
#include "replay/replay.hpp"

namespace stretto::replay {

/// Replays to the end, or to a deadlock that is reported in one line.
inline void replay_or_tell(const Schedule& schedule, const network::Network& network) {
  const CompiledSchedule compiled(schedule);
  try {
    EXPECT_GE(Replayer(schedule, compiled).run(network).makespan_s, 0);
  } catch (const Stuck& stuck) {
    const std::string report =
        describe(schedule, find_deadlock(schedule, stuck), [](OperationId) { return ""; });
    EXPECT_TRUE(testing::has(report, "waits for"));
    EXPECT_EQ(report.find('\n'), std::string::npos);
  }
}

/// Whether `read_and_use` accepted its input.
template <typename ReadAndUse>
bool is_accepted(ReadAndUse&& read_and_use) {
  try {
    read_and_use();
    return true;
  } catch (const std::invalid_argument& error) {
    const std::string report = error.what();
    EXPECT_FALSE(report.empty());
    EXPECT_EQ(report.find('\n'), std::string::npos) << report;
    return false;
  }
}

}  // namespace stretto::replay
