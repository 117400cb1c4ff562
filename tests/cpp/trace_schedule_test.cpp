// SPDX-License-Identifier: BSD-3-Clause
// Schedules of traces with known makespans; damaged traces are refused.
#include "replay/trace_schedule.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <limits>

#include "replay/trace_file.hpp"
#include "replay_schedules.hpp"
#include "traced_schedules.hpp"

namespace stretto::replay::trace_test {
namespace {

/// Rank 0 computes 10 us and sends. Rank 1 posts, computes 4 us, waits and computes 5 us. Both end at the
/// same time.
std::vector<TraceWriter> one_message(std::uint64_t bytes) {
  TraceWriter sender(0, 2);
  sender.message(send, 11'000, 1, bytes);
  sender.call(finalize, 11'100);
  TraceWriter receiver(1, 2);
  receiver.message(irecv, 1'000, 0, bytes, 1);
  receiver.waited(5'100, 7'000, 1);
  receiver.call(finalize, 17'100);
  return {sender, receiver};
}

TEST_F(TraceSchedule, TakesComputationFromTheTraceAndCommunicationFromTheNetwork) {
  const TracedSchedule traced = scheduled(one_message(1001));
  EXPECT_NEAR(makespan_s(traced, "L=2us,o=1us,G=1ns"), 10e-6 + 1e-6 + 1e-6 + 2e-6 + 1e-6 + 5e-6, 1e-15);
  EXPECT_NEAR(makespan_s(traced, "L=0,o=0,G=0"), 15e-6, 1e-15);
  EXPECT_EQ(traced.summary.messages, 1);
  EXPECT_NEAR(traced.summary.compute_s, 10e-6, 1e-15);
  EXPECT_NEAR(traced.summary.span_s, 16.1e-6, 1e-15);
  EXPECT_NEAR(traced.summary.all_ranks_s, 16.1e-6 + 10.1e-6, 1e-15);
  const auto network = network::network_from("L=2us,o=1us,G=1ns");
  EXPECT_NEAR(replayed(traced.schedule, network).all_ranks_s, (20 + 10 + 1) * 1e-6, 1e-15);
}

TEST_F(TraceSchedule, ComputationCanBeScaledOrLeftOut) {
  EXPECT_NEAR(makespan_s(scheduled(one_message(1), {.compute_scale = 2}), "L=2us"), 32e-6, 1e-15);
  EXPECT_NEAR(makespan_s(scheduled(one_message(1), {.compute_scale = 0}), "L=2us"), 2e-6, 1e-15);
}

TEST_F(TraceSchedule, AnAnySourceReceiveHasItsRecordedSource) {
  std::vector<TraceWriter> ranks = one_message(8);
  for (record::Record& record : ranks[1].records) {
    if (record::high_field(record.begin_and_call) == irecv) record.peer = record.tag = record::any_peer;
    if (record::high_field(record.begin_and_call) == record::completion) record.count = 1;
  }
  EXPECT_NEAR(makespan_s(scheduled(ranks), "L=2us"), 17e-6, 1e-15);
}

TEST_F(TraceSchedule, ABarrierDelaysAllRanksUntilTheLast) {
  const std::vector<TraceWriter> ranks = ranks_that(4, [](TraceWriter& one) {
    one.call(barrier, std::uint64_t{1'000} * (one.rank + 2), 10);
    one.call(finalize, 1'000 * (one.rank + 2) + 10);
  });
  // Dissemination among four: two rounds.
  EXPECT_NEAR(makespan_s(scheduled(ranks), "L=1us"), 4e-6 + 2e-6, 1e-15);
}

TEST_F(TraceSchedule, CallsWithoutAModelAreReportedAndTakeTheirTracedTime) {
  TraceWriter one(0, 1);
  one.call(put, 2'000, 3'000);
  one.call(barrier, 6'000, 0);
  const TracedSchedule traced = scheduled({one});
  EXPECT_EQ(traced.summary.as_computation.at("MPI_Put"), 1);
  EXPECT_NEAR(makespan_s(traced, "L=1us"), 5e-6, 1e-15);
}

TEST_F(TraceSchedule, EachLevelGainsAsOnTheSlides) {
  const std::vector<TraceWriter> ranks = produced_and_consumed();
  const auto end_us = [&](Level level) {
    return 1e6 * makespan_s(scheduled(ranks, {.level = level}), "L=10us,G=2ns");
  };
  EXPECT_NEAR(end_us(Level::traced), 100 + 15.998 + 10 + 100, 1e-9);
  // The message leaves at 80, when its last part is produced; the receiver first computes 20.
  EXPECT_NEAR(end_us(Level::independent), 80 + 15.998 + 10 + 80, 1e-9);
  // The first part arrives long before the last.
  EXPECT_NEAR(end_us(Level::consumer), 80 + 1.998 + 10 + 80, 1e-9);
  // Each part leaves when it is produced: the receiver is one part behind the sender.
  EXPECT_NEAR(end_us(Level::producer_consumer), 10 + 1.998 + 10 + 80, 1e-9);
}

TEST_F(TraceSchedule, AMessageWithoutDataTimesIsNotMoved) {
  for (const Level level : {Level::independent, Level::consumer, Level::producer_consumer}) {
    EXPECT_NEAR(makespan_s(scheduled(one_message(1), {.level = level}), "L=2us"), 17e-6, 1e-15);
  }
  EXPECT_THROW((void)level_named("all"), std::invalid_argument);
}

TEST_F(TraceSchedule, ACancelledReceiveLeavesItsMessageToTheNext) {
  for (const Level level : {Level::traced, Level::producer_consumer}) {
    std::vector<TraceWriter> ranks = one_message(8);
    TraceWriter receiver(1, 2);
    receiver.message(irecv, 500, 0, 8, 2);
    receiver.waited(600, 0, 2);
    receiver.records.back().count = record::cancelled;
    receiver.records.insert(receiver.records.end(), ranks[1].records.begin() + 3, ranks[1].records.end());
    ranks[1] = receiver;
    EXPECT_NEAR(makespan_s(scheduled(ranks, {.level = level}), "L=2us"), 17e-6, 1e-15);
  }
}

TEST_F(TraceSchedule, AMatchedMessageIsAwaitedByItsProbeOrItsReceive) {
  TraceWriter sender(0, 2);
  sender.message(send, 11'000, 1, 8);
  sender.message(send, 11'200, 1, 100);
  for (const TestCall probe : {mprobe, improbe}) {
    TraceWriter receiver(1, 2);
    for (const std::uint32_t number : {1U, 2U}) {
      receiver.message(probe, 12'000, 0, number == 1 ? 8 : 100, number);
      receiver.records.back().count = 1;
    }
    receiver.message(mrecv, 18'100, 0, 100, 2);
    receiver.message(mrecv, 18'200, 0, 8, 1);
    receiver.call(finalize, 23'300);
    // The later message arrives at 40.1 us; the receives are 6 us after the probes, and 5 us follow.
    const double end_s = probe == mprobe ? 40.1e-6 + 6e-6 + 5e-6 : 40.1e-6 + 5e-6;
    for (const Level level : {Level::traced, Level::producer_consumer}) {
      EXPECT_NEAR(makespan_s(scheduled({sender, receiver}, {.level = level}), "L=30us"), end_s, 1e-15);
    }
  }
}

/// As MPICH records it: nothing says whose message has arrived.
TEST_F(TraceSchedule, AReceiveOfUnknownSourceIsMatchedInTheReplay) {
  TraceWriter receiver(0, 3);
  receiver.message(isendrecv, 1'000, 1, 8, 1);
  record::Record& half = receiver.call(record::receive_half, 1'000);
  half.bytes_and_context = record::pack_field(8, 0);
  half.peer = record::any_peer;
  half.request = 1;
  receiver.waited(2'000, 5'000, 1);
  receiver.call(finalize, 8'000);
  TraceWriter partner(1, 3);
  partner.message(receive, 1'000, 0, 8);
  partner.call(finalize, 8'000);
  TraceWriter sender(2, 3);
  sender.message(send, 4'000, 0, 8);
  sender.call(finalize, 8'000);
  const Schedule schedule = scheduled({receiver, partner, sender}).schedule;
  EXPECT_EQ(std::ranges::count(schedule.peer, any), 1);
  const CompiledSchedule compiled(schedule);
  EXPECT_GE(Replayer(schedule, compiled).run(network::network_from("L=2us")).makespan_s, 5e-6);
}

TEST_F(TraceSchedule, CollectivesWithProcessesOfAnotherProgramAreNotExpanded) {
  const std::vector<TraceWriter> ranks = ranks_that(2, [](TraceWriter& one) {
    one.records[0].bytes_and_context = record::pack_field(2 * sizeof(record::RankRun), 0);
    one.records[0].count = 2;
    const record::RankRun members[2] = {{.first = 0, .stride = 1, .count = 2},
                                        {.first = record::no_peer, .stride = 0, .count = 2}};
    std::memcpy(static_cast<void*>(&one.records[1]), members, sizeof members);
    one.call(barrier, std::uint64_t{1'000} * (one.rank + 2), 10);
    one.call(finalize, 8'000);
  });
  const TracedSchedule traced = scheduled(ranks);
  EXPECT_EQ(traced.summary.collectives, 0);
  EXPECT_EQ(traced.summary.as_computation.at("MPI_Barrier"), 2);
}

/// Ranks make them in one order, and start them in any.
TEST_F(TraceSchedule, PersistentCollectivesMatchInTheOrderOfTheirCreation) {
  const std::vector<TraceWriter> ranks = ranks_that(2, [](TraceWriter& one) {
    for (std::uint32_t place = 0; place < 2; ++place) {
      one.call(start, std::uint64_t{1'000} * (place + 2)).count = 1;
      record::Record& started = one.call(record::started, std::uint64_t{1'000} * (place + 2));
      started.bytes_and_context = record::pack_field(8, 0);
      started.tag = static_cast<std::int32_t>(one.rank == place ? 1 : 2);  // in the other order on rank 1
      started.request = place + 1;
      started.count = 2;
      started.extra = one.rank == place ? bcast_init : allreduce_init;
      if (place == 0) continue;
      one.waited(5'000, 100, 1);
      one.waited(6'000, 100, 2);
    }
    one.call(finalize, 8'000);
  });
  EXPECT_GT(makespan_s(scheduled(ranks), "L=1us"), 0);
}

/// A transposition moves its own block by itself: all bytes of the call go to the other rank.
TEST_F(TraceSchedule, CollectivesWithCountsMoveWhatEachRankWasSent) {
  const auto end_s = [&](bool to_itself) {
    const std::vector<TraceWriter> ranks = ranks_that(2, [&](TraceWriter& one) {
      const std::vector<record::PeerBytes> moved = {
          {.peer = to_itself ? one.rank : 1 - one.rank, .bytes = 2001}};
      one.counted(alltoallv, 1'000, 7, moved, moved);
      one.call(finalize, 1'100);
    });
    return makespan_s(scheduled(ranks), "L=1us,G=1ns");
  };
  EXPECT_NEAR(end_s(false), 3e-6, 1e-15);
  EXPECT_EQ(end_s(true), 0) << "what a rank sends to itself moves nothing";
}

/// No number of a record is one that the file must define.
TEST_F(TraceSchedule, CollectivesWithoutTheirCountsAreEven) {
  const std::vector<TraceWriter> ranks = ranks_that(2, [](TraceWriter& one) {
    one.counted(alltoallv, 1'000, 7, {{.peer = 1 - one.rank, .bytes = 2002}}, {});
    one.records.back().tag = std::numeric_limits<std::int32_t>::min();
    one.call(finalize, 1'100);
  });
  EXPECT_NEAR(makespan_s(scheduled(ranks), "L=1us,G=1ns"), 2e-6, 1e-15);
}

/// MPIs gather with counts without a tree: the root takes the blocks one after the other.
TEST_F(TraceSchedule, ARootGathersBlocksOfDifferentSizesOneByOne) {
  const std::vector<std::uint64_t> bytes = {1, 4001, 2001, 1001};
  const std::vector<TraceWriter> ranks = ranks_that(4, [&](TraceWriter& one) {
    record::Record& called = one.call(gatherv, 1'000, 100);
    called.bytes_and_context = bytes[one.rank];
    if (one.rank == 0) called.extra = 7004;
    one.call(finalize, 1'100);
  });
  EXPECT_NEAR(makespan_s(scheduled(ranks), "L=1us,G=1ns"), 1e-6 + 7e-6, 1e-15);
}

/// Each is a processor of its own: they compute at the same time.
TEST_F(TraceSchedule, ThreadsComputeAtTheSameTimeHoweverManyThereAre) {
  constexpr std::uint32_t threads = 300;
  TraceWriter rank(0, 1);
  for (std::uint32_t thread = 0; thread < threads; ++thread) {
    record::Record called;
    called.begin_and_call = record::pack_field(5'000'000, barrier);
    rank.more_threads.push_back({called});
  }
  rank.call(finalize, 6'000'000);
  EXPECT_NEAR(makespan_s(scheduled({rank}), "L=1us"), 5e-3, 2e-3);
}

/// Another thread's record of the trace of a rank.
record::Record of_thread(TestCall what, std::uint64_t begin_ns, int peer, std::uint64_t bytes, int tag,
                         std::uint32_t request = 0) {
  TraceWriter other(0, 1);
  other.message(what, begin_ns, peer, bytes, request);
  other.records.back().tag = tag;
  return other.records.back();
}

/// Rank 1's second thread receives the first message of a channel, its first thread the next one, which
/// rank 0 sends when the former has answered. A slow network must not exchange these two receives.
TEST_F(TraceSchedule, ThreadsReceiveTheMessagesOfAChannelInTheRecordedOrder) {
  TraceWriter sender(0, 2);
  sender.message(send, 5'000, 1, 8);
  sender.records.back().tag = 1;
  sender.message(send, 15'000, 1, 8);
  sender.message(receive, 16'000, 1, 8);
  sender.records.back().tag = 2;
  sender.message(send, 40'000, 1, 8);
  sender.call(finalize, 41'000);
  TraceWriter receiver(1, 2);
  receiver.message(receive, 25'000, 0, 8);
  receiver.call(finalize, 60'000);
  receiver.more_threads = {{of_thread(receive, 10'000, 0, 8, 1), of_thread(receive, 20'000, 0, 8, 0),
                            of_thread(send, 24'000, 0, 8, 2)}};
  for (const Level level : {Level::traced, Level::producer_consumer}) {
    EXPECT_GT(makespan_s(scheduled({sender, receiver}, {.level = level}), "L=1ms"), 3e-3);
  }
}

TEST_F(TraceSchedule, AThreadWaitsForWhatAnotherHasPosted) {
  TraceWriter sender(0, 2);
  sender.message(send, 8'000, 1, 8);
  sender.message(receive, 9'000, 1, 8);
  sender.call(finalize, 9'100);
  TraceWriter receiver(1, 2);
  receiver.waited(10'000, 5'000, 7);
  receiver.message(send, 20'000, 0, 8);
  receiver.call(finalize, 30'000);
  receiver.more_threads = {{of_thread(irecv, 5'000, 0, 8, 0, 7)}};
  EXPECT_NEAR(makespan_s(scheduled({sender, receiver}), "L=1ms"), 7e-6 + 1e-3 + 5e-6 + 1e-3, 1e-7);
}

/// A full disk: what is left is replayed, and the last receive has no message.
TEST_F(TraceSchedule, EndsWhereRecordsWereLost) {
  std::vector<TraceWriter> ranks = one_message(8);
  ranks[0].records.resize(ranks[0].records.size() - 2);  // without its send
  std::vector<std::filesystem::path> files;
  for (const TraceWriter& one : ranks) {
    record::TraceTrailer trailer;
    trailer.lost = one.rank == 0 ? 2 : 0;
    std::string bytes = one.bytes();
    trailer.index_offset = bytes.size();
    bytes.append(reinterpret_cast<const char*>(&trailer), sizeof trailer);
    files.push_back(write_bytes(directory_.file("rank-" + std::to_string(one.rank) + ".trace"), bytes));
  }
  const TracedSchedule traced = schedule_of_trace(files, {});
  EXPECT_EQ(traced.summary.incomplete, 1U);
  EXPECT_LT(makespan_s(traced, "L=2us"), 1e-3);
}

TEST_F(TraceSchedule, RefusesIncompleteTraces) {
  EXPECT_THROW((void)trace_files(directory_.file(".")), TraceError);
  write_bytes(directory_.file("rank-000001.trace"), TraceWriter(1, 3).bytes());
  EXPECT_THROW((void)trace_files(directory_.file(".")), TraceError);
}

}  // namespace
}  // namespace stretto::replay::trace_test
