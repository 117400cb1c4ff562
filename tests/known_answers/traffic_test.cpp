// SPDX-License-Identifier: BSD-3-Clause
// Communication on a virtual machine takes the time of LogGP's closed forms, and carries its bytes.
#include "known_answers/traffic.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <stdexcept>
#include <string>
#include <vector>

#include "known_answers/run.hpp"

namespace stretto::known_answers::traffic_test {
namespace {

constexpr double us = 1e-6;
constexpr double exact_s = 1e-15;  // rounding of sums of a few microseconds

// L = 5, o_s = 1, o_r = 2, g = 3 us; 1000 bytes are 10 us on the wire.
constexpr const char* plain = "L=5us,o_s=1us,o_r=2us,g=3us,G=10.01001001001001001ns";
constexpr std::size_t kilo = 1000;
constexpr double wire_s = 10 * us;

using Body = std::function<void(VirtualRank&)>;

/// The end time of the last rank.
double makespan_s(const std::string& spec, int ranks, const Body& body) {
  double last_s = 0;
  run_virtual(virtual_machine_from(spec), ranks, [&](VirtualRank& self) {
    self.transport.reserve(std::size_t{1} << 20U);
    body(self);
    last_s = std::max(last_s, self.team.now_s());
  });
  return last_s;
}

Transfer message(ChannelOperation operation, int peer, std::size_t size_bytes) {
  return {.operation = operation, .peer = peer, .size_bytes = size_bytes};
}

/// Rank 0 sends `count` messages to rank 1, which expects them all.
Body train(int count, std::size_t size_bytes) {
  return [=](VirtualRank& self) {
    for (int i = 0; i < count; ++i) {
      if (self.team.rank() == 0) self.transport.start(message(ChannelOperation::send, 1, size_bytes));
      if (self.team.rank() == 1) self.transport.expect(message(ChannelOperation::send, 0, size_bytes));
    }
    self.transport.finish();
  };
}

TEST(VirtualTraffic, OneWay) {
  EXPECT_NEAR(makespan_s(plain, 2, train(1, 1)), (1 + 5 + 2) * us, exact_s);
  EXPECT_NEAR(makespan_s(plain, 2, train(1, 0)), (1 + 5 + 2) * us, exact_s);
  EXPECT_NEAR(makespan_s(plain, 2, train(1, kilo)), (1 + 5 + 10 + 2) * us, exact_s);
}

TEST(VirtualTraffic, ASendCompletesWhenTheLastByteHasLeft) {
  double sender_s = 0;
  (void)makespan_s(plain, 2, [&](VirtualRank& self) {
    train(1, kilo)(self);
    if (self.team.rank() == 0) sender_s = self.team.now_s();
  });
  EXPECT_NEAR(sender_s, 1 * us + wire_s, exact_s);
}

TEST(VirtualTraffic, PingPong) {
  constexpr int rounds = 20;
  const double time_s = makespan_s(plain, 2, [](VirtualRank& self) {
    const int peer = 1 - self.team.rank();
    for (int i = 0; i < rounds; ++i) {
      for (const int sender : {0, 1}) {
        if (self.team.rank() == sender) {
          self.transport.start(message(ChannelOperation::send, peer, kilo));
        } else {
          self.transport.expect(message(ChannelOperation::send, peer, kilo));
        }
        self.transport.finish();
      }
    }
  });
  EXPECT_NEAR(time_s, 2 * rounds * (1 + 5 + 10 + 2) * us, 1e-13);
}

struct Bound {
  const char* spec;
  double gap_us;  // the additional time of a train per message of 1000 bytes
};

class VirtualTrain : public ::testing::TestWithParam<Bound> {};

TEST_P(VirtualTrain, GrowsByTheLargestOfItsGaps) {
  const auto& [spec, gap_us] = GetParam();
  const double one_s = makespan_s(spec, 2, train(1, kilo));
  for (const int count : {2, 3, 50}) {
    EXPECT_NEAR(makespan_s(spec, 2, train(count, kilo)) - one_s, (count - 1) * gap_us * us, 1e-13) << count;
  }
}

INSTANTIATE_TEST_SUITE_P(
    Bounds, VirtualTrain,
    ::testing::Values(Bound{"L=5us,o_s=20us,o_r=2us,g=3us,G=10.01001001001001001ns", 20},  // o_s
                      Bound{"L=5us,o_s=1us,o_r=2us,g=3us,G=10.01001001001001001ns", 13},   // g + (s-1) G
                      Bound{"L=5us,o_s=1us,o_r=30us,g=3us,G=10.01001001001001001ns", 30},  // o_r
                      Bound{"L=5us,o_s=1us,o_r=2us,g=3us,g_queue=25us,G=1ns", 25}));       // g_queue

// Eq. 5-6 of the probes' paper: the initiation includes the wait for the queue.
TEST(VirtualTraffic, InitiationWaitsForTheInjectionQueue) {
  for (const auto& [spec, each_us] :
       {std::pair{"o_s=2us,g_queue=7us", 7.0}, std::pair{"o_s=9us,g_queue=7us", 9.0}}) {
    std::vector<double> init_s;
    (void)makespan_s(spec, 2, [&](VirtualRank& self) {
      if (self.team.rank() != 0) return;
      for (int i = 0; i < 4; ++i) {
        const double begin_s = self.team.now_s();
        self.transport.start(message(ChannelOperation::put, 1, 8));
        init_s.push_back(self.team.now_s() - begin_s);
      }
      self.worker.work(measure::WorkKind::registers, 20'000);  // longer than the queue is busy
      const double begin_s = self.team.now_s();
      self.transport.start(message(ChannelOperation::put, 1, 8));
      init_s.push_back(self.team.now_s() - begin_s);
      self.transport.finish();
    });
    const double overhead_us = std::string{spec}.find("o_s=2us") == 0 ? 2 : 9;
    ASSERT_EQ(init_s.size(), 5U);
    EXPECT_NEAR(init_s[0], overhead_us * us, exact_s);
    for (const int i : {1, 2, 3}) EXPECT_NEAR(init_s[static_cast<std::size_t>(i)], each_us * us, exact_s);
    EXPECT_NEAR(init_s[4], overhead_us * us, exact_s);  // after computation only o remains
  }
}

TEST(VirtualTraffic, PutAndGetTakeTwoLatencies) {
  for (const ChannelOperation operation : {ChannelOperation::put, ChannelOperation::get}) {
    double target_s = -1;
    const double time_s = makespan_s(plain, 2, [&](VirtualRank& self) {
      if (self.team.rank() == 0) self.transport.start(message(operation, 1, kilo));
      self.transport.finish();
      if (self.team.rank() == 1) target_s = self.team.now_s();
    });
    EXPECT_NEAR(time_s, (1 + 2 * 5 + 10) * us, exact_s) << to_string(operation);
    EXPECT_EQ(target_s, 0) << "the target takes no part";
  }
}

TEST(VirtualTraffic, TrainsOfPutsAndGetsGrowByTheGap) {
  for (const ChannelOperation operation : {ChannelOperation::put, ChannelOperation::get}) {
    const double time_s = makespan_s(plain, 2, [&](VirtualRank& self) {
      for (int i = 0; self.team.rank() == 0 && i < 10; ++i) self.transport.start(message(operation, 1, kilo));
      self.transport.finish();
    });
    EXPECT_NEAR(time_s, (1 + 2 * 5 + 10 + 9 * 13) * us, 1e-14) << to_string(operation);
  }
}

// Rank 0's card receives one message at a time.
TEST(VirtualTraffic, GatherToOneIsSerialised) {
  constexpr int ranks = 9;
  const double time_s = makespan_s(plain, ranks, [](VirtualRank& self) {
    for (int peer = 1; self.team.rank() == 0 && peer < ranks; ++peer) {
      self.transport.expect(message(ChannelOperation::send, peer, kilo));
    }
    if (self.team.rank() != 0) self.transport.start(message(ChannelOperation::send, 0, kilo));
    self.transport.finish();
  });
  EXPECT_NEAR(time_s, (1 + 5 + 10 + (ranks - 2) * 13 + 2) * us, 1e-14);
}

// Bar E of the paper: each rank gets from all others; in rotation each card serves one rank at a time.
TEST(VirtualTraffic, GatherOfAllByGets) {
  constexpr int ranks = 8;
  const double time_s = makespan_s(plain, ranks, [](VirtualRank& self) {
    for (int step = 1; step < ranks; ++step) {
      self.transport.start(message(ChannelOperation::get, (self.team.rank() + step) % ranks, kilo));
    }
    self.transport.finish();
  });
  EXPECT_NEAR(time_s, (1 + 2 * 5 + 10 + (ranks - 2) * 13) * us, 1e-14);
}

TEST(VirtualTraffic, BothWaysIsFullDuplex) {
  constexpr int count = 10;
  const auto stream = [](bool both) {
    return makespan_s("L=5us,G=10.01001001001001001ns", 2, [both](VirtualRank& self) {
      const int me = self.team.rank();
      for (int i = 0; i < count; ++i) {
        if (both || me == 0) self.transport.start(message(ChannelOperation::send, 1 - me, kilo));
        if (both || me == 1) self.transport.expect(message(ChannelOperation::send, 1 - me, kilo));
      }
      self.transport.finish();
    });
  };
  EXPECT_NEAR(stream(false), 5 * us + count * wire_s, 1e-14);
  EXPECT_NEAR(stream(true), 5 * us + count * wire_s, 1e-14);
}

// Above the break, with an early receiver: o_s2 + 2 L + L2 + (s-1) G2 + o_r2.
constexpr const char* broken =
    "L=5us,o_s=1us,o_r=2us,G=1ns,break=1000,L2=7us,o_s2=3us,o_r2=4us,g2=3us,G2=10.01001001001001001ns";

TEST(VirtualTraffic, ARendezvousNeedsAHandshake) {
  EXPECT_NEAR(makespan_s(broken, 2, train(1, 999)), (1 + 5 + 0.998 + 2) * us, exact_s);
  EXPECT_NEAR(makespan_s(broken, 2, train(1, 1000)), (3 + 2 * 5 + 7 + 10 + 4) * us, exact_s);
}

TEST(VirtualTraffic, RendezvousWaitsForTheReceiver) {
  double sender_s = 0;
  const double time_s = makespan_s(broken, 2, [&](VirtualRank& self) {
    if (self.team.rank() == 1) self.team.wait_until(100 * us);
    train(1, 1000)(self);
    if (self.team.rank() == 0) sender_s = self.team.now_s();
  });
  EXPECT_NEAR(time_s, (100 + 5 + 7 + 10 + 4) * us, exact_s);
  EXPECT_NEAR(sender_s, (100 + 5 + 10) * us, exact_s);
}

TEST(VirtualTraffic, HandshakesOfATrainOverlap) {
  const double one_s = makespan_s(broken, 2, train(1, 1000));
  EXPECT_NEAR(makespan_s(broken, 2, train(10, 1000)) - one_s, 9 * 13 * us, 1e-14);
}

TEST(VirtualTraffic, PutsNeedNoHandshake) {
  const double time_s = makespan_s(broken, 2, [](VirtualRank& self) {
    if (self.team.rank() == 0) self.transport.start(message(ChannelOperation::put, 1, 1000));
    self.transport.finish();
  });
  EXPECT_NEAR(time_s, (3 + 2 * 7 + 10) * us, exact_s);
}

// `receive_late` of the loggp probe: a message that has already arrived costs its receiver o_r.
TEST(VirtualTraffic, LateReceiverPaysItsOverhead) {
  double finish_s = 0;
  (void)makespan_s(plain, 2, [&](VirtualRank& self) {
    if (self.team.rank() == 1) self.worker.work(measure::WorkKind::registers, 100'000);
    const double begin_s = self.team.now_s();
    train(1, kilo)(self);
    if (self.team.rank() == 1) finish_s = self.team.now_s() - begin_s;
  });
  EXPECT_NEAR(finish_s, 2 * us, exact_s);
}

TEST(VirtualTraffic, MessagesToTheSameRankArrive) {
  const double time_s = makespan_s(plain, 1, [](VirtualRank& self) {
    self.transport.expect(message(ChannelOperation::send, 0, kilo));
    self.transport.start(message(ChannelOperation::send, 0, kilo));
    self.transport.finish();
  });
  EXPECT_NEAR(time_s, (1 + 5 + 10 + 2) * us, exact_s);
}

TEST(VirtualTraffic, RefusesInvalidTransfers) {
  const auto refused = [](const Transfer& transfer) {
    return [transfer](VirtualRank& self) { self.transport.start(transfer); };
  };
  const std::size_t reserved = std::size_t{1} << 20U;
  EXPECT_THROW(makespan_s(plain, 2, refused(message(ChannelOperation::send, 2, 8))), std::out_of_range);
  EXPECT_THROW(makespan_s(plain, 2, refused(message(ChannelOperation::send, -1, 8))), std::out_of_range);
  EXPECT_THROW(makespan_s(plain, 2, refused(message(ChannelOperation::put, 1, reserved + 1))),
               std::out_of_range);
  EXPECT_THROW(makespan_s(plain, 2, refused({.peer = 1, .size_bytes = 8, .offset_bytes = reserved - 7})),
               std::out_of_range);
  EXPECT_THROW(makespan_s(plain, 2, refused({.peer = 1, .size_bytes = 8, .offset_bytes = SIZE_MAX - 3})),
               std::out_of_range);
  EXPECT_THROW(
      makespan_s(plain, 2,
                 [](VirtualRank& self) { self.transport.expect(message(ChannelOperation::get, 1, 8)); }),
      std::invalid_argument);
}

TEST(VirtualTraffic, SenderAndReceiverMustNameTheSameBytes) {
  const auto pair = [](std::size_t size_bytes, std::size_t offset_bytes) {
    return [=](VirtualRank& self) {
      if (self.team.rank() == 0) self.transport.start(message(ChannelOperation::send, 1, 8));
      if (self.team.rank() == 1) {
        self.transport.expect({.peer = 0, .size_bytes = size_bytes, .offset_bytes = offset_bytes});
      }
      self.transport.finish();
    };
  };
  EXPECT_NO_THROW(makespan_s(plain, 2, pair(8, 0)));
  EXPECT_THROW(makespan_s(plain, 2, pair(9, 0)), std::logic_error);
  EXPECT_THROW(makespan_s(plain, 2, pair(8, 1)), std::logic_error);
}

}  // namespace
}  // namespace stretto::known_answers::traffic_test
