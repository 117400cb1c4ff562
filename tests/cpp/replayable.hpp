// SPDX-License-Identifier: BSD-3-Clause
// What is asked of a reader of schedules, whatever it is given: to read or refuse it in one line, and that
// what was read can be replayed.
#pragma once

#include <gtest/gtest.h>

#include <stdexcept>
#include <string>

#include "replay/deadlock.hpp"
#include "replay/replay.hpp"

namespace stretto::replay {

/// To its end, or to a deadlock that can be told in one line.
inline void replay_or_tell(const Schedule& schedule, const network::Network& network) {
  const CompiledSchedule compiled(schedule);
  try {
    EXPECT_GE(Replayer(schedule, compiled).run(network).makespan_s, 0);
  } catch (const Stuck& stuck) {
    const std::string told =
        describe(schedule, find_deadlock(schedule, stuck), [](OperationId) { return ""; });
    EXPECT_NE(told.find("waits for"), std::string::npos) << told;
    EXPECT_EQ(told.find('\n'), std::string::npos);
  }
}

/// Whether `read_and_use` did not refuse what it was given.
template <typename ReadAndUse>
bool is_accepted(ReadAndUse&& read_and_use) {
  try {
    read_and_use();
    return true;
  } catch (const std::invalid_argument& error) {
    const std::string told = error.what();
    EXPECT_FALSE(told.empty());
    EXPECT_EQ(told.find('\n'), std::string::npos) << told;
    return false;
  }
}

}  // namespace stretto::replay
