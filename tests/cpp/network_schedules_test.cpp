// SPDX-License-Identifier: BSD-3-Clause
// The graph evaluator: small cases by hand, larger ones against the closed forms where they hold (P >= 16).
// Times are microseconds.
#include <gtest/gtest.h>

#include <functional>

#include "network/closed_forms.hpp"
#include "network/evaluate.hpp"
#include "network/probe_schedules.hpp"
#include "refusal.hpp"

namespace stretto::network::schedules_test {
namespace {

constexpr double tolerance = 1e-9;

ScheduleGraph ft(const std::string& name, std::size_t ranks, std::size_t rows, std::size_t row_bytes,
                 std::optional<std::int64_t> chunks = std::nullopt) {
  return ft_schedule(name, {.rows = rows, .row_length = row_bytes / 16, .ranks = ranks}, chunks,
                     TransferOperation::put);
}

ScheduleGraph spmv(const std::string& name, std::int64_t ranks, std::uint64_t block_bytes,
                   std::int64_t prefetch = 1) {
  return spmv_schedule(name, ranks, block_bytes, prefetch, false);
}

PathCosts path(const LogGp& loggp, double overlap = 1, double steal = 0) {
  return {.ranges = {{.loggp = loggp}}, .overlap = {{.eta = overlap}}, .steal = steal};
}

double segment_s(const ScheduleGraph& schedule, const ScheduleTimes& times, const std::string& name) {
  const auto found = std::ranges::find(schedule.segments, name);
  return found == schedule.segments.end()
             ? 0
             : times.segments_s[static_cast<std::size_t>(found - schedule.segments.begin())];
}

TEST(ScheduleGraph, MessagesAndSizesAreThoseOfThePaper) {
  struct Row {
    const char* name;
    std::optional<std::int64_t> chunks;
    std::uint32_t messages;
    std::uint64_t size_bytes;
  };
  for (const Row& row :
       {Row{"exchange", {}, 31, 256 * 1024}, Row{"slabs", {}, 31, 256 * 1024}, Row{"pencils", {}, 992, 8192},
        Row{"chunks", 64, 62, 128 * 1024}, Row{"chunks", 2048, 1984, 4096}}) {
    const ScheduleGraph schedule = ft(row.name, 32, 1024, 8192, row.chunks);
    EXPECT_EQ(schedule.messages, row.messages) << row.name;
    EXPECT_EQ(schedule.largest_bytes(), row.size_bytes) << row.name;
  }
}

const LogGp two_ranks{.latency_s = 2, .overhead_send_s = 1, .gap_s_per_byte = 10.0 / 1599};

TEST(ScheduleGraph, ExchangeAndSlabsOnTwoRanksByHand) {
  // compute 40, start 1, wire 10, two latencies of 2 until the acknowledgement; barrier 1 + 2
  EXPECT_NEAR(evaluate(ft("exchange", 2, 2, 1600), path(two_ranks), 40).total_s, 40 + 1 + 10 + 4 + 3,
              tolerance);
  const ScheduleGraph slabs = ft("slabs", 2, 2, 1600);
  const ScheduleTimes times = evaluate(slabs, path(two_ranks), 40);
  EXPECT_NEAR(times.total_s, 20 + 1 + 20 + 0 + 3, tolerance);  // 10 + 4 overlap with the second half
  EXPECT_NEAR(segment_s(slabs, times, "init"), 1, tolerance);
  EXPECT_EQ(segment_s(slabs, times, "sync"), 0);
}

TEST(ScheduleGraph, WithoutOverlapATransferWaitsForTheEndOfComputation) {
  const ScheduleGraph slabs = ft("slabs", 2, 2, 1600);
  EXPECT_NEAR(evaluate(slabs, path(two_ranks, 0), 40).total_s, 20 + 1 + 20 + 10 + 4 + 3, tolerance);
  EXPECT_NEAR(evaluate(slabs, path(two_ranks, 0.5), 40).total_s, 20 + 1 + 20 + 5 + 4 + 3, tolerance);
}

TEST(ScheduleGraph, BuffersLimitTheBytesOfAllMessagesTogether) {
  // three slabs of 12 each unattended at most 16 before the wait: the last 20 come after the computation
  const ScheduleGraph slabs = ft("slabs", 4, 4, 1600);
  PathCosts costs = path({.overhead_send_s = 1, .gap_s_per_byte = 12.0 / 1599});
  EXPECT_NEAR(evaluate(slabs, costs, 400).total_s, 400 + 3 + 2, tolerance);
  costs.unattended_bytes = 16.0 / 12 * 1599;
  EXPECT_NEAR(evaluate(slabs, costs, 400).total_s, 400 + 3 + 20 + 2, tolerance);
}

TEST(ScheduleGraph, StolenCyclesLengthenComputationWhileAMessageMoves) {
  // 10 on the wire and 4 until the acknowledgement, at half speed: 7 of the 20 are done by then
  const ScheduleGraph slabs = ft("slabs", 2, 2, 1600);
  EXPECT_NEAR(evaluate(slabs, path(two_ranks, 1, 0.5), 40).total_s, 20 + 1 + 14 + 13 + 3, tolerance);
  EXPECT_NEAR(evaluate(slabs, path(two_ranks, 1, 1), 40).total_s, 20 + 1 + 14 + 20 + 3, tolerance);
}

const LogGp gets{.latency_s = 3, .overhead_send_s = 1, .gap_s_per_byte = 0.01};

TEST(ScheduleGraph, GathersKeepTwoGetsInFlight) {
  // all on the wire back to back: 1 + 3 (request) + 3 * 10 + 3, the last block's work 1; barrier 2 * (1 + 3)
  EXPECT_NEAR(evaluate(spmv("gather", 4, 1001), path(gets), 4).total_s, 1 + 3 + 30 + 3 + 1 + 8, tolerance);
  const ScheduleGraph deeper = spmv("gather", 4, 1001, 3);
  const ScheduleTimes times = evaluate(deeper, path(gets), 4);
  EXPECT_NEAR(segment_s(deeper, times, "prefetch_init"), 2, tolerance);
  EXPECT_NEAR(segment_s(deeper, times, "pipeline_init"), 1, tolerance);
}

TEST(ScheduleGraph, BulkComputesAfterAllCommunication) {
  EXPECT_NEAR(evaluate(spmv("bulk", 4, 1001), path(gets), 40).total_s, 1 + 3 + 30 + 3 + 40 + 8, tolerance);
}

TEST(ScheduleGraph, Prefetch0And1AreTheSameRun) {
  for (const char* name : {"gather", "scatter"}) {
    EXPECT_EQ(spmv(name, 8, 4096, 0).steps, spmv(name, 8, 4096, 1).steps);
  }
}

TEST(ScheduleGraph, PencilsAreAsEquations6To8Say) {
  constexpr std::int64_t size = 8192;
  for (const std::int64_t ranks : {16, 32}) {
    const std::int64_t rows = 32 * ranks;
    const ScheduleGraph schedule = ft("pencils", ranks, rows, size);
    for (const double work : {0.0, 2.0, 8.0, 40.0, 400.0}) {
      for (const double wire : {1.0, 30.0, 100.0}) {
        for (const double overhead : {1.0, 15.0}) {
          const LogGp loggp{.overhead_send_s = overhead, .gap_queue_s = 20, .gap_s_per_byte = wire / size};
          const ScheduleTimes graph = evaluate(schedule, path(loggp), work * static_cast<double>(rows));
          const FtPieces pieces{.pieces = rows, .ranks = ranks, .size_bytes = size, .work_s = work};
          const double total = ft_times(pieces, loggp).total_s;
          EXPECT_NEAR(graph.total_s, total, 0.01 * total);
          const double initiation = segment_s(schedule, graph, "init") + segment_s(schedule, graph, "work");
          EXPECT_NEAR(initiation, ft_initiation_s(pieces, loggp), 1e-9 * initiation);
          // eq. 6 as printed assumes an idle queue at each round
          const double off = 2 * work + overhead >= 0.55 * 20 ? 0.03 : 1 / static_cast<double>(ranks - 1);
          EXPECT_NEAR(ft_initiation_eq6_s(pieces, loggp), initiation, off * initiation);
        }
      }
    }
  }
}

TEST(ScheduleGraph, GatherIsAsEquation13SaysWhereLatencyDoesNotCount) {
  // 2 L is 0.4 % of a block
  const LogGp loggp{
      .latency_s = 2, .overhead_send_s = 0.5, .gap_queue_s = 1, .gap_s_per_byte = 1000.0 / 65536};
  for (const double work : {0.0, 50.0, 2000.0}) {
    const double total = spmv_total_s({.ranks = 32, .size_bytes = 65536, .work_s = work}, loggp);
    const double graph = evaluate(spmv("gather", 32, 65536), path(loggp), work * 32).total_s;
    EXPECT_NEAR(graph, total, 0.01 * total);
  }
}

TEST(ScheduleGraph, ClosedFormsExistOnlyWhereTheyHold) {
  const PathCosts costs = path({.overhead_send_s = 1, .gap_queue_s = 3, .gap_s_per_byte = 0.01});
  EXPECT_EQ(closed_form(ft("pencils", 4, 16, 1600), costs, 100).size(), 4U);
  EXPECT_EQ(closed_form(ft("slabs", 4, 16, 1600), costs, 100).count("total"), 1U);
  EXPECT_EQ(closed_form(ft("chunks", 4, 16, 1600, 32), costs, 100).size(), 0U) << "pieces of half rows";
  EXPECT_EQ(closed_form(ft("exchange", 4, 16, 1600), costs, 100).size(), 0U);
  EXPECT_EQ(closed_form(spmv("gather", 4, 1000, 1), costs, 100).size(), 1U);
  EXPECT_EQ(closed_form(spmv("gather", 4, 1000, 2), costs, 100).size(), 0U);
  EXPECT_EQ(closed_form(spmv("scatter", 4, 1000, 1), costs, 100).size(), 0U);
  EXPECT_EQ(closed_form(spmv("bulk", 4, 1000), costs, 100).size(), 0U);
  EXPECT_EQ(closed_form(spmv_schedule("gather", 4, 1000, 1, true), costs, 100).size(), 0U) << "of sends";
}

TEST(ScheduleGraph, IndivisibleSizesAreRefused) {
  struct Row {
    std::function<ScheduleGraph()> make;
    const char* parameter;
    const char* what;
  };
  const std::vector<Row> rows{
      {[] { return ft("pencils", 3, 16, 64); }, "rows", "multiple of 3"},
      {[] { return ft("chunks", 4, 16, 64, 6); }, "chunks", "a multiple of the 4 ranks"},
      {[] { return ft("chunks", 4, 16, 64, 12); }, "chunks", "divide the 64 elements"},
      {[] { return ft("waves", 4, 16, 64); }, "schedule", "unknown 'waves'"},
      {[] { return ft("slabs", 1, 16, 64); }, "ranks", "exchange nothing"},
      {[] { return spmv("gather", 4, 64, 4); }, "prefetch", "not within 0 to P - 1 = 3"},
      {[] { return spmv("fetch", 4, 64); }, "schedule", "unknown 'fetch'"},
      {[] { return spmv("bulk", 1, 64); }, "ranks", "exchange nothing"},
  };
  for (const Row& row : rows) {
    try {
      (void)row.make();
      ADD_FAILURE() << row.what;
    } catch (const InvalidParameter& error) {
      EXPECT_EQ(error.parameter(), row.parameter);
      EXPECT_TRUE(testing::has(error.what(), row.what));
    }
  }
}

}  // namespace
}  // namespace stretto::network::schedules_test
