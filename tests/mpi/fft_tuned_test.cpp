// SPDX-License-Identifier: BSD-3-Clause
// The schedule that a profile chooses, which is equal on all ranks, and the prediction for a schedule.
#include <gtest/gtest.h>
#include <mpi.h>

#include <fstream>
#include <optional>
#include <stretto/error.hpp>
#include <stretto/fft.hpp>
#include <stretto/runtime.hpp>
#include <string>
#include <vector>

#include "../cpp/temporary_path.hpp"
#include "fft/predicted.hpp"

namespace stretto::fft {
namespace {

/// A machine with these overheads and this eta, 100 MB/s and 1 Gflop/s, over this transport.
std::string machine(const std::string& transport, double overhead_s, double eta,
                    const std::string& progress = "none") {
  const std::string operation = transport == "mpi-two-sided" ? "send" : "put";
  const std::string way =
      R"("transport":")" + transport + R"(","operation":")" + operation + R"(","locality":"remote")";
  return R"({"schema":"stretto.profile/1.0","loggp":[{)" + way +
         R"(,"ranges":[{"size_min_bytes":0,"size_max_bytes":1073741824,"latency_s":1e-6,"gap_s_per_byte":1e-8,)" +
         R"("overhead_send_s":)" + std::to_string(overhead_s) + R"(}]}],"overlap":[{)" + way +
         R"(,"direction":"both-ways","side":"both","ratio":1,"size_bytes":65536,"progress":")" + progress +
         R"(","eta":)" + std::to_string(eta) +
         R"(}],"compute":[{"work_kind":"fft","row_length":16,"seconds_per_count":1e-9}]})";
}

/// The schedule that a plan is tuned to by this profile, which only rank 0 has.
Schedule tuned_by(Runtime& runtime, const std::string& profile, const Settings& settings) {
  std::optional<stretto::testing::TemporaryPath> file;
  if (runtime.rank() == 0) std::ofstream(file.emplace().get()) << profile;
  return Plan::tuned(runtime, settings, file ? file->get().string() : "").settings().schedule;
}

TEST(FftTuned, ChoosesByAProfileTheSameOnAllRanks) {
  using Shape = Schedule::Shape;
  Runtime runtime(MPI_COMM_WORLD);
  if (runtime.size() == 1) return;  // one schedule is as the other
  Settings wanted{.size = {32, 32, 16}, .effort = Effort::estimate};
  for (const auto& [transport, name] :
       std::vector<std::pair<Transport, std::string>>{{Transport::one_sided, "stretto"},
                                                      {Transport::mpi_rma, "mpi-rma"},
                                                      {Transport::two_sided, "mpi-two-sided"}}) {
    wanted.transport = transport;
    // Offload and messages for nothing: they leave as early as they can. Nothing hides, and each is dear:
    // few.
    const std::string progress{name == "stretto" ? to_string(runtime.progress()) : "none"};
    const Schedule early = tuned_by(runtime, machine(name, 0, 1, progress), wanted);
    EXPECT_NE(early.shape, Shape::packed_slabs) << name;
    const Schedule few = tuned_by(runtime, machine(name, 0.01, 0, progress), wanted);
    EXPECT_EQ(few.shape, Shape::packed_slabs) << name;
  }
}

TEST(FftTuned, RefusesInvalidProfilesAndMeasuresWhereTheyLackParameters) {
  Runtime runtime(MPI_COMM_WORLD);
  const Settings wanted{.size = {16, 16, 16}, .effort = Effort::estimate};
  if (runtime.size() > 1) {
    EXPECT_THROW((void)tuned_by(runtime, "no profile", wanted), Error);
    EXPECT_THROW(
        (void)tuned_by(runtime, R"({"schema":"stretto.profile/1.0","loggp":[{"transport":3}]})", wanted),
        Error);
  }
  // On a named grid, where the profile leaves no choice.
  EXPECT_THROW(
      (void)tuned_by(runtime, machine("stretto", 0, 1), {.size = {0, 8, 8}, .grid = {runtime.size(), 1}}),
      ArgumentError);
  const std::string silent = machine("mpi-rma", 0, 1);
  EXPECT_NO_THROW((void)tuned_by(runtime, silent, wanted));
}

// By hand: columns and rows, o_s, L and the bytes, and what comes after them.
TEST(FftPredicted, AddsTimesThatCannotOverlap) {
  const profile::MachineCosts costs{
      .path = {.ranges = {{.loggp = {.latency_s = 1e-3, .overhead_send_s = 1e-4, .gap_s_per_byte = 1e-8}}},
               .overlap = {{.size_bytes = 1, .eta = 0.5}}},
      .seconds_per_flop = 1e-9};
  Settings settings{.size = {8, 8, 8}, .order = Order::transposed};
  const double lines = 64 * 5 * 8 * 3 * 1e-9 / 2;  // of a rank along one axis
  const double message = 4 * 4 * 8 * 16;
  const double once = 1e-4 + 1e-3 + (message - 1) * 1e-8;
  const auto predicted = [&](Completion completion) { return predicted_s(settings, 2, costs, completion); };
  settings.schedule.shape = Schedule::Shape::packed_slabs;
  EXPECT_NEAR(predicted(Completion::arrival), 3 * lines + once, 1e-12);
  EXPECT_NEAR(predicted(Completion::acknowledgement), 3 * lines + once + 1e-3, 1e-12);
  settings.order = Order::natural;
  EXPECT_NEAR(predicted(Completion::arrival), 3 * lines + 2 * once, 1e-12);
}

}  // namespace
}  // namespace stretto::fft
