// SPDX-License-Identifier: BSD-3-Clause
// Patterns whose time is known in closed form: the replay gives the same to nine digits.
#include <gtest/gtest.h>

#include <bit>
#include <tuple>

#include "replay_schedules.hpp"

namespace stretto::replay {
namespace {

struct Machine {
  const char* name;
  double L, o_s, o_r, g, G;

  friend void PrintTo(const Machine& machine, std::ostream* out) { *out << machine.name; }
  [[nodiscard]] network::Network network() const {
    network::Network network;
    network.ranges[0].loggp = {
        .latency_s = L, .overhead_send_s = o_s, .overhead_receive_s = o_r, .gap_s = g, .gap_s_per_byte = G};
    return network;
  }
};

// In each of them another parameter limits the rate; 5 GB/s is no whole number of nanoseconds per byte.
const Machine machines[] = {
    {"latency", 5e-6, 1e-6, 1.5e-6, 0.5e-6, 0.2e-9},
    {"overhead", 1e-6, 7e-6, 3e-6, 2e-6, 0.1e-9},
    {"gap", 2e-6, 0.3e-6, 0.4e-6, 9e-6, 0.2e-9},
    {"bandwidth", 2e-6, 0.5e-6, 0.5e-6, 1e-6, 10e-9},
    {"ideal", 0, 0, 0, 0, 0},
};

constexpr std::uint64_t sizes[] = {1, 8, 1000, 65536};

class ClosedForms : public ::testing::TestWithParam<std::tuple<Machine, std::uint64_t>> {
 protected:
  [[nodiscard]] static const Machine& machine() { return std::get<0>(GetParam()); }
  [[nodiscard]] static std::uint64_t size() { return std::get<1>(GetParam()); }
  [[nodiscard]] static double wire() { return static_cast<double>(size() - 1) * machine().G; }
  [[nodiscard]] static double one_way() { return machine().o_s + wire() + machine().L + machine().o_r; }

  /// A card sends again after g + wire. Where that is longer than the round trip, it determines the rate.
  [[nodiscard]] static double ping_pong_s(int rounds, double one_way_s) {
    return (rounds - 1) * std::max(2 * one_way_s, machine().g + wire()) + 2 * one_way_s;
  }

