// SPDX-License-Identifier: BSD-3-Clause
// A replay over many networks gives the results of single replays, in order, on any number of threads.
#include <gtest/gtest.h>

#include "replay/batch.hpp"
#include "replay_schedules.hpp"

namespace stretto::replay {
namespace {

Schedule exchange() {
  ScheduleBuilder builder;
  for (std::uint32_t rank = 0; rank < 8; ++rank) {
    for (std::uint32_t step = 1; step < 8; ++step) {
      const std::uint32_t sent = builder.add(send(1000 * step, rank ^ step));
      const std::uint32_t received = builder.add(receive(1000 * step, rank ^ step));
      if (step > 1) builder.require(sent, received - 2);
    }
    builder.end_rank();
  }
  return builder.finish();
}

std::vector<network::Network> sweep(std::uint64_t eager_bytes) {
  std::vector<network::Network> networks;
  for (int i = 0; i < 20; ++i) {
    networks.push_back(network::network_from("L=1us,o=0.5us,g=1us,G=1ns"));
    networks.back().ranges[0].loggp.latency_s *= 1 + i;
    networks.back().eager_bytes = eager_bytes;
  }
  return networks;
}

TEST(Batch, EqualsSingleReplays) {
  const Schedule schedule = exchange();
  const CompiledSchedule compiled(schedule);
  const std::vector<network::Network> networks = sweep(largest_amount);
  for (const unsigned threads : {0U, 1U, 2U, 7U, 100U}) {
    const std::vector<TimedReplay> replays = replay_all(schedule, compiled, networks, threads);
    ASSERT_EQ(replays.size(), networks.size());
    for (std::size_t i = 0; i < networks.size(); ++i) {
      EXPECT_EQ(replays[i].result.makespan_s, replayed(schedule, networks[i]).makespan_s);
      if (i > 0) {
        EXPECT_GT(replays[i].result.makespan_s, replays[i - 1].result.makespan_s);
      }
    }
  }
}

TEST(Batch, ADeadlockOfOneScheduleIsReportedForAll) {
  const Schedule schedule = parse_goal_text(
      "num_ranks 2\nrank 0 {\ns: send 100b to 1\nr: recv 100b from 1\nr requires s\n}\n"
      "rank 1 {\ns: send 100b to 0\nr: recv 100b from 0\nr requires s\n}\n",
      "x");
  const CompiledSchedule compiled(schedule);
  std::vector<network::Network> networks = sweep(largest_amount);
  EXPECT_NO_THROW((void)replay_all(schedule, compiled, networks, 2));
  networks[7].eager_bytes = 0;
  EXPECT_THROW((void)replay_all(schedule, compiled, networks, 2), Stuck);
}

}  // namespace
}  // namespace stretto::replay
