// SPDX-License-Identifier: BSD-3-Clause
// Complete runs of the probes over a virtual machine: their rows have the documented members, and their data
// arrives.
#include "probe/run.hpp"

#include <gtest/gtest.h>

#include <map>
#include <nlohmann/json.hpp>
#include <set>

#include "known_answers/channel_collectives.hpp"
#include "known_answers/run.hpp"
#include "probe/probes.hpp"
#include "temporary_path.hpp"

namespace stretto::probe {
namespace {

using Json = nlohmann::json;

const known_answers::VirtualMachine machine =
    known_answers::virtual_machine_from("L=5us,o_s=1us,o_r=2us,g=3us,G=1ns,work=10ns,break=4KiB");

Settings small_settings(const std::vector<std::string>& probes) {
  return {.probes = probes,
          .transports = {"virtual"},
          .ratios = {0.5, 1},
          .sizes = SizeRange{.min_bytes = 8, .max_bytes = 16384},
          .harness = {.min_rounds = 3, .max_rounds = 3, .check = true}};
}

std::vector<Json> run(const Settings& settings, int ranks, RunOutcome* outcome = nullptr) {
  const stretto::testing::TemporaryPath path;
  known_answers::run_virtual(machine, ranks, [&](known_answers::VirtualRank& rank) {
    exchange::Channel* const transports[] = {&rank.transport};
    known_answers::ChannelCollectives collectives(rank.team, rank.transport);
    const RunOutcome own =
        run_probes(settings, rank.team, rank.worker, transports, {.nonblocking = &collectives}, path.get());
    if (outcome != nullptr) *outcome = own;
  });
  std::vector<Json> rows;
  for (const std::string& line : path.lines()) rows.push_back(Json::parse(line));
  return rows;
}

class EveryProbe : public ::testing::TestWithParam<std::tuple<std::string, int>> {};

TEST_P(EveryProbe, DataArrivesAndTheFileIsComplete) {
  const auto& [name, ranks] = GetParam();
  RunOutcome outcome;
  const std::vector<Json> rows = run(small_settings({name}), ranks, &outcome);
  EXPECT_EQ(outcome.wrong, 0);
  ASSERT_FALSE(rows.empty());
  EXPECT_EQ(rows.front()["row"], "header");
  EXPECT_EQ(rows.back()["row"], "end");
  EXPECT_EQ(rows.back()["rows"], rows.size() - 1);

  std::map<std::string, std::int64_t> count;
  std::int64_t transfers = 0;
  for (const Json& row : rows) {
    ++count[row["row"]];
    if (row["row"] == "checked") transfers += row["transfers"].get<std::int64_t>();
  }
  EXPECT_EQ(count["case_end"], rows.front()["cases"]);
  EXPECT_EQ(count["checked"], rows.front()["cases"]);
  EXPECT_EQ(rows.front()["cases"], outcome.cases);
  EXPECT_GT(transfers, 0);
}

INSTANTIATE_TEST_SUITE_P(OnTwoThreeAndFiveRanks, EveryProbe,
                         ::testing::Combine(::testing::Values("latency", "bandwidth", "loggp", "overlap",
                                                              "contention", "nbc", "neighbourhood",
                                                              "persistent", "partitioned", "pairs"),
                                            ::testing::Values(2, 3, 5)),
                         [](const auto& parameters) {
                           return std::get<0>(parameters.param) + "_" +
                                  std::to_string(std::get<1>(parameters.param));
                         });

TEST(Run, PingPongTimesAreTheClosedForm) {
  for (const Json& row : run(small_settings({"latency"}), 2)) {
    if (row["row"] != "sample" || row["operation"] != "send" || row["size_bytes"] >= 4096) continue;
    const double one_way_s = 1e-6 + 5e-6 + 2e-6 + 1e-9 * (row["size_bytes"].get<double>() - 1);
    const double messages = row["messages"].get<double>();
    EXPECT_NEAR(row["time_s"].get<double>(), 2 * messages * one_way_s, 1e-12 * messages);
  }
}

TEST(Run, TheOverlapProbeHasEachSideAndAllRatios) {
  std::set<std::tuple<std::string, std::string, double>> seen;
  for (const Json& row : run(small_settings({"overlap"}), 2)) {
    if (row["row"] == "sample" && row["direction"] == "one-way") {
      seen.insert(
          {row["progress"].get<std::string>(), row["side"].get<std::string>(), row["ratio"].get<double>()});
    }
  }
  for (const char* progress : {"none", "poll"}) {
    for (const double ratio : {0.5, 1.0}) EXPECT_TRUE(seen.contains({progress, "both", ratio}));
  }
  EXPECT_TRUE(seen.contains({"none", "origin", 1.0}));
  EXPECT_TRUE(seen.contains({"none", "target", 1.0}));
}

TEST(Run, WorkHasTheRequestedDurationAndSide) {
  for (const Json& row : run(small_settings({"overlap"}), 2)) {
    if (row["row"] != "sample" || row["quantity"] != "T_w" || row["progress"] != "none") continue;
    const double asked_s = 1e-8 * row["work_count"].get<double>();
    EXPECT_NEAR(row["work_max_s"].get<double>(), asked_s, 1e-12);
    const double share = row["side"] == "both" ? 1.0 : 0.5;  // of two ranks
    EXPECT_NEAR(row["work_s"].get<double>(), share * asked_s, 1e-12);
  }
}

TEST(Run, BuffersAreDistinctInStreamsAndTheSameInPingPongsUnlessAskedFor) {
  const auto seen = [](Settings settings) {
    std::set<std::pair<std::string, std::string>> found;
    for (const Json& row : run(settings, 2)) {
      if (row["row"] == "sample")
        found.insert({row["probe"].get<std::string>(), row["buffers"].get<std::string>()});
    }
    return found;
  };
  Settings settings = small_settings({"latency", "bandwidth"});
  using Found = std::set<std::pair<std::string, std::string>>;
  EXPECT_EQ(seen(settings), (Found{{"latency", "same"}, {"bandwidth", "distinct"}}));
  settings.buffers = {Buffers::same, Buffers::distinct};
  EXPECT_EQ(
      seen(settings),
      (Found{
          {"latency", "same"}, {"latency", "distinct"}, {"bandwidth", "same"}, {"bandwidth", "distinct"}}));
}

TEST(Run, AStreamFromOneBufferHasItsFullWindowAtAnySize) {
  Settings settings = small_settings({"bandwidth"});
  settings.sizes = SizeRange{.min_bytes = std::size_t{8} << 20, .max_bytes = std::size_t{8} << 20};
  settings.operations = {exchange::ChannelOperation::send};
  settings.harness.check = false;
  for (const auto& [buffers, window] : {std::pair{Buffers::distinct, 8}, std::pair{Buffers::same, 64}}) {
    settings.buffers = {buffers};
    for (const Json& row : run(settings, 2)) {
      if (row["row"] == "sample") {
        EXPECT_EQ(row["window"], window);
      }
    }
  }
}

TEST(Run, PairsThatDoNotTakePartAreIdle) {
  Settings settings = small_settings({"pairs"});
  settings.operations = {exchange::ChannelOperation::send};
  std::set<int> seen;
  for (const Json& row : run(settings, 8)) {
    if (row["row"] == "sample") seen.insert(row["pairs"].get<int>());
    // Each pair receives both quantities' data: the window at the target, the message of the ping-pong at
    // both.
    if (row["row"] == "checked") {
      EXPECT_EQ(row["wrong"], 0);
    }
  }
  EXPECT_EQ(seen, (std::set<int>{1, 2, 4}));
  settings.pairs = {3, 9};
  seen.clear();
  for (const Json& row : run(settings, 8)) {
    if (row["row"] == "sample") seen.insert(row["pairs"].get<int>());
  }
  EXPECT_EQ(seen, std::set<int>{3});
}

TEST(Run, WhatCannotBeMeasuredIsSkippedWithItsReason) {
  std::map<std::string, std::string> reasons;
  for (const Json& row : run(small_settings({"nbc"}), 3)) {
    if (row["row"] == "skipped") reasons[row["operation"]] = row["reason"];
  }
  EXPECT_EQ(reasons.size(), 2U);
  EXPECT_EQ(reasons["allreduce"], "there are no reductions without an MPI");
  Settings settings = small_settings({"nbc"});
  settings.collective.operations = {collective::Operation::allreduce};
  EXPECT_THROW((void)run(settings, 3), std::invalid_argument);
}

TEST(Run, OneRankOrNothingToMeasureIsRefusedBeforeAnyFile) {
  EXPECT_THROW((void)run(small_settings({"latency"}), 1), std::invalid_argument);
  EXPECT_THROW((void)run(small_settings({"nosuch"}), 2), std::invalid_argument);
  Settings settings = small_settings({"overlap"});
  settings.progress = {exchange::ProgressMode::thread};
  EXPECT_THROW((void)run(settings, 2), std::invalid_argument);
}

TEST(Run, MissingProgressOfATransportIsRecorded) {
  Settings settings = small_settings({"overlap"});
  settings.progress = {exchange::ProgressMode::none, exchange::ProgressMode::thread};
  const std::vector<Json> rows = run(settings, 2);
  ASSERT_GT(rows.size(), 1U);
  EXPECT_EQ(rows[1]["row"], "skipped");
  EXPECT_EQ(rows[1]["reason"], "has no progress 'thread'");
}

TEST(Run, AnExistingFileIsAnErrorOnAllRanks) {
  const stretto::testing::TemporaryPath path;
  std::ofstream(path.get()) << "mine\n";
  int failed = 0;
  known_answers::run_virtual(machine, 2, [&](known_answers::VirtualRank& rank) {
    exchange::Channel* const transports[] = {&rank.transport};
    try {
      (void)run_probes(small_settings({"latency"}), rank.team, rank.worker, transports, {}, path.get());
    } catch (const std::runtime_error&) {
      ++failed;
    }
  });
  EXPECT_EQ(failed, 2);
  EXPECT_EQ(path.lines(), std::vector<std::string>{"mine"});
}

}  // namespace
}  // namespace stretto::probe