  static void expect(const Schedule& schedule, double expected_s) {
    EXPECT_NEAR(replayed(schedule, machine().network()).makespan_s, expected_s, 1e-9 * expected_s);
  }
};

std::string name_of(const ::testing::TestParamInfo<std::tuple<Machine, std::uint64_t>>& one) {
  return std::get<0>(one.param).name + std::string("_") + std::to_string(std::get<1>(one.param));
}

INSTANTIATE_TEST_SUITE_P(Machines, ClosedForms,
                         ::testing::Combine(::testing::ValuesIn(machines), ::testing::ValuesIn(sizes)),
                         name_of);

// The slowest of the sender's processor, the cards and the receiver's processor determines the rate.
TEST_P(ClosedForms, Train) {
  constexpr int messages = 20;
  BlockingCode code;
  for (int i = 0; i < messages; ++i) code.add(send(size(), 1));
  code.end_rank();
  for (int i = 0; i < messages; ++i) code.add(receive(size(), 0));
  code.end_rank();
  const double each_s = std::max({machine().o_s, machine().g + wire(), machine().o_r});
  expect(code.finish(), one_way() + (messages - 1) * each_s);
}

// Rank r receives from r - 2^k, where 2^k is its highest bit, and sends to r + 2^(k+1), r + 2^(k+2), ...
// The interval between a rank's sends is max(o_s, g + wire). The last rank to receive is on one of the paths.
TEST_P(ClosedForms, BinomialBroadcast) {
  constexpr std::uint32_t ranks = 64;
  BlockingCode code;
  for (std::uint32_t rank = 0; rank < ranks; ++rank) {
    if (rank > 0) code.add(receive(size(), rank - std::bit_floor(rank)));
    for (std::uint32_t bit = rank == 0 ? 1 : 2 * std::bit_floor(rank); rank + bit < ranks; bit *= 2) {
      code.add(send(size(), rank + bit));
    }
    code.end_rank();
  }
  const double each_s = std::max(machine().o_s, machine().g + wire());
  double expected = 0;
  std::vector<double> has_it(ranks, 0);
  for (std::uint32_t rank = 1; rank < ranks; ++rank) {
    const std::uint32_t parent = rank - std::bit_floor(rank);
    const auto sends_before = std::countr_zero(std::bit_floor(rank)) -
                              (parent == 0 ? 0 : std::countr_zero(std::bit_floor(parent)) + 1);
    has_it[rank] = has_it[parent] + sends_before * each_s + one_way();
    expected = std::max(expected, has_it[rank]);
  }
  expect(code.finish(), expected);
}

TEST_P(ClosedForms, Ring) {
  constexpr std::uint32_t ranks = 17;
  BlockingCode code;
  for (std::uint32_t rank = 0; rank < ranks; ++rank) {
    if (rank > 0) code.add(receive(size(), rank - 1));
    code.add(send(size(), (rank + 1) % ranks));
    if (rank == 0) code.add(receive(size(), ranks - 1));
    code.end_rank();
  }
  expect(code.finish(), ranks * one_way());
}

// A step ends when the partner's message has arrived. Cards are idle again by then, unless g is longer.
TEST_P(ClosedForms, RecursiveDoubling) {
  constexpr std::uint32_t steps = 6;
  constexpr std::uint64_t reduce_ns = 700;
  BlockingCode code;
  for (std::uint32_t rank = 0; rank < 1U << steps; ++rank) {
    for (std::uint32_t step = 0; step < steps; ++step) {
      code.add(send(size(), rank ^ (1U << step)));
      code.add(receive(size(), rank ^ (1U << step)));
      code.add(calculate(reduce_ns));
    }
    code.end_rank();
  }
  const double step_s = std::max(one_way() + 700e-9, machine().g + wire());
  expect(code.finish(), (steps - 1) * step_s + one_way() + 700e-9);
}

// Request and reply of a rendezvous precede the bytes: two latencies more than an eager message.
TEST_P(ClosedForms, PingPong) {
  constexpr int rounds = 5;
  BlockingCode code;
  for (std::uint32_t rank = 0; rank < 2; ++rank) {
    for (int round = 0; round < rounds; ++round) {
      code.add(rank == 0 ? send(size(), 1) : receive(size(), 0));
      code.add(rank == 0 ? receive(size(), 1) : send(size(), 0));
    }
    code.end_rank();
  }
  const Schedule schedule = code.finish();
  expect(schedule, ping_pong_s(rounds, one_way()));
  network::Network network = machine().network();
  network.eager_bytes = size() - 1;
  const double rendezvous_s = ping_pong_s(rounds, one_way() + 2 * machine().L);
  EXPECT_NEAR(replayed(schedule, network).makespan_s, rendezvous_s, 1e-9 * rendezvous_s);
  network.eager_bytes = size();
  const double eager = ping_pong_s(rounds, one_way());
  EXPECT_NEAR(replayed(schedule, network).makespan_s, eager, 1e-9 * eager);
}

// Every rank sends to all others at once: limited by the processor, then by the card that receives
// ranks - 1 messages.
TEST_P(ClosedForms, GatherIsBoundByTheReceiver) {
  constexpr std::uint32_t ranks = 33;
  ScheduleBuilder builder;
  for (std::uint32_t rank = 1; rank < ranks; ++rank) builder.add(receive(size(), rank));
  builder.end_rank();
  for (std::uint32_t rank = 1; rank < ranks; ++rank) {
    builder.add(send(size(), 0));
    builder.end_rank();
  }
  const double each_s = std::max(machine().g + wire(), machine().o_r);
  expect(builder.finish(), one_way() + (ranks - 2) * each_s);
}

}  // namespace
}  // namespace stretto::replay
