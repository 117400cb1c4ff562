// SPDX-License-Identifier: BSD-3-Clause
// The timing loop, on virtual ranks whose steps take known times.
#include "measure/harness.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>
#include <set>

#include "known_answers/run.hpp"
#include "temporary_path.hpp"

namespace stretto::measure {
namespace {

using Json = nlohmann::json;
using known_answers::VirtualRank;

const known_answers::VirtualMachine machine = known_answers::virtual_machine_from("L=1us,work=1us");

/// Two quantities of known length: rank r works (r + 1) * `unit` counts of 1 us.
class Fixed final : public Experiment {
 public:
  Fixed(VirtualRank& rank, std::string probe, std::int64_t wrong = 0)
      : rank_(rank), probe_(std::move(probe)), wrong_(wrong) {}

  [[nodiscard]] std::string probe() const override { return probe_; }
  [[nodiscard]] bool may_pause() const override { return true; }
  void calibrate(Timekeeper& timekeeper) override {
    calibrated_s_ = timekeeper.median_time_s([this](StepTimer& timer) { work(timer, 1); });
  }
  [[nodiscard]] record::Fields axes() const override { return {{"calibrated_s", calibrated_s_}}; }
  [[nodiscard]] std::vector<Quantity> quantities() override {
    return {{.name = "short", .messages = 1, .step = [this](StepTimer& timer) { work(timer, 1); }},
            {.name = "long", .messages = 2, .step = [this](StepTimer& timer) { work(timer, 10); }}};
  }
  void fill(std::uint32_t /*seed*/) override {}
  [[nodiscard]] CheckedTransfers verify(const std::string& /*quantity*/, std::uint32_t /*seed*/) override {
    return {.transfers = 1, .wrong = rank_.team.rank() == 1 ? wrong_ : 0};
  }

 private:
  void work(StepTimer& timer, int unit) {
    timer.work([&] {
      rank_.worker.work(WorkKind::registers, static_cast<std::uint64_t>(unit * (rank_.team.rank() + 1)));
    });
  }

