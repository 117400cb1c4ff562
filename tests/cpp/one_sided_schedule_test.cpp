// SPDX-License-Identifier: BSD-3-Clause
// One-sided operations of a trace: programs whose end is known, on a network where the card moves their data,
// and on one where their target must call MPI.
#include <gtest/gtest.h>

#include <functional>
#include <tuple>

#include "known_answers/run.hpp"
#include "replay/goal.hpp"
#include "traced_schedules.hpp"

namespace stretto::replay::trace_test {
namespace {

constexpr double us = 1e-6;
constexpr double exact_s = 1e-15;
constexpr std::uint64_t bytes = 1001;
// 1001 bytes take 1 us on the wire.
const std::string parameters = "L=2us,o_s=1us,o_r=0.5us,G=1ns";

network::Network network_with(const std::string& progress, const std::string& eager = "64KiB") {
  network::Network network = network::network_from(parameters + ",S=" + eager);
  network::set_progress(network, progress);
  return network;
}

using Program = std::function<void(TraceWriter&)>;

/// Rank 0 runs the program from 1 us on, in calls of 100 ns without computation between them. Rank 1 computes
/// for `computes_ns`.
std::vector<TraceWriter> ranks_of(const Program& program, std::uint64_t computes_ns = 0) {
  return ranks_that(2, [&](TraceWriter& one) {
    one.define(record::window, 1);
    if (one.rank == 0) program(one);
    const std::uint64_t calls = one.rank == 0 ? one.records.size() - 5 : 0;
    one.call(finalize, 1'000 + 100 * calls + (one.rank == 1 ? computes_ns : 0));
  });
}

/// The program that makes one operation and a call that waits for it.
Program operation_and(TestCall operation, TestCall wait, std::uint64_t size_bytes = bytes) {
  return [=](TraceWriter& rank) {
    rank.on_window(operation, 1'000, 1, size_bytes);
    rank.on_window(wait, 1'100, 1);
  };
}

class OneSidedSchedule : public TraceSchedule {
 protected:
  /// The end of rank 0.
  double end_us(const Program& program, const network::Network& network, std::uint64_t computes_ns = 0,
                Level level = Level::traced) {
    const TracedSchedule traced = scheduled(ranks_of(program, computes_ns), {.level = level});
    EXPECT_TRUE(traced.summary.as_computation.empty());
    return 1e6 * end_s(traced.schedule, network, 0);
  }
};

TEST_F(OneSidedSchedule, AFlushWaitsUntilAPutIsKnownToHaveArrived) {
  // o_s, the bytes, L, and L for the acknowledgement.
  EXPECT_NEAR(end_us(operation_and(put, win_flush), network_with("offload")), 1 + 1 + 2 + 2, 1e-9);
  EXPECT_NEAR(end_us(operation_and(accumulate, win_unlock), network_with("offload")), 1 + 1 + 2 + 2, 1e-9);
  EXPECT_NEAR(end_us(operation_and(put, win_flush_all), network_with("offload")), 1 + 1 + 2 + 2, 1e-9);
}

TEST_F(OneSidedSchedule, AGetTakesTwoLatencies) {
  EXPECT_NEAR(end_us(operation_and(get, win_flush), network_with("offload")), 1 + 2 + 1 + 2, 1e-9);
  // Nothing but the latencies depends on where the data is awaited.
  EXPECT_NEAR(end_us(operation_and(get, win_flush_local), network_with("offload")), 1 + 2 + 1 + 2, 1e-9);
}

TEST_F(OneSidedSchedule, AFetchingOperationTakesItsBytesBothWays) {
  EXPECT_NEAR(end_us(operation_and(fetch_and_op, win_flush), network_with("offload")), 1 + 1 + 2 + 1 + 2,
              1e-9);
}

TEST_F(OneSidedSchedule, APutMayBeOverForItsOriginBeforeItArrives) {
  // The card has copied it, or its last byte has left.
  EXPECT_NEAR(end_us(operation_and(put, win_flush_local), network_with("offload")), 1 + 2 + 2 + 1, 1e-9);
  const Program then_computes = [](TraceWriter& rank) {
    rank.on_window(put, 1'000, 1, bytes);
    rank.on_window(win_flush_local, 1'100, 1);
    rank.call(barrier, 11'200).bytes_and_context = record::pack_field(0, record::no_context);
  };
  const auto computed_us = [&](const std::string& eager) {
    return end_us(then_computes, network_with("offload", eager));
  };
  EXPECT_NEAR(computed_us("64KiB"), 1 + 10, 1e-9);
  EXPECT_NEAR(computed_us("1000"), 1 + 1 + 10, 1e-9);
}

TEST_F(OneSidedSchedule, LongDataNeedsNoHandshake) {
  for (const TestCall operation : {put, get}) {
    const Program program = operation_and(operation, win_flush);
    EXPECT_NEAR(end_us(program, network_with("offload", "100")), 1 + 1 + 2 + 2, 1e-9);
    // Where ranks move it: o_s, the bytes of one way, L, o_r; and o_s, L, o_r back.
    const double by_ranks_us = 1 + 1 + 2 + 0.5 + 1 + 2 + 0.5;
    for (const char* const progress : {"eager-only", "inside-calls", "thread=1us"}) {
      EXPECT_NEAR(end_us(program, network_with(progress, "100")), by_ranks_us, 1e-9) << progress;
    }
  }
}

/// Rank 0 computes 40 us; then both get from each other.
TEST_F(OneSidedSchedule, RanksThatGetFromEachOtherTakeNoTurns) {
  const std::vector<TraceWriter> ranks = ranks_that(2, [](TraceWriter& one) {
    one.define(record::window, 1);
    const std::uint64_t begin_ns = one.rank == 0 ? 41'000 : 1'000;
    one.on_window(get, begin_ns, static_cast<int>(1 - one.rank), 20'001);
    one.on_window(win_flush, begin_ns + 100, static_cast<int>(1 - one.rank));
    one.call(finalize, begin_ns + 200);
  });
  const Schedule schedule = scheduled(ranks, {.by_ranks = true}).schedule;
  // Rank 0 asks first, and answers in its flush: the data of both travels at once.
  const double asked_us = 40 + 1 + 2 + 0.5;
  for (const char* const eager : {"64KiB", "1000"}) {
    const network::Network network = network_with("inside-calls", eager);
    EXPECT_NEAR(end_s(schedule, network, 0), (asked_us + 1 + 20 + 2 + 0.5) * us, 1e-6) << eager;
    EXPECT_NEAR(end_s(schedule, network, 1), (asked_us + 1 + 20) * us, 3e-6) << eager;
  }
}

TEST_F(OneSidedSchedule, NoRequestOvertakesALongPut) {
  const Program program = [](TraceWriter& rank) {
    rank.on_window(put, 1'000, 1, 20'001);
    rank.on_window(get, 1'100, 1, 1);
    rank.on_window(win_flush, 1'200, 1);
  };
  // The get's request leaves behind the 20 us of the put.
  const double us_there_and_back = 2 + 0.5 + 1 + 2 + 0.5;
  for (const char* const eager : {"64KiB", "1000"}) {
    EXPECT_NEAR(end_us(program, network_with("inside-calls", eager)), 1 + 20 + us_there_and_back, 3) << eager;
  }
}

TEST_F(OneSidedSchedule, RequestsOfGetsHaveTheirBytesInOpenMpi5WhereRanksMoveThem) {
  const network::Network network = network_with("inside-calls");
  const double once_us = 1 + 1 + 2 + 0.5 + 1 + 2 + 0.5;
  for (const auto& [library, by_ranks, bytes_us] :
       {std::tuple("Open MPI v5.0.11, package: x", true, 1), std::tuple("Open MPI v5.0.11", false, 0),
        std::tuple("Open MPI v4.1.4", true, 0), std::tuple("MPICH Version: 5.0.2", true, 0)}) {
    std::vector<TraceWriter> ranks = ranks_of(operation_and(get, win_flush));
    for (TraceWriter& one : ranks) one.library = library;
    const TracedSchedule traced = scheduled(ranks, {.by_ranks = by_ranks});
    EXPECT_NEAR(1e6 * end_s(traced.schedule, network, 0), once_us + bytes_us, 1e-9) << library;
  }
}

TEST_F(OneSidedSchedule, ATargetThatComputesDelaysWhereItMustCall) {
  constexpr std::uint64_t computes_ns = 100'000;
  for (const TestCall operation : {put, get}) {
    const Program program = operation_and(operation, win_flush);
    EXPECT_NEAR(end_us(program, network_with("offload"), computes_ns), 6, 1e-9);
    const double bytes_back_us = operation == get ? 1 : 0;
    const double answered_us = 0.5 + 1 + bytes_back_us + 2 + 0.5;
    EXPECT_NEAR(end_us(program, network_with("eager-only"), computes_ns), 100 + answered_us, 1e-9);
    // The request comes at 4, or at 3; a thread polls at 10.
    EXPECT_NEAR(end_us(program, network_with("thread=10us"), computes_ns), 10 + answered_us, 1e-9);
    EXPECT_NEAR(end_us(program, network_with("eager-only")), 4 - bytes_back_us + answered_us, 1e-9);
  }
}

TEST_F(OneSidedSchedule, ALockWaitsForItsTarget) {
  const Program locks = [](TraceWriter& rank) {
    rank.on_window(win_lock, 1'000, 1);
    rank.on_window(put, 1'100, 1, bytes);
    rank.on_window(win_unlock, 1'200, 1);
  };
  EXPECT_NEAR(end_us(locks, network_with("offload")), (1 + 2 + 2) + 6, 1e-9);
  const Program locks_all = [](TraceWriter& rank) {
    rank.on_window(win_lock_all, 1'000);
    rank.on_window(put, 1'100, 1, bytes);
    rank.on_window(win_flush, 1'200, 1);
  };
  EXPECT_NEAR(end_us(locks_all, network_with("offload")), 6, 1e-9);
}

TEST_F(OneSidedSchedule, ARequestOfAPutIsDoneBeforeItsTargetHasIt) {
  const Program program = [](TraceWriter& rank) {
    rank.on_window(rput, 1'000, 1, bytes).request = 7;
    rank.waited(1'100, 100, 7);
    rank.call(barrier, 11'200).bytes_and_context = record::pack_field(0, record::no_context);
  };
  for (const Level level : {Level::traced, Level::producer_consumer}) {
    EXPECT_NEAR(end_us(program, network_with("offload"), 0, level), 1 + 10, 1e-9);
  }
}

TEST_F(OneSidedSchedule, OperationsOfOneFlushOverlap) {
  const Program program = [](TraceWriter& rank) {
    for (std::uint64_t i = 0; i < 4; ++i) rank.on_window(put, 1'000 + 100 * i, 1, bytes);
    rank.on_window(win_flush, 1'400, 1);
  };
  for (const Level level : {Level::traced, Level::independent}) {
    EXPECT_NEAR(end_us(program, network_with("offload"), 0, level), 4 + 1 + 2 + 2, 1e-9);
  }
}

TEST_F(OneSidedSchedule, AFenceEndsAllOperationsAndWaitsForAll) {
  const std::vector<TraceWriter> ranks = ranks_that(4, [](TraceWriter& one) {
    one.define(record::window, 1);
    const std::uint64_t computed_ns = one.rank == 2 ? 9'000 : 0;
    one.on_window(put, 1'000 + computed_ns, static_cast<int>((one.rank + 1) % 4), bytes);
    one.on_window(win_fence, 1'100 + computed_ns);
    one.call(finalize, 1'200 + computed_ns);
  });
  for (const Level level : {Level::traced, Level::consumer}) {
    const TracedSchedule traced = scheduled(ranks, {.level = level});
    EXPECT_EQ(traced.summary.one_sided, 4);
    // The last rank's put, then the two rounds of a barrier among four.
    EXPECT_NEAR(makespan_s(traced, "L=2us,G=1ns"), (9 + 1 + 2 + 2 + 2 * 2) * us, exact_s);
  }
}

/// Rank 0 puts between MPI_Win_start and _complete, and computes 5 us; rank 1 has computed `late_ns` when it
/// calls MPI_Win_post, then `wait`; MPI_Win_test finds the end of the epoch at the second call.
std::vector<TraceWriter> general_active_target(std::uint64_t group, TestCall wait, std::uint64_t late_ns) {
  TraceWriter origin(0, 2);
  origin.define(record::window, 1);
  origin.define_group(1, 1);
  origin.on_window(win_start, 1'000).extra = group;
  origin.on_window(put, 1'100, 1, bytes);
  origin.on_window(win_complete, 1'200);
  origin.call(finalize, 6'300);
  TraceWriter target(1, 2);
  target.define(record::window, 1);
  target.define_group(1, 0);
  target.on_window(win_post, 1'000 + late_ns).extra = group;
  std::uint64_t now_ns = 1'100 + late_ns;
  if (wait == win_test) {
    target.on_window(wait, now_ns).count = 0;
    now_ns += 100;
  }
  target.on_window(wait, now_ns).count = 1;
  target.call(finalize, now_ns + 100);
  return {origin, target};
}

TEST_F(OneSidedSchedule, AnEpochBeginsWithItsTargetAndEndsAfterItsData) {
  constexpr std::uint64_t late_ns = 3'000;
  for (const Level level : {Level::traced, Level::producer_consumer}) {
    for (const TestCall wait : {win_wait, win_test}) {
      const TracedSchedule traced = scheduled(general_active_target(1, wait, late_ns), {.level = level});
      EXPECT_TRUE(traced.summary.as_computation.empty());
      EXPECT_EQ(traced.summary.one_sided, 1);
      const network::Network network = network_with("offload");
      const double started_us = 3 + 1 + 2 + 0.5;
      // The data leaves for 1 us, and the end of the epoch behind it.
      EXPECT_NEAR(end_s(traced.schedule, network, 1), (started_us + 1 + 1 + 2 + 0.5) * us, exact_s);
      EXPECT_NEAR(end_s(traced.schedule, network, 0), (started_us + 1 + 1 + 5) * us, exact_s);
    }
  }
}

TEST_F(OneSidedSchedule, WithoutGroupsAnEpochTakesItsRecordedTime) {
  const TracedSchedule traced = scheduled(general_active_target(0, win_wait, 0));
  EXPECT_EQ(traced.summary.as_computation.size(), 4);
  EXPECT_EQ(traced.summary.one_sided, 1);
  EXPECT_NEAR(makespan_s(traced, "L=0"), (0.1 + 0.1 + 5) * us, exact_s);
}

TEST_F(OneSidedSchedule, AGroupOfNoRanksIsNone) {
  std::vector<TraceWriter> ranks = general_active_target(1, win_wait, 0);
  for (TraceWriter& rank : ranks) {
    for (record::Record& record : rank.records) {
      const bool is_group =
          record::high_field(record.begin_and_call) == record::definition && record.request == record::group;
      const record::RankRun run{.first = 7, .stride = 1, .count = 4'000'000'000};
      if (is_group) std::memcpy(static_cast<void*>(&record + 1), &run, sizeof run);
    }
  }
  EXPECT_GT(makespan_s(scheduled(ranks), "L=2us"), 0);
}

TEST_F(OneSidedSchedule, MakingAWindowWaitsForAllMembers) {
  const std::vector<TraceWriter> ranks = ranks_that(2, [](TraceWriter& one) {
    one.define(record::window, 1);
    one.on_window(win_allocate, 1'000 + 5'000 * one.rank, record::no_peer, 64);
    one.call(finalize, 1'100 + 5'000 * one.rank);
  });
  const TracedSchedule traced = scheduled(ranks);
  EXPECT_EQ(traced.summary.one_sided, 0);
  EXPECT_NEAR(makespan_s(traced, "L=2us,G=1ns"), (5 + 2) * us, exact_s);
}

TEST_F(OneSidedSchedule, AnOperationOnNobodyIsNone) {
  const Program program = [](TraceWriter& rank) {
    rank.on_window(put, 1'000, record::no_peer, bytes);
    rank.on_window(win_flush, 1'100, record::no_peer);
  };
  EXPECT_NEAR(end_us(program, network_with("offload")), 0, 1e-9);
}

TEST_F(OneSidedSchedule, GoalExpressesThem) {
  const TracedSchedule traced = scheduled(ranks_of(operation_and(get, win_flush), 100'000));
  const Schedule from_text = parse_goal_text(to_goal_text(traced.schedule), "text");
  const Schedule from_binary = parse_goal_binary(to_goal_binary(traced.schedule), "binary");
  for (const char* progress : {"offload", "eager-only"}) {
    const network::Network network = network_with(progress, "100");
    const double expected_s = end_s(traced.schedule, network, 0);
    EXPECT_EQ(end_s(from_text, network, 0), expected_s);
    EXPECT_EQ(end_s(from_binary, network, 0), expected_s);
  }
}

/// When the virtual machine's rank 0 has ended `count` operations of that size.
double virtual_end_s(exchange::ChannelOperation operation, std::size_t size_bytes, int count) {
  double end_s = 0;
  known_answers::run_virtual(
      known_answers::virtual_machine_from(parameters + ",g=3us"), 2, [&](known_answers::VirtualRank& self) {
        self.transport.reserve(size_bytes);
        if (self.team.rank() != 0) return;
        for (int i = 0; i < count; ++i) {
          self.transport.start({.operation = operation, .peer = 1, .size_bytes = size_bytes});
        }
        self.transport.finish();
        end_s = self.team.now_s();
      });
  return end_s;
}

TEST_F(OneSidedSchedule, EndsWhenTheVirtualMachineDoes) {
  for (const auto& [operation, call] :
       {std::pair{exchange::ChannelOperation::put, put}, std::pair{exchange::ChannelOperation::get, get}}) {
    for (const std::size_t size_bytes : {1U, 1001U, 50'001U}) {
      for (const int count : {1, 2, 5}) {
        const Program program = [&, call = call](TraceWriter& rank) {
          std::uint64_t now_ns = 1'000;
          for (int i = 0; i < count; ++i, now_ns += 100) rank.on_window(call, now_ns, 1, size_bytes);
          rank.on_window(win_flush_all, now_ns);
        };
        EXPECT_NEAR(end_us(program, network::network_from(parameters + ",g=3us")) * us,
                    virtual_end_s(operation, size_bytes, count), exact_s)
            << count << " of " << size_bytes << " bytes, get " << (call == get);
      }
    }
  }
}

}  // namespace
}  // namespace stretto::replay::trace_test
