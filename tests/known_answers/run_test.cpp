// SPDX-License-Identifier: BSD-3-Clause
// Runs of virtual ranks: the team, the order of ranks, determinism, and deadlocks.
#include "known_answers/run.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <random>
#include <stdexcept>
#include <string>
#include <vector>

namespace stretto::known_answers {
namespace {

const VirtualMachine plain = virtual_machine_from("L=5us,o_s=1us,o_r=2us,g=3us,G=1ns");

std::string failure(int ranks, const std::function<void(VirtualRank&)>& body) {
  try {
    run_virtual(plain, ranks, body);
  } catch (const std::exception& error) {
    return error.what();
  }
  return "no exception";
}

TEST(VirtualRun, EachRankHasItsNumber) {
  std::vector<int> seen;
  run_virtual(plain, 5, [&](VirtualRank& self) {
    EXPECT_EQ(self.team.size(), 5);
    EXPECT_EQ(self.transport.name(), "virtual");
    for (const ChannelOperation operation : all_operations) EXPECT_TRUE(self.transport.supports(operation));
    seen.push_back(self.team.rank());
  });
  EXPECT_EQ(seen, (std::vector<int>{0, 1, 2, 3, 4}));
}

TEST(VirtualRun, WorkIsLinearInItsCount) {
  run_virtual(virtual_machine_from("work=2ns"), 1, [](VirtualRank& self) {
    for (const measure::WorkKind kind : measure::all_work_kinds) {
      for (const std::uint64_t count : {0U, 1U, 1000U, 1'000'000U}) {
        const double begin_s = self.team.now_s();
        self.worker.work(kind, count);
        EXPECT_NEAR(self.team.now_s() - begin_s, 2e-9 * static_cast<double>(count), 1e-15);
      }
    }
  });
}

TEST(VirtualRun, CollectivesSynchroniseAndTakeNoTime) {
  run_virtual(plain, 4, [](VirtualRank& self) {
    self.team.wait_until(1e-3 * (1 + self.team.rank()));
    double value = self.team.rank() == 0 ? 3.5 : 0;
    self.team.share(value);
    EXPECT_EQ(value, 3.5);
    EXPECT_EQ(self.team.now_s(), 4e-3);
    const std::vector<int> ranks = self.team.collect(10 * self.team.rank());
    EXPECT_EQ(ranks, self.team.rank() == 0 ? (std::vector<int>{0, 10, 20, 30}) : std::vector<int>{});
    EXPECT_EQ(self.team.now_s(), 4e-3);
  });
}

TEST(VirtualRun, WaitUntilThePastReturnsAtOnce) {
  run_virtual(plain, 1, [](VirtualRank& self) {
    self.team.wait_until(1);
    self.team.wait_until(0.5);
    EXPECT_EQ(self.team.now_s(), 1);
    EXPECT_THROW(self.team.wait_until(std::numeric_limits<double>::infinity()), std::invalid_argument);
    EXPECT_THROW(self.team.wait_until(std::nan("")), std::invalid_argument);
  });
}

TEST(VirtualRun, RanksRunInTheOrderOfTimeThenRank) {
  std::vector<int> order;
  run_virtual(plain, 3, [&](VirtualRank& self) {
    const int me = self.team.rank();
    self.team.wait_until(me == 0 ? 2 : 1);
    order.push_back(me);
    self.team.wait_until(3);
    order.push_back(me);
  });
  EXPECT_EQ(order, (std::vector<int>{1, 2, 0, 0, 1, 2}));
}

/// The end times of all ranks after random traffic and computation on a machine with every injected effect.
std::vector<double> ends_s(std::uint64_t seed) {
  VirtualMachine machine = virtual_machine_from(
      "L=5us,o_s=1us,o_r=2us,g=3us,G=1ns,break=4KiB,G2=2ns,overlap=0.3,steal=0.4,noise=0.1");
  machine.seed = seed;
  std::vector<double> ends;
  run_virtual(machine, 6, [&](VirtualRank& self) {
    const int me = self.team.rank();
    self.transport.reserve(1U << 20U);
    std::mt19937 random(99);  // the same on all ranks
    for (int step = 0; step < 50; ++step) {
      self.team.wait_until(1e-3 * step);
      const auto shift = 1 + static_cast<int>(random() % 5);
      const std::size_t size_bytes = random() % 10'000;
      const ChannelOperation operation = all_operations[random() % 3];
      self.transport.start({.operation = operation, .peer = (me + shift) % 6, .size_bytes = size_bytes});
      if (operation == ChannelOperation::send)
        self.transport.expect({.peer = (me + 6 - shift) % 6, .size_bytes = size_bytes});
      self.worker.work(measure::WorkKind::cache, random() % 20'000 * static_cast<std::uint64_t>(me));
      self.transport.poll();
      self.worker.work(measure::WorkKind::cache, random() % 20'000);
      self.transport.finish();
    }
    ends.push_back(self.team.now_s());
  });
  return ends;
}

TEST(VirtualRun, IsTheSameEachTime) {
  EXPECT_EQ(ends_s(1), ends_s(1));
  EXPECT_NE(ends_s(1), ends_s(2));
}

TEST(VirtualRun, ADeadlockReportsEachRanksWait) {
  const std::string lonely = failure(3, [](VirtualRank& self) {
    self.transport.reserve(8);
    if (self.team.rank() == 2) return;
    if (self.team.rank() == 0) {
      self.transport.expect({.peer = 1, .size_bytes = 8});
      self.transport.finish();
    } else {
      int token = 0;
      self.team.share(token);
    }
  });
  EXPECT_NE(lonely.find("rank 0 waits for finish(): 0 of its own and 1 expected"), std::string::npos)
      << lonely;
  EXPECT_NE(lonely.find("never started by rank 1"), std::string::npos) << lonely;
  EXPECT_NE(lonely.find("rank 1 waits for broadcast() of rank 0, 2"), std::string::npos) << lonely;
  EXPECT_NE(lonely.find("1 have ended"), std::string::npos) << lonely;
}

TEST(VirtualRun, ARendezvousWithoutReceiverIsADeadlock) {
  VirtualMachine machine = plain;
  machine.break_bytes = 4;
  EXPECT_THROW(run_virtual(machine, 2,
                           [](VirtualRank& self) {
                             self.transport.reserve(8);
                             if (self.team.rank() == 0) self.transport.start({.peer = 1, .size_bytes = 8});
                             self.transport.finish();
                           }),
               std::runtime_error);
}

TEST(VirtualRun, RanksMustCallTheSameCollective) {
  const std::string text = failure(2, [](VirtualRank& self) {
    int token = 0;
    if (self.team.rank() == 0) {
      self.team.share(token);
    } else {
      (void)self.team.collect(token);
    }
  });
  EXPECT_NE(text.find("rank 1 calls gather() where others call broadcast()"), std::string::npos) << text;
}

TEST(VirtualRun, RanksMustAgreeOnTheLength) {
  const std::string text = failure(2, [](VirtualRank& self) {
    std::vector<std::byte> data(self.team.rank() == 0 ? 4 : 8);
    self.team.broadcast(data);
  });
  EXPECT_NE(text.find("4 bytes at one rank and 8 at another"), std::string::npos) << text;
}

struct Guard {
  int& count;
  ~Guard() { ++count; }
};

TEST(VirtualRun, AnExceptionIsRethrownAndUnwindsTheOtherRanks) {
  int destroyed = 0;
  const std::string text = failure(4, [&](VirtualRank& self) {
    const Guard guard{destroyed};
    self.team.wait_until(1e-3 * self.team.rank());
    if (self.team.rank() == 2) throw std::runtime_error("rank 2 has had enough");
    int token = 0;
    self.team.share(token);
  });
  EXPECT_EQ(text, "rank 2 has had enough");
  EXPECT_EQ(destroyed, 4);
}

TEST(VirtualRun, AnImmediateExceptionRunsNoOtherRank) {
  int ran = 0;
  EXPECT_EQ(failure(3,
                    [&](VirtualRank&) {
                      ++ran;
                      throw std::runtime_error("at once");
                    }),
            "at once");
  EXPECT_EQ(ran, 1);
}

TEST(VirtualRun, RefusesNoRanks) {
  EXPECT_THROW(run_virtual(plain, 0, [](VirtualRank&) {}), std::invalid_argument);
}

TEST(VirtualRun, ManyRanks) {
  constexpr int ranks = 1000;
  double last_s = 0;
  run_virtual(plain, ranks, [&](VirtualRank& self) {  // a token passes all ranks
    const int me = self.team.rank();
    self.transport.reserve(1);
    if (me > 0) {
      self.transport.expect({.peer = me - 1, .size_bytes = 1});
      self.transport.finish();
    }
    if (me < ranks - 1) self.transport.start({.peer = me + 1, .size_bytes = 1});
    self.transport.finish();
    last_s = self.team.now_s();
  });
  EXPECT_NEAR(last_s, (ranks - 1) * 8e-6, 1e-12);
}

}  // namespace
}  // namespace stretto::known_answers