  VirtualRank& rank_;
  std::string probe_;
  std::int64_t wrong_;
  double calibrated_s_ = 0;
};

std::vector<Json> rows_of(const HarnessSettings& settings, int cases, std::int64_t wrong = 0,
                          std::int64_t* found = nullptr, const known_answers::VirtualMachine& on = machine) {
  const stretto::testing::TemporaryPath path;
  known_answers::run_virtual(on, 3, [&](VirtualRank& rank) {
    std::unique_ptr<record::SampleFile> file;
    if (rank.team.rank() == 0) file = std::make_unique<record::SampleFile>(path.get());
    Timekeeper timekeeper(rank.team, 0);
    Harness harness(timekeeper, settings, file.get());
    std::vector<std::unique_ptr<Experiment>> all;
    for (int i = 0; i < cases; ++i)
      all.push_back(std::make_unique<Fixed>(rank, "case" + std::to_string(i), wrong));
    const std::int64_t total = harness.run(std::move(all));
    if (found != nullptr) *found = total;
  });
  std::vector<Json> rows;
  for (const std::string& line : path.lines()) rows.push_back(Json::parse(line));
  return rows;
}

TEST(Harness, ATimeIsLastEndMinusFirstStart) {
  for (const Json& row : rows_of({}, 1)) {
    if (row["row"] != "sample") continue;
    const double unit = row["quantity"] == "short" ? 1e-6 : 10e-6;
    EXPECT_NEAR(row["time_s"].get<double>(), 3 * unit, 1e-12);
    EXPECT_NEAR(row["work_s"].get<double>(), 2 * unit, 1e-12);  // mean of 1, 2 and 3
    EXPECT_NEAR(row["work_max_s"].get<double>(), 3 * unit, 1e-12);
    EXPECT_NEAR(row["calibrated_s"].get<double>(), 3e-6, 1e-12);
  }
}

TEST(Harness, EveryRoundHasEveryQuantityOnce) {
  std::map<int, std::multiset<std::string>> rounds;
  for (const Json& row : rows_of({}, 1)) {
    if (row["row"] == "sample") rounds[row["round"]].insert(row["quantity"].get<std::string>());
  }
  EXPECT_EQ(rounds.size(), 11U);  // the least number of rounds, because there is no noise
  for (const auto& [round, quantities] : rounds) {
    EXPECT_EQ(quantities, (std::multiset<std::string>{"long", "short"})) << round;
  }
}

TEST(Harness, OrderWithinRoundsAndOfCasesIsRandomAndFollowsTheSeed) {
  const auto order = [](std::uint64_t seed) {
    std::string text;
    for (const Json& row : rows_of({.seed = seed}, 8)) {
      if (row["row"] == "sample")
        text += row["quantity"].get<std::string>() + row["probe"].get<std::string>();
    }
    return text;
  };
  EXPECT_EQ(order(1), order(1));
  EXPECT_NE(order(1), order(2));
  const std::string one = order(3);
  EXPECT_NE(one.find("longcase0short"), std::string::npos);
  EXPECT_NE(one.find("shortcase0long"), std::string::npos);
}

TEST(Harness, EveryCaseRecordsItsStopReason) {
  std::set<int> ended;
  for (const Json& row : rows_of({}, 5)) {
    if (row["row"] != "case_end") continue;
    EXPECT_EQ(row["ended_by"], "noise");
    EXPECT_EQ(row["rounds"], 11);
    EXPECT_EQ(row["discarded"], 0);
    ended.insert(row["case"].get<int>());
  }
  EXPECT_EQ(ended.size(), 5U);
}

TEST(Harness, ASessionIsOpenOnlyWhileItsCasesRun) {
  const stretto::testing::TemporaryPath path;
  known_answers::run_virtual(machine, 2, [&](VirtualRank& rank) {
    std::unique_ptr<record::SampleFile> file;
    if (rank.team.rank() == 0) file = std::make_unique<record::SampleFile>(path.get());
    Timekeeper timekeeper(rank.team, 0);
    Harness harness(timekeeper, {.seed = 5}, file.get());
    std::string open;
    std::vector<CaseGroup> groups;
    for (const char* name : {"a", "b", "c"}) {
      CaseGroup group{.open =
                          [&open, name] {
                            EXPECT_EQ(open, "");
                            open = name;
                          },
                      .close =
                          [&open, name] {
                            EXPECT_EQ(open, name);
                            open.clear();
                          }};
      for (int i = 0; i < 3; ++i) group.cases.push_back(std::make_unique<Fixed>(rank, name));
      groups.push_back(std::move(group));
    }
    groups.push_back({.open = [] { FAIL() << "a group without cases is not opened"; }});
    EXPECT_EQ(harness.run(std::move(groups)), 0);
    EXPECT_EQ(open, "");
  });
  std::string order;
  for (const std::string& line : path.lines()) {
    const Json row = Json::parse(line);
    if (row["row"] != "case_end") continue;
    const std::string probe = row["probe"];
    order += probe;
    EXPECT_EQ(row["case"].get<int>() / 3, probe.front() - 'a');  // numbered in the order of the probes
  }
  EXPECT_EQ(order.size(), 9U);
  for (const char* whole : {"aaa", "bbb", "ccc"}) EXPECT_NE(order.find(whole), std::string::npos) << order;
}

TEST(Harness, CheckedTransfersAreCountedOverAllRanks) {
  std::int64_t found = 0;
  const std::vector<Json> rows = rows_of({.check = true}, 1, 1, &found);
  const auto checked = std::ranges::find_if(rows, [](const Json& row) { return row["row"] == "checked"; });
  ASSERT_NE(checked, rows.end());
  EXPECT_EQ((*checked)["transfers"], 3 * 2 * 11);
  EXPECT_EQ((*checked)["wrong"], 2 * 11);
  EXPECT_EQ(found, 2 * 11);
}

TEST(Harness, CasesAlternateAndKeepTheirRounds) {
  std::map<std::string, std::set<int>> visits;
  std::string order;
  for (const Json& row : rows_of({.min_rounds = 9, .visits = 3}, 4)) {
    if (row["row"] == "case_end") {
      EXPECT_EQ(row["visits"], 3);
      EXPECT_EQ(row["rounds"], 9);
    }
    if (row["row"] != "sample") continue;
    const std::string probe = row["probe"];
    visits[probe].insert(row.value("visit", 0));
    if (order.empty() || order.back() != probe.back()) order += probe.back();
  }
  EXPECT_EQ(visits.size(), 4U);
  for (const auto& [probe, seen] : visits) EXPECT_EQ(seen, (std::set<int>{0, 1, 2})) << probe;
  EXPECT_GE(order.size(), 10U) << "no case was left before its end: " << order;
}

TEST(Harness, OneVisitMeasuresACaseInOnePiece) {
  for (const Json& row : rows_of({.visits = 1}, 4)) EXPECT_FALSE(row.contains("visit"));
}

TEST(Harness, SamplesThatBurstsDisturbAreMeasuredAgainAndNotCounted) {
  const auto busy = known_answers::virtual_machine_from(
      "L=1us,work=1us,burst_every=2ms,burst_min=1ms,burst_max=30ms,burst_seen=1");
  int disturbed = 0;
  int recorded = 0;
  for (const Json& row : rows_of({.min_rounds = 40, .max_rounds = 40}, 4, 0, nullptr, busy)) {
    const double unit_s = row.value("quantity", "") == "short" ? 3e-6 : 30e-6;
    if (row["row"] == "sample") {
      EXPECT_NEAR(row["time_s"].get<double>(), unit_s, 1e-12);
    }
    if (row["row"] == "disturbed") {
      ++disturbed;
      EXPECT_GT(row["lost_s"].get<double>(), 10e-6);
    }
    if (row["row"] == "case_end") {
      EXPECT_EQ(row["rounds"], 40);
      recorded += row.value("disturbed", 0);
    }
  }
  EXPECT_GT(disturbed, 0);
  EXPECT_EQ(disturbed, recorded);
}

TEST(Harness, ACaseWithoutUndisturbedSamplesEnds) {
  // One burst after the other, and steps that outlast every time slice.
  const auto busy = known_answers::virtual_machine_from(
      "L=1us,work=1ms,burst_every=1us,burst_min=1s,burst_max=2s,burst_seen=1");
  for (const Json& row : rows_of({.budget_s = 0.5}, 2, 0, nullptr, busy)) {
    EXPECT_FALSE(row["row"] == "sample" && row["quantity"] == "long");
    if (row["row"] == "case_end") {
      EXPECT_EQ(row["ended_by"], "budget");
    }
  }
}

}  // namespace
}  // namespace stretto::measure
