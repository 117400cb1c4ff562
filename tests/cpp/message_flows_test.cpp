// SPDX-License-Identifier: BSD-3-Clause
// The time of programs of ranks: by hand, and against simulated machines.
#include "network/message_flows.hpp"

#include <gtest/gtest.h>

#include <initializer_list>
#include <limits>
#include <stdexcept>

#include "known_machines.hpp"
#include "network/contention.hpp"
#include "network/two_phase.hpp"

namespace stretto::network {
namespace {

using Kind = RankAction::Kind;

const MessageCosts bytes_only{
    .gap_s_per_byte = 1, .eager_limit_bytes = std::numeric_limits<double>::infinity(), .torus = {}};

/// Rank 0 sends the i-th to rank i + 1.
RankPrograms of_one_sender(std::initializer_list<double> sizes) {
  RankPrograms programs(1);
  for (const double size : sizes) {
    programs.front().push_back(
        {.kind = Kind::send, .peers = {static_cast<int>(programs.size())}, .amount = size});
    programs.push_back({{.kind = Kind::receive, .peers = {0}, .amount = size}});
  }
  return programs;
}

RankPrograms after_computing(RankPrograms programs, std::size_t rank, double seconds) {
  programs[rank].insert(programs[rank].begin(), {.kind = Kind::compute, .peers = {}, .amount = seconds});
  return programs;
}

TEST(MessageFlows, OneMessageTakesTheLogGpTime) {
  MessageCosts costs{
      .overhead_s = 2, .latency_s = 5, .gap_s_per_byte = 0.5, .eager_limit_bytes = 10, .torus = {}};
  EXPECT_NEAR(makespan_s(of_one_sender({10}), costs), 2 + 5 + 5 + 2, 1e-9);
  const RankPrograms late = after_computing(of_one_sender({10}), 1, 50);
  EXPECT_NEAR(makespan_s(late, costs), 50 + 2, 1e-9);  // the message has already arrived
  costs.eager_limit_bytes = 9;
  EXPECT_NEAR(makespan_s(late, costs), 50 + 5 + 5 + 2,
              1e-9);  // the message leaves when the receiver is ready
  EXPECT_NEAR(makespan_s(after_computing(of_one_sender({10}), 0, 50), costs), 50 + 2 + 5 + 5 + 2, 1e-9);
}

TEST(MessageFlows, OverheadsOfMessagesStartedTogetherAreSerialised) {
  const MessageCosts costs{.overhead_s = 2, .eager_limit_bytes = 100, .torus = {}};
  RankPrograms programs(3);
  programs[0] = {{.kind = Kind::send, .peers = {1, 2}, .amount = 1}};
  programs[1] = {{.kind = Kind::receive, .peers = {0}, .amount = 1}};
  programs[2] = programs[1];
  EXPECT_NEAR(makespan_s(programs, costs), 2 + 2 + 2, 1e-9);
}

TEST(MessageFlows, MessagesShareALinkAndReuseFreedCapacity) {
  EXPECT_NEAR(makespan_s(of_one_sender({1, 1}), bytes_only), 2, 1e-9);
  EXPECT_NEAR(makespan_s(of_one_sender({10, 1, 1}), bytes_only), 12, 1e-9);
  // The message to rank 2 uses two links of the ring: its share of the first link is a third.
  MessageCosts ring = bytes_only;
  ring.torus = {8};
  EXPECT_NEAR(makespan_s(of_one_sender({2, 0}), ring), 2, 1e-9);
  EXPECT_NEAR(makespan_s(of_one_sender({2, 2}), ring), 4, 1e-9);
  RankPrograms both = of_one_sender({2, 3});
  both[1].push_back(
      {.kind = Kind::send, .peers = {0}, .amount = 1});  // when the first message has arrived, at 3
  both[0].push_back({.kind = Kind::receive, .peers = {1}, .amount = 1});
  EXPECT_NEAR(makespan_s(both, ring), 5, 1e-9);
}

TEST(MessageFlows, ADeadlockIsAnError) {
  RankPrograms both_send(2);
  for (const int rank : {0, 1}) {
    both_send[static_cast<std::size_t>(rank)] = {{.kind = Kind::send, .peers = {1 - rank}, .amount = 1},
                                                 {.kind = Kind::receive, .peers = {1 - rank}, .amount = 1}};
  }
  MessageCosts costs = bytes_only;
  costs.eager_limit_bytes = 1;
  EXPECT_NEAR(makespan_s(both_send, costs), 1, 1e-9);
  costs.eager_limit_bytes = 0;
  EXPECT_THROW((void)makespan_s(both_send, costs), std::logic_error);
}

/// The simulated times of a whole call, and of its leader groups and its concurrent groups alone, in us.
struct SimulatedCall {
  const MessageCosts& machine;
  Operation operation;
  double size_bytes;
  Grid grid;
  double total_us;
  double leader_us;
  double concurrent_us;
};

class SimulatedCalls : public ::testing::TestWithParam<SimulatedCall> {};

TEST_P(SimulatedCalls, EqualTheSimulation) {
  const SimulatedCall& call = GetParam();
  std::vector<GroupedOperation> whole;
  for (auto& phase : phase_operations(call.operation, call.grid)) {
    for (GroupedOperation& one : phase) {
      one.size *= call.size_bytes;
      whole.push_back(one);
    }
  }
  EXPECT_NEAR(makespan_s(whole, call.machine), 1e-6 * call.total_us, 0.012e-6 * call.total_us);
  const double excess_s =
      makespan_excess_s(call.machine, phase_operations(call.operation, call.grid), call.size_bytes);
  EXPECT_NEAR(1e-6 * (call.leader_us + call.concurrent_us) + excess_s, 1e-6 * call.total_us,
              0.005e-6 * call.total_us);
}

INSTANTIATE_TEST_SUITE_P(
    OnGrids, SimulatedCalls,
    ::testing::Values(SimulatedCall{clic, Operation::broadcast, 12800, {4, 5}, 15002.6, 4703.3, 3515.9},
                      SimulatedCall{clic, Operation::scatter, 1600, {10, 2}, 4174.3, 1504.0, 1372.0},
                      SimulatedCall{clic, Operation::gather, 1600, {5, 4}, 2906.5, 2236.8, 669.7},
                      SimulatedCall{clic, Operation::reduce, 1600, {4, 5}, 1019.6, 504.8, 514.8},
                      SimulatedCall{clic, Operation::allreduce, 12800, {5, 4}, 16396.4, 7044.1, 8223.0},
                      SimulatedCall{clic, Operation::allgather, 200, {2, 10}, 3028.2, 1883.0, 670.1},
                      SimulatedCall{t3e, Operation::broadcast, 50000, {12, 3}, 1735.5, 322.0, 1659.6},
                      SimulatedCall{t3e, Operation::scatter, 12800, {4, 9}, 1270.5, 644.6, 257.2},
                      SimulatedCall{t3e, Operation::allreduce, 50000, {6, 6}, 3017.5, 1593.5, 1732.2},
                      SimulatedCall{t3e, Operation::allgather, 1600, {12, 3}, 1964.4, 73.0, 2088.1}));

TEST(RankPrograms, AGatherReceivesInRankOrderAndALinearReduceInReverse) {
  const auto peers_of_root = [](Operation operation) {
    const std::vector<GroupedOperation> one = {{.operation = operation, .members = 3, .placement = {}}};
    const RankPrograms programs = programs_of(one);
    std::vector<int> peers;
    for (const RankAction& action : programs.front()) {
      EXPECT_EQ(action.kind, Kind::receive);
      peers.push_back(action.peers.front());
    }
    return peers;
  };
  EXPECT_EQ(peers_of_root(Operation::gather), (std::vector{1, 2}));
  EXPECT_EQ(peers_of_root(Operation::reduce), (std::vector{2, 1}));
}

TEST(RankPrograms, ABroadcastIsATreeAboveFourRanks) {
  const auto sends_of_root = [](int members) {
    const std::vector<GroupedOperation> one = {
        {.operation = Operation::broadcast, .members = members, .placement = {}}};
    return programs_of(one).front();
  };
  ASSERT_EQ(sends_of_root(4).size(), 1U);
  EXPECT_EQ(sends_of_root(4).front().peers, (std::vector{1, 2, 3}));
  ASSERT_EQ(sends_of_root(5).size(), 3U);
  EXPECT_EQ(sends_of_root(5).back().peers, (std::vector{4}));
}

TEST(RankPrograms, GroupsAreConsecutiveOrInterleaved) {
  EXPECT_EQ((GroupPlacement{.stride = 1, .groups = 4}.rank(2, 3, 6)), 15);
  EXPECT_EQ((GroupPlacement{.stride = 6, .groups = 6}.rank(2, 3, 4)), 20);
}

}  // namespace
}  // namespace stretto::network
