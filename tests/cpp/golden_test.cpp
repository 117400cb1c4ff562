// SPDX-License-Identifier: BSD-3-Clause
// The writers' output equals the files of the readers' tests (tests/python/data) byte by byte.
#include <gtest/gtest.h>

#include <fstream>

#include "record/sample_file.hpp"
#include "temporary_path.hpp"

namespace stretto::record {
namespace {

std::vector<std::string> lines_of(const std::filesystem::path& path) {
  std::ifstream file(path);
  std::vector<std::string> lines;
  for (std::string line; std::getline(file, line);) lines.push_back(line);
  return lines;
}

void write_one_row_of_every_kind(SampleFile& file) {
  file.append(Header{
      .created_utc = "2026-11-21T05:30:00Z",
      .command = {"stretto-probe", "overlap", "-o", "samples.jsonl"},
      .revision = "0123abc",
      .on = "emulated",
      .mpi = {.family = "mpich", .library = "MPICH Version: 5.0.2", .standard = "5.0"},
      .hosts = {"emulated-0", "emulated-1"},
      .cpu = "A \"quoted\" processor",
      .locality = "remote",
      .ranks = 2,
      .cases = 1,
      .clock = {.name = "CLOCK_MONOTONIC",
                .resolution_s = 2e-8,
                .overhead_s = 2.5e-8,
                .offset_s = {0, 1.5e-6},
                .offset_error_s = 4e-6},
      .network = "htb 500mbit",
      .settings = {{"max_noise", 0.03}, {"seed", std::int64_t{1}}, {"probes", std::string{"overlap"}}}});
  file.append_line(R"({"row":"bound","direction":"one-way","size_bytes":1048576,"transfer_s":0.0175,)"
                   R"("value":0.95,"ci95_low":0.93,"ci95_high":0.97,"n":5})");
  file.append(Skipped{.probe = "overlap", .transport = "mpi-rma", .reason = "has no progress 'thread'"});
  file.append(Load{.host = "emulated-0",
                   .when = "before",
                   .seconds = 0.3,
                   .cores = 2,
                   .ranks = 2,
                   .others_cores = 0.25,
                   .stolen_cores = 0.125,
                   .waiting_share = 0.5,
                   .runnable = 3});
  file.append(NoiseFloor{.value_s = 6e-8, .n = 101});
  file.append(WorkRate{.work_kind = "register",
                       .seconds_per_count = 1.75e-8,
                       .ci95_low = 1.7e-8,
                       .ci95_high = 1.8e-8,
                       .n = 15});
  const Fields axes{{"transport", std::string{"mpi-two-sided"}}, {"operation", std::string{"send"}},
                    {"progress", std::string{"none"}},           {"side", std::string{"both"}},
                    {"direction", std::string{"one-way"}},       {"size_bytes", std::int64_t{1048576}},
                    {"work_kind", std::string{"register"}},      {"ratio", 0.5},
                    {"work_count", std::int64_t{500000}}};
  const auto sample = [&](const std::string& quantity, double time_s, std::int64_t messages,
                          const Segments& spent) {
    file.append(Sample{.probe = "overlap",
                       .quantity = quantity,
                       .time_s = time_s,
                       .messages = messages,
                       .ranks = 2,
                       .axes = axes,
                       .mean = spent,
                       .largest = spent});
  };
  sample("T_c", 0.0175, 1, {.init_s = 1e-5, .sync_s = 0.01749});
  sample("T_w", 0.00875, 0, {.work_s = 0.00875});
  file.append(Sample{.probe = "overlap",
                     .quantity = "T_t",
                     .time_s = 0.03125,
                     .messages = 1,
                     .ranks = 2,
                     .axes = axes,
                     .visit = 1,
                     .lost_s = 0.0125,
                     .switches = 3,
                     .disturbed = true});
  sample("T_t", 0.0185, 1, {.init_s = 1e-5, .work_s = 0.009, .sync_s = 0.00949});
  file.append(Traffic{.probe = "overlap",
                      .quantity = "T_c",
                      .origin = 0,
                      .target = 1,
                      .path = "message",
                      .steps = 1,
                      .operations = 1,
                      .bytes = 1048576,
                      .messages = 16});
  file.append(Checked{.probe = "overlap", .transfers = 2, .wrong = 0});
  file.append(CaseEnd{
      .probe = "overlap", .ended_by = "budget", .rounds = 1, .discarded = 2, .visits = 2, .disturbed = 1});
  file.finish();
}

TEST(Golden, SamplesRoundTrip) {
  const stretto::testing::TemporaryPath path;
  SampleFile file(path.get());
  write_one_row_of_every_kind(file);
  EXPECT_EQ(path.lines(), lines_of(std::filesystem::path{STRETTO_GOLDEN} / "samples-written.jsonl"));
}

}  // namespace
}  // namespace stretto::record
