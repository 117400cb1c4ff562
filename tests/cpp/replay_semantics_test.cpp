// SPDX-License-Identifier: BSD-3-Clause
// The effect of each parameter and of each word of GOAL on the makespan, one at a time.
#include <gtest/gtest.h>

#include <string>
#include <tuple>

#include "replay_schedules.hpp"

namespace stretto::replay {
namespace {

TEST(Replay, OverheadPerByteIsPaidByBothProcessors) {
  const char* const goal = "num_ranks 2\nrank 0 {\nsend 101b to 1\n}\nrank 1 {\nrecv 101b from 0\n}\n";
  EXPECT_NEAR(makespan_s(goal, "L=5us,o=1us,G=2ns,O=3ns"), 1e-6 + 300e-9 + 200e-9 + 5e-6 + 1e-6 + 300e-9,
              tolerance_s);
}

// Ranks 0 and 1 share a node, 2 and 3 another one.
TEST(Replay, RanksOfOneNodeHaveALatencyOfTheirOwn) {
  const auto goal = [](int from, int to) {
    std::string text = "num_ranks 4\n";
    for (int rank = 0; rank < 4; ++rank) {
      text += "rank " + std::to_string(rank) + " {\n";
      if (rank == from) text += "send 1001b to " + std::to_string(to) + "\n";
      if (rank == to) text += "recv 1001b from " + std::to_string(from) + "\n";
      text += "}\n";
    }
    return text;
  };
  const std::string network = "L=5us,o=1us,G=1ns,node=2,L_node=0.5us";
  for (const auto& [from, to, latency_s] :
       {std::tuple(0, 1, 0.5e-6), std::tuple(3, 2, 0.5e-6), std::tuple(1, 2, 5e-6), std::tuple(3, 0, 5e-6)}) {
    EXPECT_NEAR(makespan_s(goal(from, to), network), 1e-6 + 1e-6 + latency_s + 1e-6, tolerance_s);
    // The request and the reply of a rendezvous use the same path.
    EXPECT_NEAR(makespan_s(goal(from, to), network + ",S=8"), 1e-6 + 1e-6 + 3 * latency_s + 1e-6,
                tolerance_s);
  }
}

// Its own message neither waits for the 100 us of the other in its card, nor delays it.
TEST(Replay, AMessageToTheOwnRankUsesNoNetwork) {
  const std::string goal =
      "num_ranks 2\nrank 0 {\nsend 100001b to 1\ns: send 100001b to 0\nr: recv 100001b from 0\n"
      "c: calc 50000\nc requires r\n}\nrank 1 {\nrecv 100001b from 0\n}\n";
  for (const char* const eager : {"", ",S=8"}) {
    const std::string network = std::string("L=5us,o=1us,G=1ns,g=20us") + eager;
    const double handshake_s = *eager == '\0' ? 0 : 10e-6;
    EXPECT_NEAR(makespan_s(goal, network), 1e-6 + 100e-6 + 5e-6 + 1e-6 + handshake_s, tolerance_s) << eager;
  }
}

TEST(Replay, EmptyMessagesCostAsMuchAsOneByte) {
  const auto goal = [](const char* size) {
    return std::string("num_ranks 2\nrank 0 {\nsend ") + size + "b to 1\n}\nrank 1 {\nrecv " + size +
           "b from 0\n}\n";
  };
  EXPECT_EQ(makespan_s(goal("0"), "L=5us,o=1us,G=2ns,O=3ns"),
            makespan_s(goal("1"), "L=5us,o=1us,G=2ns,O=3ns"));
}

TEST(Replay, WorkOnTheSameProcessorDelaysTheReceiveAndOnAnotherDoesNot) {
  const auto goal = [](const char* cpu) {
    return std::string("num_ranks 2\nrank 0 {\nsend 1b to 1\n}\nrank 1 {\nrecv 1b from 0\ncalc 50000 cpu ") +
           cpu + "\n}\n";
  };
  EXPECT_NEAR(makespan_s(goal("0"), "L=5us,o=1us"), 51e-6, tolerance_s);
  EXPECT_NEAR(makespan_s(goal("1"), "L=5us,o=1us"), 50e-6, tolerance_s);
}

// `empty` and `last` become ready at the same time. The operation that `empty` releases at once precedes
// `last` in the file, and gets the processor first.
TEST(Replay, SimultaneousOperationsReleaseTheirDependentsInOrder) {
  const char* const goal =
      "num_ranks 1\nrank 0 {\nreleased: calc 100\nfirst: calc 1000\nempty: calc 0\nlast: calc 50\n"
      "alongside: calc 10000 cpu 1\nempty requires first\nlast requires first\nreleased requires empty\n"
      "alongside requires released\n}\n";
  EXPECT_NEAR(makespan_s(goal, "L=5us"), 11.1e-6, tolerance_s);
}

// The bytes arrive while the processor calculates: only o_r remains afterwards.
TEST(Replay, ReceivesOverlapWithWork) {
  const char* const goal =
      "num_ranks 2\nrank 0 {\nsend 1000001b to 1\n}\n"
      "rank 1 {\nr: recv 1000001b from 0\nc: calc 2000000\nd: calc 1000\nd requires r\nd requires c\n}\n";
  EXPECT_NEAR(makespan_s(goal, "L=5us,o=1us,G=1ns"), 2e-3 + 1e-6 + 1e-6, tolerance_s);
}

TEST(Replay, SeparateCardsSendAtTheSameTime) {
  const auto goal = [](const char* nic) {
    return std::string("num_ranks 2\nrank 0 {\nsend 1001b to 1 tag 1\nsend 1001b to 1 tag 2 nic ") + nic +
           "\n}\nrank 1 {\nrecv 1001b from 0 tag 1\nrecv 1001b from 0 tag 2 nic " + nic + "\n}\n";
  };
  EXPECT_NEAR(makespan_s(goal("0"), "L=5us,G=10ns,g=1us"), 10e-6 + 1e-6 + 10e-6 + 5e-6, tolerance_s);
  EXPECT_NEAR(makespan_s(goal("1"), "L=5us,G=10ns,g=1us"), 15e-6, tolerance_s);
}

TEST(Replay, RequiresWaitsForTheEndAndIrequiresForTheStart) {
  const auto goal = [](const char* word) {
    return std::string("num_ranks 1\nrank 0 {\na: calc 1000 cpu 0\nb: calc 500 cpu 1\nb ") + word + " a\n}\n";
  };
  EXPECT_NEAR(makespan_s(goal("requires"), "L=1us"), 1.5e-6, tolerance_s);
  EXPECT_NEAR(makespan_s(goal("irequires"), "L=1us"), 1e-6, tolerance_s);
}

TEST(Replay, AReceiveHasStartedOnceItIsPosted) {
  const char* const goal =
      "num_ranks 2\nrank 0 {\nc: calc 100000\ns: send 1b to 1\ns requires c\n}\n"
      "rank 1 {\nr: recv 1b from 0\nc: calc 1000\nc irequires r\nd: calc 5000\nd requires c\n}\n";
  EXPECT_NEAR(makespan_s(goal, "L=0"), 100e-6, tolerance_s);  // the computation overlaps with the wait
}

TEST(Replay, AnEagerSendCompletesAfterItsOverhead) {
  const char* const goal =
      "num_ranks 2\nrank 0 {\ns: send 1001b to 1\nc: calc 30000\nc requires s\n}\nrank 1 {\nrecv 1001b from "
      "0\n}\n";
  EXPECT_NEAR(makespan_s(goal, "o_s=1us,G=10ns"), 31e-6, tolerance_s);
}

TEST(Replay, ARendezvousSendCompletesWhenItsBytesHaveLeft) {
  // The receive is posted at 50 us, the reply arrives at 52, the bytes have left at 62.
  const char* const goal =
      "num_ranks 2\nrank 0 {\ns: send 1001b to 1\nc: calc 30000\nc requires s\n}\n"
      "rank 1 {\nw: calc 50000\nr: recv 1001b from 0\nr requires w\n}\n";
  EXPECT_NEAR(makespan_s(goal, "L=2us,G=10ns,S=1000"), 92e-6, tolerance_s);
  EXPECT_NEAR(makespan_s(goal, "L=2us,G=10ns,S=1001"), 50e-6, tolerance_s);
}

TEST(Replay, SizesTakeTheParametersOfTheirRange) {
  const auto goal = [](const char* size) {
    return std::string("num_ranks 2\nrank 0 {\nsend ") + size + "b to 1\n}\nrank 1 {\nrecv " + size +
           "b from 0\n}\n";
  };
  const char* const network = "L=1us,o=1us,G=1ns;from=1001,L=10us;from=1MiB,G=0.5ns,o_r=2us";
  EXPECT_NEAR(makespan_s(goal("1000"), network), 3e-6 + 999e-9, tolerance_s);
  EXPECT_NEAR(makespan_s(goal("1001"), network), 12e-6 + 1000e-9, tolerance_s);
  EXPECT_NEAR(makespan_s(goal("1048576"), network), 13e-6 + 1048575 * 0.5e-9, tolerance_s);
}

TEST(Replay, WithoutCommunicationTheTimeIsTheLongestChainOfWork) {
  BlockingCode code;
  for (std::uint64_t i = 1; i <= 10; ++i) code.add(calculate(i * 100));
  code.end_rank();
  code.add(calculate(7));
  code.end_rank();
  EXPECT_NEAR(makespan_s(code.finish(), "L=1us"), 5500e-9, tolerance_s);
}

TEST(Replay, CountsOperationsAndBytes) {
  const Schedule schedule = parse_goal_text(
      "num_ranks 2\nrank 0 {\nsend 8b to 1\nsend 8b to 1\ncalc 5\n}\nrank 1 {\nrecv 8b from 0\n}\n", "t");
  const ReplayResult result = replayed(schedule, network::network_from("L=1us"));
  EXPECT_EQ(result.operations, 4U);
  EXPECT_EQ(result.messages, 2U);
  EXPECT_EQ(result.events(), 6U);
  EXPECT_EQ(result.unreceived, 1U);
}

TEST(Replay, ASecondRunIsIndependentOfTheFirst) {
  const Schedule schedule = parse_goal_text(
      "num_ranks 2\nrank 0 {\ns: send 2000b to 1\nr: recv 8b from 1\nr requires s\n}\n"
      "rank 1 {\nr: recv 2000b from -1 tag -1\ns: send 8b to 0\ns requires r\n}\n",
      "t");
  const CompiledSchedule compiled(schedule);
  Replayer replayer(schedule, compiled);
  const double first_s = replayer.run(network::network_from("L=3us,o=1us,g=2us,G=1ns,S=100")).makespan_s;
  (void)replayer.run(network::network_from("L=1us,o=5us;from=100,L=7us"));
  EXPECT_EQ(replayer.run(network::network_from("L=3us,o=1us,g=2us,G=1ns,S=100")).makespan_s, first_s);
}

}  // namespace
}  // namespace stretto::replay
