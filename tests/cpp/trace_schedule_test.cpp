// SPDX-License-Identifier: BSD-3-Clause
// A trace becomes the schedule of what it recorded, whose makespan is known; a damaged one is refused.
#include "replay/trace_schedule.hpp"

#include <gtest/gtest.h>

#include <random>

#include "replay/replay.hpp"
#include "replay/trace_file.hpp"
#include "trace_writing.hpp"

namespace stretto::replay {
namespace {

double makespan_s(const TracedSchedule& traced, const std::string& network) {
  const Wiring wiring(traced.schedule);
  return Replayer(traced.schedule, wiring).run(network_from(network)).makespan_s;
}

class TraceSchedule : public ::testing::Test {
 protected:
  TracedSchedule scheduled(const std::vector<TraceWriter>& ranks, const TraceOptions& options = {}) {
    std::vector<std::filesystem::path> files;
    for (const TraceWriter& one : ranks) {
      files.push_back(
          write_bytes(directory_.file("rank-" + std::to_string(one.rank) + ".trace"), one.bytes()));
    }
    return schedule_of_trace(files, options);
  }
  TemporaryDirectory directory_;
};

/// Rank 0 computes 10 us and sends; rank 1 posts, computes 4 us, waits, computes 5 us. Both end together.
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
}

TEST_F(TraceSchedule, ComputationCanBeScaledOrLeftOut) {
  EXPECT_NEAR(makespan_s(scheduled(one_message(1), {.compute_scale = 2}), "L=2us"), 32e-6, 1e-15);
  EXPECT_NEAR(makespan_s(scheduled(one_message(1), {.compute_scale = 0}), "L=2us"), 2e-6, 1e-15);
}

TEST_F(TraceSchedule, AReceiveFromAnybodyIsFromWhoItCameFrom) {
  std::vector<TraceWriter> ranks = one_message(8);
  for (record::Record& record : ranks[1].records) {
    if (record::high_field(record.begin_and_call) == irecv) record.peer = record.tag = record::any_peer;
    if (record::high_field(record.begin_and_call) == record::completion) record.count = 1;
  }
  EXPECT_NEAR(makespan_s(scheduled(ranks), "L=2us"), 17e-6, 1e-15);
}

TEST_F(TraceSchedule, ABarrierHoldsAllUntilTheLast) {
  std::vector<TraceWriter> ranks;
  for (std::uint32_t rank = 0; rank < 4; ++rank) {
    TraceWriter& one = ranks.emplace_back(rank, 4);
    one.call(barrier, 1'000 * (rank + 2), 10);
    one.call(finalize, 1'000 * (rank + 2) + 10);
  }
  // Dissemination among four: two rounds.
  EXPECT_NEAR(makespan_s(scheduled(ranks), "L=1us"), 4e-6 + 2e-6, 1e-15);
}

TEST_F(TraceSchedule, WhatIsNotModelledIsToldAndTakesItsTime) {
  TraceWriter one(0, 1);
  one.call(put, 2'000, 3'000);
  one.call(barrier, 6'000, 0);
  const TracedSchedule traced = scheduled({one});
  EXPECT_EQ(traced.summary.as_computation.at("MPI_Put"), 1);
  EXPECT_NEAR(makespan_s(traced, "L=1us"), 5e-6, 1e-15);
}

/// Rank 0 produces the eight parts of 8000 bytes every 10 us, computes 20 us more, and sends. Rank 1
/// receives, computes 20 us, and needs a part every 10 us.
std::vector<TraceWriter> produced_and_consumed() {
  constexpr std::uint64_t waited_ns = 200'000;
  TraceWriter sender(0, 2);
  sender.message(send, 101'000, 1, 8000, 1);
  TraceWriter receiver(1, 2);
  receiver.message(receive, 1'000, 0, 8000, 1);
  receiver.records.back().duration_and_site = record::pack_field(waited_ns, 0);
  for (std::uint32_t part = 0; part < 8; ++part) {
    record::Record& stored = sender.call(record::produced, 1'000 + 10'000 * (part + 1));
    stored.request = 1;
    stored.count = part;
    stored.tag = message_parts;
    record::Record& loaded = receiver.call(record::consumed, 1'000 + waited_ns + 20'000 + 10'000 * part);
    loaded.request = 1;
    loaded.count = part;
    loaded.tag = message_parts;
  }
  sender.call(finalize, 101'100);
  receiver.call(finalize, 1'000 + waited_ns + 100'000);
  return {sender, receiver};
}

TEST_F(TraceSchedule, EachLevelGainsWhatTheSlidesDraw) {
  const std::vector<TraceWriter> ranks = produced_and_consumed();
  const auto end_us = [&](Level level) {
    return 1e6 * makespan_s(scheduled(ranks, {.level = level}), "L=10us,G=2ns");
  };
  EXPECT_NEAR(end_us(Level::traced), 100 + 15.998 + 10 + 100, 1e-9);
  // Sent at 80, when the last part is there; the receiver has 20 of its own to compute.
  EXPECT_NEAR(end_us(Level::independent), 80 + 15.998 + 10 + 80, 1e-9);
  // The first part is there long before the last.
  EXPECT_NEAR(end_us(Level::consumer), 80 + 1.998 + 10 + 80, 1e-9);
  // Each part goes as it is produced: the receiver runs behind the sender by one part.
  EXPECT_NEAR(end_us(Level::producer_consumer), 10 + 1.998 + 10 + 80, 1e-9);
}

TEST_F(TraceSchedule, WithoutKnowledgeOfItsDataAMessageStaysWhereItIs) {
  for (const Level level : {Level::independent, Level::consumer, Level::producer_consumer}) {
    EXPECT_NEAR(makespan_s(scheduled(one_message(1), {.level = level}), "L=2us"), 17e-6, 1e-15);
  }
  EXPECT_THROW((void)level_named("all"), std::invalid_argument);
}

TEST_F(TraceSchedule, RefusesWhatIsMissing) {
  EXPECT_THROW((void)trace_files(directory_.file(".")), TraceError);
  write_bytes(directory_.file("rank-000001.trace"), TraceWriter(1, 3).bytes());
  EXPECT_THROW((void)trace_files(directory_.file(".")), TraceError);
}

TEST_F(TraceSchedule, WhateverHappenedToItIsReadOrRefused) {
  const std::vector<TraceWriter> ranks = produced_and_consumed();
  const std::string whole = ranks[1].bytes();
  const auto sender = write_bytes(directory_.file("rank-0.trace"), ranks[0].bytes());
  std::mt19937 random(1);
  int refused = 0;
  for (int round = 0; round < 500; ++round) {
    std::string damaged = whole;
    for (auto left = 1 + random() % 3; left > 0; --left) {
      const std::size_t used = random() % 2 == 0 ? 600 : 4096 + 48 * (2 + ranks[1].records.size());
      damaged[random() % used] = static_cast<char>(random());
    }
    if (random() % 4 == 0) damaged.resize(random() % (damaged.size() + 1));
    const auto receiver = write_bytes(directory_.file("rank-1.trace"), damaged);
    try {
      const Level level = round % 2 == 0 ? Level::traced : Level::producer_consumer;
      const TracedSchedule traced = schedule_of_trace({sender, receiver}, {.level = level});
      const Wiring wiring(traced.schedule);
      (void)Replayer(traced.schedule, wiring).run(network_from("L=1us"));
    } catch (const std::invalid_argument& error) {
      ++refused;
      EXPECT_EQ(std::string(error.what()).find('\n'), std::string::npos);
    } catch (const Stuck&) {
    }
  }
  EXPECT_GT(refused, 20);
}

}  // namespace
}  // namespace stretto::replay
