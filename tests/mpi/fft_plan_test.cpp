// SPDX-License-Identifier: BSD-3-Clause
// The properties that a plan reports (grid, messages, memory), its work beyond the transform, and the
// requests that it refuses.
#include <limits>
#include <memory>
#include <numeric>
#include <stretto/error.hpp>

#include "fft_checks.hpp"

namespace stretto::fft {
namespace {

TEST(FftPlan, ChoosesAGridForMoreRanksThanPlanes) {
  Runtime runtime(MPI_COMM_WORLD);
  Plan plan(runtime, {.size = {2, 9, 8}, .effort = Effort::estimate});
  EXPECT_EQ(plan.settings().grid[0] <= 2, true);
  EXPECT_EQ(plan.settings().grid[0] * plan.settings().grid[1], runtime.size());
  check_complex(plan, false);
}

TEST(FftPlan, SendsAsManyMessagesAsItsScheduleSays) {
  Runtime runtime(MPI_COMM_WORLD);
  const auto others = static_cast<std::uint64_t>(runtime.size() - 1);
  const std::size_t n0 = 4 * static_cast<std::size_t>(runtime.size());
  const std::size_t n1 = 8 * static_cast<std::size_t>(runtime.size());
  const std::string chunks = "chunks=" + std::to_string(2 * runtime.size());
  for (const auto& [schedule, each] : std::vector<std::pair<std::string, std::uint64_t>>{
           {"packed-slabs", 1}, {"slabs", 4}, {"pencils", 4 * 8}, {chunks, 4 * 2}}) {
    Plan plan(runtime, {.size = {n0, n1, 4},
                        .order = Order::transposed,
                        .schedule = schedule_from(schedule),
                        .effort = Effort::estimate});
    std::vector<Complex> in(plan.input().elements());
    std::vector<Complex> out(plan.spectrum().elements());
    plan.forward(std::span<const Complex>(in), out);
    EXPECT_EQ(plan.messages(), others * each) << schedule;
  }
}

TEST(FftPlan, SendsAsManyMessagesOnAGrid) {
  Runtime runtime(MPI_COMM_WORLD);
  const std::array<int, 2> grid = grid_of(runtime);
  const auto in_row = static_cast<std::uint64_t>(grid[1] - 1);
  const auto in_column = static_cast<std::uint64_t>(grid[0] - 1);
  // 4 planes of n0 a rank, each in `rows` before the transpose, and for each rank of the column in `there`.
  const std::size_t n0 = 4 * static_cast<std::size_t>(grid[0]);
  const std::size_t n1 = 24;
  const std::uint64_t rows = n1 / static_cast<std::uint64_t>(grid[1]);
  const std::uint64_t there = n1 / static_cast<std::uint64_t>(grid[0]);
  struct Expected {
    const char* schedule;
    std::uint64_t along_row;
    std::uint64_t along_column;
  };
  for (const auto& [schedule, along_row, along_column] :
       {Expected{"packed-slabs", 4, 1}, {"slabs", 4, 4}, {"pencils", 4 * rows, 4 * there}}) {
    Plan plan(runtime, {.size = {n0, n1, 12},
                        .order = Order::transposed,
                        .schedule = schedule_from(schedule),
                        .effort = Effort::estimate,
                        .grid = grid});
    std::vector<Complex> in(plan.input().elements());
    std::vector<Complex> out(plan.spectrum().elements());
    plan.forward(std::span<const Complex>(in), out);
    if (grid[1] > 1) {
      EXPECT_EQ(plan.messages(), in_row * along_row + in_column * along_column) << schedule;
    }
  }
}

// Every block has two segments and a rest, whether it is a row of 1152 bytes or a whole plane.
TEST(FftPlan, CopiesNoBlockOfTwoSegmentsAndMore) {
#ifdef STRETTO_SIMGRID
  const std::vector<Progress> all_progress{Progress::poll};
#else
  const std::vector<Progress> all_progress{Progress::thread, Progress::poll};
#endif
  for (const Progress progress : all_progress) {
    Runtime runtime(MPI_COMM_WORLD, {.progress = progress, .segment_bytes = 512, .node_ranks = 1});
    if (runtime.size() == 1) return;
    for (const char* schedule : {"slabs", "pencils", "packed-slabs", "chunks=9"}) {
      for (const Order order : {Order::natural, Order::transposed}) {
        runtime.reset_counters();
        Plan plan(runtime, {.size = {8, 12, 72},
                            .order = order,
                            .schedule = schedule_from(schedule),
                            .effort = Effort::estimate});
        check_complex(plan, false);
        const Counters counted = runtime.counters();
        const std::string one = std::string(schedule) + ", progress " + std::string(to_string(progress));
        EXPECT_EQ(counted[Path::direct].bytes, 0U) << one;
        EXPECT_GT(counted[Path::message].bytes + counted[Path::rma].bytes, 0U) << one;
        for (const Path path : {Path::message, Path::rma}) EXPECT_EQ(counted[path].copied_bytes, 0U) << one;
      }
    }
  }
}

TEST(FftPlan, TransformsInItsOwnStorage) {
  Runtime runtime(MPI_COMM_WORLD);
  Plan plan(runtime, {.size = {8, 9, 10}, .effort = Effort::estimate});
  const std::span<Complex> storage = plan.storage();
  ASSERT_EQ(storage.size(), plan.input().elements());
  std::vector<Complex> in(storage.size());
  visit(plan.input(), plan.settings().size, false,
        [&](std::size_t global, std::size_t here) { in[here] = value_at(global, Kind::complex); });
  plan.forward(std::span<const Complex>(in), storage);
  plan.inverse(std::span<const Complex>(storage), storage);
  for (std::size_t i = 0; i < in.size(); ++i) EXPECT_LE(std::abs(storage[i] / 720.0 - in[i]), 1e-12);
}

TEST(FftPlan, CallsBeforePlaneJustBeforeReading) {
  Runtime runtime(MPI_COMM_WORLD);
  Plan plan(runtime, {.size = {8, 6, 5}, .effort = Effort::estimate});
  const std::size_t plane_elements = 30;
  std::vector<Complex> in(plan.input().elements());
  std::vector<Complex> out(plan.spectrum().elements());
  std::vector<std::size_t> seen;
  plan.forward(std::span<const Complex>(in), out, [&](std::size_t plane) {
    seen.push_back(plane);
    std::fill_n(in.begin() + static_cast<std::ptrdiff_t>(plane * plane_elements), plane_elements, Complex(1));
  });
  std::vector<std::size_t> each(plan.input().count[0]);
  std::iota(each.begin(), each.end(), std::size_t{0});
  EXPECT_EQ(seen, each);
  if (runtime.rank() == 0) {
    EXPECT_LE(std::abs(out[0] - Complex(240)), 1e-9);  // the sum of all
  }
}

TEST(FftPlan, ItsCallbackMayFreeIt) {
  Runtime runtime(MPI_COMM_WORLD);
  for (const Order order : {Order::natural, Order::transposed}) {
    const Settings settings{.size = {8, 6, 5}, .order = order, .effort = Effort::estimate};
    auto plan = std::make_unique<Plan>(runtime, settings);
    Plan other(runtime, settings);
    std::vector<Complex> in(plan->input().elements());
    for (std::size_t i = 0; i < in.size(); ++i) in[i] = value_at(i, Kind::complex);
    std::vector<Complex> expected(plan->spectrum().elements());
    std::vector<Complex> out(expected.size());
    other.forward(std::span<const Complex>(in), expected);
    plan->forward(std::span<const Complex>(in), out, [&](std::size_t) { plan.reset(); });
    EXPECT_EQ(plan, nullptr);
    EXPECT_EQ(out, expected);
  }
}

TEST(FftPlan, ItsCallbackCannotCallIt) {
  Runtime runtime(MPI_COMM_WORLD);
  Plan plan(runtime, {.size = {8, 6, 5}, .effort = Effort::estimate});
  std::vector<Complex> in(plan.input().elements(), Complex(1));
  std::vector<Complex> out(plan.spectrum().elements());
  plan.forward(std::span<const Complex>(in), out,
               [&](std::size_t) { EXPECT_THROW(plan.forward(std::span<const Complex>(in), out), Error); });
  if (runtime.rank() == 0) {
    EXPECT_LE(std::abs(out[0] - Complex(240)), 1e-9);  // the sum of all
  }
}

#ifndef STRETTO_SIMGRID  // whose ranks are one thread, and share what unwinds in it: this does not end
TEST(FftPlan, AfterAnExceptionItCanOnlyBeFreed) {
  Runtime runtime(MPI_COMM_WORLD);
  Plan plan(runtime, {.size = {8, 6, 5}, .effort = Effort::estimate});
  std::vector<Complex> in(plan.input().elements());
  std::vector<Complex> out(plan.spectrum().elements());
  const auto fail = [](std::size_t) { throw std::runtime_error("of the callback"); };
  EXPECT_THROW(plan.forward(std::span<const Complex>(in), out, fail), std::runtime_error);
  EXPECT_THROW(plan.forward(std::span<const Complex>(in), out), Error);
}
#endif

TEST(FftPlan, PassesNanOn) {
  Runtime runtime(MPI_COMM_WORLD);
  Plan plan(runtime, {.size = {8, 8, 8}, .effort = Effort::estimate});
  std::vector<Complex> in(plan.input().elements());
  if (runtime.rank() == 0) in[0] = std::numeric_limits<double>::quiet_NaN();
  plan.forward(std::span<const Complex>(in), in);
  for (const Complex& value : in) EXPECT_TRUE(std::isnan(value.real()));
}

TEST(FftPlan, TunesToOneOfItsSchedulesOnAllRanks) {
  Runtime runtime(MPI_COMM_WORLD);
  Plan plan = Plan::tuned(runtime, {.size = {16, 16, 16}, .effort = Effort::estimate});
  int shape = static_cast<int>(plan.settings().schedule.shape);
  int largest = shape;
  MPI_Allreduce(MPI_IN_PLACE, &largest, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
  EXPECT_EQ(shape, largest);
  check_complex(plan, false);
}

TEST(FftMisuse, NamesTheInvalidArgument) {
  Runtime runtime(MPI_COMM_WORLD);
  const auto refused = [&](const Settings& settings) {
    EXPECT_THROW(Plan(runtime, settings), ArgumentError);
  };
  refused({.size = {0, 8, 8}});
  refused({.size = {8, 8, 8}, .batch = 0});
  refused({.size = {8, 8, 8}, .grid = {runtime.size() + 1, 1}});
  refused({.size = {1, 1, 8}, .grid = {1, 2 * runtime.size()}});
  EXPECT_THROW((void)schedule_from("slab"), ArgumentError);
  EXPECT_THROW((void)schedule_from("chunks="), ArgumentError);
  EXPECT_THROW((void)schedule_from("chunks=-3"), ArgumentError);
  if (runtime.size() > 1) {
    refused({.size = {8, 8, 8}, .schedule = {Schedule::Shape::chunks, 1}});
    refused({.size = {1, 1, 1}});
  }
  Plan plan(runtime, {.size = {8, 8, 8}, .effort = Effort::estimate});
  std::vector<Complex> right(plan.input().elements());
  std::vector<Complex> wrong(right.size() + 1);
  std::vector<double> real(right.size());
  EXPECT_THROW(plan.forward(std::span<const Complex>(wrong), right), ArgumentError);
  EXPECT_THROW(plan.inverse(std::span<const Complex>(right), std::span(wrong)), ArgumentError);
  EXPECT_THROW(plan.forward(std::span<const double>(real), right), ArgumentError);
  // In place, the first array's 5 complex numbers a row would reach into the second one's 8 real ones.
  Plan two(runtime, {.size = {8, 8, 8}, .kind = Kind::real, .effort = Effort::estimate, .batch = 2});
  std::vector<Complex> rows(2 * two.spectrum().elements());
  const auto* reals = reinterpret_cast<const double*>(rows.data());
  EXPECT_THROW(two.forward(std::span(reals, 2 * two.input().elements()), rows), ArgumentError);
}

/// Plans of different settings would wait for each other's messages.
TEST(FftMisuse, SettingsThatDifferBetweenRanksAreRefusedOnAll) {
  Runtime runtime(MPI_COMM_WORLD);
  if (runtime.size() == 1) return;  // a rank cannot differ from itself
  const Settings usual{.size = {8, 8, 8}, .effort = Effort::estimate};
  const auto refused = [&](Settings different) {
    different.size = {8, 8, different.size[2] == 0 ? 8 : different.size[2]};
    different.effort = Effort::estimate;
    EXPECT_THROW(Plan(runtime, runtime.rank() == 0 ? different : usual), ArgumentError);
  };
  refused({.size = {8, 8, 4}});
  refused({.kind = Kind::real});
  refused({.order = Order::transposed});
  refused({.transport = Transport::two_sided});
  refused({.schedule = {Schedule::Shape::pencils}});
  refused({.batch = 2});
  const Plan plan(runtime, usual);
}

TEST(FftMisuse, UseAfterItsRuntimeIsAnError) {
  auto runtime = std::make_unique<Runtime>(MPI_COMM_WORLD);
  Plan plan(*runtime, {.size = {8, 8, 8}, .transport = Transport::two_sided, .effort = Effort::estimate});
  std::vector<Complex> data(plan.input().elements());
  runtime->finalize();
  EXPECT_THROW(plan.forward(std::span<const Complex>(data), data), FinalizedError);
}

}  // namespace
}  // namespace stretto::fft
