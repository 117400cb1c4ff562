// SPDX-License-Identifier: BSD-3-Clause
// FT and SPMV over a virtual machine: their LogGP times, and the check that detects wrong data.
#include <gtest/gtest.h>

#include <map>
#include <nlohmann/json.hpp>

#include "known_answers/run.hpp"
#include "probe/ft_rows.hpp"
#include "probe/run.hpp"
#include "probe/spmv_data.hpp"
#include "temporary_path.hpp"

namespace stretto::probe {
namespace {

using Json = nlohmann::json;

constexpr double latency_s = 5e-6;
constexpr double overhead_s = 1e-6;
constexpr double queue_s = 20e-6;
constexpr double seconds_per_byte = 1e-9;
constexpr double seconds_per_flop = 10e-9 / 64;  // work=10ns is the time of one count of 64 flops

/// Time in seconds of every quantity of the first case; all transfers checked.
std::map<std::string, Json> run(const std::string& probe, const ScheduleSettings& schedules, int ranks) {
  const stretto::testing::TemporaryPath path;
  const auto machine =
      known_answers::virtual_machine_from("L=5us,o_s=1us,o_r=2us,g_queue=20us,G=1ns,work=10ns");
  const Settings settings{.probes = {probe},
                          .transports = {"virtual"},
                          .progress = {exchange::ProgressMode::none},
                          .schedules = schedules,
                          .harness = {.min_rounds = 1, .max_rounds = 1, .check = true}};
  std::int64_t wrong = 0;
  known_answers::run_virtual(machine, ranks, [&](known_answers::VirtualRank& rank) {
    exchange::Channel* const transports[] = {&rank.transport};
    wrong = run_probes(settings, rank.team, rank.worker, transports, {}, path.get()).wrong;
  });
  EXPECT_EQ(wrong, 0);
  std::map<std::string, Json> rows;
  for (const std::string& line : path.lines()) {
    Json row = Json::parse(line);
    if (row["row"] == "sample") rows.emplace(row["quantity"], row);
  }
  return rows;
}

double time_s(const std::map<std::string, Json>& rows, const std::string& quantity) {
  return rows.at(quantity)["time_s"].get<double>();
}

/// The time of a single put until its completion at the origin: o + (s-1) G + 2 L.
double wire_s(std::size_t size_bytes) { return static_cast<double>(size_bytes - 1) * seconds_per_byte; }

TEST(Schedules, FtOnTwoRanksTakesTheLogGpTime) {
  constexpr std::size_t rows = 8;
  constexpr std::size_t length = 512;
  constexpr std::size_t row_bytes = length * 16;
  const auto found = run("ft", {.rows = {rows}, .row_lengths = {length}, .scales = {3}}, 2);
  // A virtual processor reaches 70 % of its peak.
  const double row_s = 3 * 5 * length * 9 * seconds_per_flop / 0.7;
  const double half_s = wire_s(rows / 2 * row_bytes);
  EXPECT_NEAR(time_s(found, "T_w"), rows * row_s, 1e-9);
  EXPECT_NEAR(time_s(found, "T_c"), overhead_s + half_s + 2 * latency_s, 1e-9);
  EXPECT_NEAR(time_s(found, "exchange"), rows * row_s + overhead_s + half_s + 2 * latency_s, 1e-9);
  // Slabs: the other rank's half is first, and its transfer is shorter than the transforms of the own half.
  ASSERT_GT(rows / 2 * row_s, half_s + 2 * latency_s);
  EXPECT_NEAR(time_s(found, "slabs"), rows * row_s + overhead_s, 1e-9);
  // Pencils: one overhead per row; the queue is idle before the next start, because a row takes longer.
  ASSERT_GT(2 * row_s + overhead_s, queue_s);
  const double last_s = std::max(row_s, wire_s(row_bytes) + 2 * latency_s);  // during the own last row
  EXPECT_NEAR(time_s(found, "pencils"), (rows - 1) * row_s + rows / 2 * overhead_s + last_s, 1e-9);
  EXPECT_EQ(found.at("pencils")["messages"], rows / 2);
  EXPECT_EQ(found.at("pencils")["chunks"], rows);
  EXPECT_EQ(found.at("pencils")["size_bytes"], row_bytes);
  EXPECT_NEAR(found.at("pencils")["init_s"].get<double>(), rows / 2 * overhead_s, 1e-9);
  EXPECT_NEAR(found.at("pencils")["work_s"].get<double>(), rows * row_s, 1e-9);
}

TEST(Schedules, PencilsWithoutComputationWaitForTheQueue) {
  constexpr std::size_t rows = 64;
  const auto found = run("ft", {.rows = {rows}, .row_lengths = {64}, .scales = {0}}, 2);
  EXPECT_FALSE(found.contains("T_w"));
  EXPECT_NEAR(found.at("pencils")["init_s"].get<double>(), (rows / 2 - 1) * queue_s + overhead_s, 1e-9);
}

TEST(Schedules, SpmvOverlapsTheNextBlockWithTheProduct) {
  constexpr std::size_t order = 4096;
  const auto found =
      run("spmv", {.matrix_rows = {order}, .prefetch = {0, 1, 3}, .nonzero_ratios = {0.02}}, 4);
  const double block_s = 2 * 0.02 * 1024 * 1024 * seconds_per_flop / 0.1;
  const double block_wire_s = wire_s(1024 * sizeof(double));
  EXPECT_NEAR(time_s(found, "T_w"), 4 * block_s, 1e-9);
  // A get has a latency for the request and one for the data. The blocks of bulk arrive one by one.
  ASSERT_LT(overhead_s + 2 * latency_s + block_wire_s, block_s);
  EXPECT_NEAR(time_s(found, "gather,prefetch=1"), 4 * block_s + 3 * overhead_s, 1e-9);
  EXPECT_EQ(time_s(found, "gather,prefetch=0"), time_s(found, "gather,prefetch=1"));
  EXPECT_GT(time_s(found, "bulk"), 4 * block_s + 3 * block_wire_s);
  const Json& gather = found.at("gather,prefetch=3");
  EXPECT_NEAR(gather["prefetch_init_s"].get<double>(), queue_s + overhead_s,
              1e-9);  // two starts, separated by the queue's gap
  EXPECT_NEAR(gather["local_work_s"].get<double>(), block_s, 1e-9);
  EXPECT_NEAR(gather["remote_work_s"].get<double>(), 3 * block_s, 1e-9);
  EXPECT_EQ(found.at("scatter,prefetch=1")["operation"], "send");
}

TEST(Schedules, AWrongElementOfFtIsDetected) {
  known_answers::run_virtual({}, 1, [](known_answers::VirtualRank& rank) {
    const FtProblem problem{.rows = 6, .row_length = 8, .ranks = 1};
    std::vector<std::complex<double>> memory(6 * 8);
    FtRows rows(problem, transform_plan(8, 0.5), memory, true, rank.team);
    rows.fill(7);
    EXPECT_EQ(rows.wrong_pieces(memory, 0, 3, 7, false), 0U);
    EXPECT_EQ(rows.wrong_pieces(memory, 0, 3, 7, true), 3U);  // not transformed yet
    for (std::size_t row = 0; row < 6; ++row) rows.transform(row);
    EXPECT_EQ(rows.wrong_pieces(memory, 0, 3, 7, true), 0U);
    EXPECT_EQ(rows.wrong_pieces(memory, 0, 3, 8, true), 3U);  // of another step
    std::swap(memory[15], memory[16]);                        // the end of piece 0 and the begin of piece 1
    EXPECT_EQ(rows.wrong_pieces(memory, 0, 3, 7, true), 2U);
    memory[40] = {NAN, 0};
    EXPECT_EQ(rows.wrong_pieces(memory, 0, 3, 7, true), 3U);
  });
}

TEST(Schedules, AWrongElementOfSpmvIsDetected) {
  const SpmvProblem problem{.rows = 11, .ranks = 2};
  SpmvData data(problem, 0.5, 0);
  std::vector<double> own(6);
  std::vector<double> other(5);
  data.fill(own, 3);
  for (std::size_t i = 0; i < 5; ++i) other[i] = SpmvData::source(1, i, 3);
  EXPECT_TRUE(data.arrived(other, 1, 3));
  EXPECT_FALSE(data.arrived(other, 1, 4));
  data.multiply(0, own, 0, 1);
  EXPECT_FALSE(data.product_is_right(3));
  for (std::size_t slice = 0; slice < 3; ++slice) data.multiply(1, other, slice, 3);
  EXPECT_TRUE(data.product_is_right(3));
  data.multiply(1, other, 0, 3);
  EXPECT_FALSE(data.product_is_right(3));
  other[4] = 0;
  EXPECT_FALSE(data.arrived(other, 1, 3));
}

TEST(Schedules, OneRankIsEnough) {
  EXPECT_EQ(run("ft", {.rows = {4}, .row_lengths = {8}, .scales = {1}}, 1).at("pencils")["messages"], 0);
  EXPECT_EQ(run("spmv", {.matrix_rows = {64}, .nonzero_ratios = {0.1}}, 1).at("bulk")["messages"], 0);
}

}  // namespace
}  // namespace stretto::probe
