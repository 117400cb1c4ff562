// SPDX-License-Identifier: BSD-3-Clause
// Matching as in MPI: in order on a channel, with wildcards by the order of arrival.
#include <gtest/gtest.h>

#include "replay_schedules.hpp"

namespace stretto::replay {
namespace {

// The makespan shows which message was matched, because computation follows each receive.
TEST(Matching, MessagesOfOneChannelAreTakenInTheirOrder) {
  const char* const goal =
      "num_ranks 2\nrank 0 {\na: send 1b to 1 tag 7\nw: calc 100000\nw requires a\nb: send 1b to 1 tag 7\n"
      "b requires w\n}\n"
      "rank 1 {\nx: recv 1b from 0 tag 7\ny: recv 1b from 0 tag 7\ny irequires x\nz: calc 200000\nz requires "
      "x\n}\n";
  EXPECT_NEAR(makespan_s(goal, "L=1us"), 201e-6, tolerance_s);
}

TEST(Matching, MessagesMatchByTagAndSource) {
  const char* const goal =
      "num_ranks 3\n"
      "rank 0 {\nsend 1b to 2 tag 1\nw: calc 10000\ns: send 1b to 2 tag 2\ns requires w\n}\n"
      "rank 1 {\nw: calc 30000\ns: send 1b to 2 tag 1\ns requires w\n}\n"
      "rank 2 {\na: recv 1b from 1 tag 1\nb: recv 1b from 0 tag 2\nc: recv 1b from 0 tag 1\n"
      "x: calc 100000 cpu 1\nx requires a\ny: calc 115000 cpu 2\ny requires b\nz: calc 126000 cpu 3\nz "
      "requires c\n"
      "}\n";
  EXPECT_NEAR(makespan_s(goal, "L=1us"), 131e-6, tolerance_s);  // 30 + 1 + 100; 10 + 1 + 115; 1 + 126
}

TEST(Matching, AnySourceMatchesTheFirstArrival) {
  const char* const goal =
      "num_ranks 3\n"
      "rank 0 {\nw: calc 50000\ns: send 1b to 2 tag 1\ns requires w\n}\n"
      "rank 1 {\nsend 1b to 2 tag 1\n}\n"
      "rank 2 {\na: recv 1b from -1 tag 1\nx: calc 100000\nx requires a\nb: recv 1b from -1 tag 1\nb "
      "requires x\n}\n";
  EXPECT_NEAR(makespan_s(goal, "L=1us"), 101e-6, tolerance_s);
}

TEST(Matching, AnyTagTakesTheFirstOfItsSourceOnly) {
  const char* const goal =
      "num_ranks 3\n"
      "rank 0 {\nw: calc 50000\ns: send 1b to 2 tag 9\ns requires w\n}\n"
      "rank 1 {\nsend 1b to 2 tag 8\n}\n"
      "rank 2 {\na: recv 1b from 0 tag -1\nx: calc 100000\nx requires a\nb: recv 1b from 1 tag -1\n}\n";
  EXPECT_NEAR(makespan_s(goal, "L=1us"), 151e-6, tolerance_s);
}

// MPI: of several posted receives that match, the first posted.
TEST(Matching, TheReceiveThatWasPostedFirstTakesTheMessage) {
  const char* const goal =
      "num_ranks 2\n"
      "rank 0 {\na: send 1b to 1 tag 3\nw: calc 40000\nw requires a\nb: send 1b to 1 tag 3\nb requires w\n}\n"
      "rank 1 {\nfirst: recv 1b from -1 tag -1\nsecond: recv 1b from 0 tag 3\nsecond irequires first\n"
      "x: calc 100000\nx requires first\n}\n";
  EXPECT_NEAR(makespan_s(goal, "L=1us"), 101e-6, tolerance_s);
}

TEST(Matching, AnUnexpectedMessageMatchesOneReceiveOnly) {
  const char* const goal =
      "num_ranks 2\n"
      "rank 0 {\na: send 1b to 1 tag 3\nb: send 1b to 1 tag 4\nb requires a\n}\n"
      "rank 1 {\nw: calc 90000\nx: recv 1b from -1 tag -1\nx requires w\ny: recv 1b from -1 tag 4\ny "
      "requires x\n}\n";
  EXPECT_NEAR(makespan_s(goal, "L=1us"), 90e-6, tolerance_s);
}

TEST(Matching, WildcardsMeetRendezvousAfterItsRequest) {
  const char* const goal =
      "num_ranks 3\n"
      "rank 0 {\nsend 1001b to 2\n}\nrank 1 {\nw: calc 1000\ns: send 1001b to 2\ns requires w\n}\n"
      "rank 2 {\na: recv 1001b from -1\nb: recv 1001b from -1\nb requires a\n}\n";
  // The first: request at 2, reply at 4, bytes sent at 14, received at 16. The second's request has waited;
  // its reply arrives at 18.
  EXPECT_NEAR(makespan_s(goal, "L=2us,G=10ns,S=0"), 30e-6, tolerance_s);
}

// A short message does not overtake a long one before it on its channel.
TEST(Matching, FasterMessagesDoNotOvertakeOnTheirChannel) {
  const char* const goal =
      "num_ranks 2\nrank 0 {\na: send 1001b to 1 tag 7\nb: send 1b to 1 tag 7\nb requires a\n}\n"
      "rank 1 {\nx: recv 1001b from 0 tag 7\ny: recv 1b from 0 tag 7\ny irequires x\n"
      "z: calc 100000\nz requires y\n}\n";
  EXPECT_NEAR(makespan_s(goal, "L=1us;from=1000,L=20us"), 120e-6, tolerance_s);
}

TEST(Matching, ARankMaySendToItself) {
  EXPECT_NEAR(makespan_s("num_ranks 1\nrank 0 {\nsend 1b to 0\nrecv 1b from 0\n}\n", "L=2us,o=1us"), 2e-6,
              tolerance_s);
}

}  // namespace
}  // namespace stretto::replay
