// SPDX-License-Identifier: BSD-3-Clause
// A deadlock is reported with the ranks and operations that wait for each other.
#include <gtest/gtest.h>

#include "refusal.hpp"
#include "replay/deadlock.hpp"
#include "replay_schedules.hpp"

namespace stretto::replay {
namespace {

std::string report(std::string_view goal, std::string_view network) {
  const Schedule schedule = parse_goal_text(goal, "x.goal");
  try {
    (void)replayed(schedule, network::network_from(network));
  } catch (const Stuck& stuck) {
    return describe(schedule, find_deadlock(schedule, stuck),
                    [&](OperationId id) { return std::to_string(schedule.line[id]) + " "; });
  }
  return "it ends";
}

constexpr const char* both_receive_first =
    "num_ranks 2\nrank 0 {\nr: recv 8b from 1\ns: send 8b to 1\ns requires r\n}\n"
    "rank 1 {\nr: recv 8b from 0\ns: send 8b to 0\ns requires r\n}\n";

TEST(Deadlock, NamesTheCycle) {
  EXPECT_EQ(report(both_receive_first, "L=1us"),
            "deadlock: rank 0 3 'recv 8b from 1 tag 0' waits for rank 1 9 'send 8b to 0 tag 0' waits for "
            "rank 1 8 'recv 8b from 0 tag 0' waits for rank 0 4 'send 8b to 1 tag 0' waits for "
            "rank 0 3 'recv 8b from 1 tag 0'");
}

// Both ranks send first: no deadlock while both messages are eager.
TEST(Deadlock, OfTwoRendezvousDependsOnTheThreshold) {
  const char* const goal =
      "num_ranks 2\nrank 0 {\ns: send 100b to 1\nr: recv 100b from 1\nr requires s\n}\n"
      "rank 1 {\ns: send 100b to 0\nr: recv 100b from 0\nr requires s\n}\n";
  EXPECT_EQ(report(goal, "L=1us,S=100"), "it ends");
  EXPECT_EQ(report(goal, "L=1us,S=99"),
            "deadlock: rank 0 3 'send 100b to 1 tag 0' waits for rank 1 9 'recv 100b from 0 tag 0' waits for "
            "rank 1 8 'send 100b to 0 tag 0' waits for rank 0 4 'recv 100b from 1 tag 0' waits for "
            "rank 0 3 'send 100b to 1 tag 0'");
}

TEST(Deadlock, OperationsOutsideTheCycleAreNotReported) {
  const std::string goal = std::string(both_receive_first);
  const std::string longer =
      "num_ranks 3" + goal.substr(goal.find('\n')) + "rank 2 {\nrecv 8b from 0 tag 3\n}\n";
  EXPECT_EQ(report(longer, "L=1us").find("rank 2"), std::string::npos);
}

TEST(Deadlock, AWildcardReceiveCanBePartOfIt) {
  EXPECT_EQ(
      report("num_ranks 2\nrank 0 {\nr: recv 8b from -1 tag -1\ns: send 8b to 1 tag 4\ns requires r\n}\n"
             "rank 1 {\nr: recv 8b from -1 tag 4\ns: send 8b to 0 tag 2\ns requires r\n}\n",
             "L=1us"),
      "deadlock: rank 0 3 'recv 8b from -1 tag -1' waits for rank 1 9 'send 8b to 0 tag 2' waits for "
      "rank 1 8 'recv 8b from -1 tag 4' waits for rank 0 4 'send 8b to 1 tag 4' waits for "
      "rank 0 3 'recv 8b from -1 tag -1'");
}

TEST(Deadlock, AReceiveWithoutASenderIsNoDeadlock) {
  EXPECT_EQ(
      report("num_ranks 2\nrank 0 {\nr: recv 8b from 1 tag 3\nc: calc 1\nc requires r\n}\n"
             "rank 1 {\nsend 8b to 0 tag 4\n}\n",
             "L=1us"),
      "the schedule does not end: rank 0 3 'recv 8b from 1 tag 3' waits for a message that nobody sends");
}

TEST(Deadlock, AMissingReceiveBlocksARendezvousOnly) {
  const char* const goal = "num_ranks 2\nrank 0 {\nsend 8b to 1\n}\nrank 1 {\ncalc 1\n}\n";
  EXPECT_EQ(report(goal, "L=1us"), "it ends");
  EXPECT_EQ(report(goal, "L=1us,S=0"),
            "the schedule does not end: rank 0 3 'send 8b to 1 tag 0' waits for a receive that nobody posts");
}

TEST(Deadlock, OfManyRanksIsReportedBriefly) {
  std::string goal = "num_ranks 100\n";
  for (int rank = 0; rank < 100; ++rank) {
    goal += "rank " + std::to_string(rank) + " {\nr: recv 8b from " + std::to_string((rank + 99) % 100) +
            "\ns: send 8b to " + std::to_string((rank + 1) % 100) + "\ns requires r\n}\n";
  }
  EXPECT_TRUE(testing::has(report(goal, "L=1us"), "waits for 184 more operations waits for rank 0"));
}

}  // namespace
}  // namespace stretto::replay
