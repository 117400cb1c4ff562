// SPDX-License-Identifier: BSD-3-Clause
// Distributed transforms give what FFTW gives on one process, over every transport and in every schedule.
#include <fftw3.h>
#include <gtest/gtest.h>
#include <mpi.h>

#include <cmath>
#include <fstream>
#include <limits>
#include <numeric>
#include <optional>
#include <stretto/error.hpp>
#include <stretto/fft.hpp>
#include <stretto/runtime.hpp>
#include <vector>

#include "../cpp/temporary_path.hpp"
#include "kernel/fft/predicted.hpp"

namespace stretto::fft {
namespace {

using Size = std::array<std::size_t, 3>;

std::size_t volume(const Size& size) { return size[0] * size[1] * size[2]; }

/// A number between -1 and 1 that depends on every bit of the place.
double noise(std::uint64_t place) {
  place += 0x9E3779B97F4A7C15U;
  place = (place ^ (place >> 30U)) * 0xBF58476D1CE4E5B9U;
  place = (place ^ (place >> 27U)) * 0x94D049BB133111EBU;
  return static_cast<double>(place >> 11U) * 0x1p-52 - 1;
}

Complex value_at(std::uint64_t place, Kind kind) {
  return {noise(2 * place), kind == Kind::complex ? noise(2 * place + 1) : 0};
}

/// Visits every element of a box as (index in the whole array, index in this rank's memory).
template <typename Visit>
void visit(const Box& box, const Size& size, bool transposed, Visit&& each) {
  std::size_t here = 0;
  const std::size_t outer = transposed ? 1 : 0;
  const std::size_t middle = 1 - outer;
  Size at{};
  for (std::size_t i = 0; i < box.count[outer]; ++i) {
    for (std::size_t j = 0; j < box.count[middle]; ++j) {
      for (std::size_t k = 0; k < box.count[2]; ++k) {
        at[outer] = box.first[outer] + i;
        at[middle] = box.first[middle] + j;
        at[2] = box.first[2] + k;
        each((at[0] * size[1] + at[1]) * size[2] + at[2], here++);
      }
    }
  }
}

/// The transform by FFTW in one piece, of array number `index` of a batch.
std::vector<Complex> reference(const Size& size, Kind kind, std::size_t index) {
  std::vector<Complex> whole(volume(size));
  for (std::size_t i = 0; i < whole.size(); ++i) whole[i] = value_at(i + index * whole.size(), kind);
  auto* data = reinterpret_cast<fftw_complex*>(whole.data());
  fftw_plan plan = fftw_plan_dft_3d(static_cast<int>(size[0]), static_cast<int>(size[1]),
                                    static_cast<int>(size[2]), data, data, FFTW_FORWARD, FFTW_ESTIMATE);
  fftw_execute(plan);
  fftw_destroy_plan(plan);
  return whole;
}

double norm(const std::vector<Complex>& values) {
  return std::sqrt(std::accumulate(values.begin(), values.end(), 0.0,
                                   [](double sum, const Complex& value) { return sum + std::norm(value); }));
}

double sum_over_ranks(double value) {
  MPI_Allreduce(MPI_IN_PLACE, &value, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
  return value;
}

/// Forward against the reference, Parseval, and back again; out of place, or in place in one array.
void check_complex(Plan& plan, bool in_place) {
  const Size size = plan.settings().size;
  const std::size_t mine = plan.input().elements();
  const std::size_t theirs = plan.spectrum().elements();
  const std::size_t batch = plan.settings().batch;
  const bool transposed = plan.settings().order == Order::transposed;
  std::vector<Complex> in(in_place ? batch * std::max(mine, theirs) : batch * mine);
  std::vector<Complex> apart(in_place ? 0 : batch * theirs);
  std::vector<Complex>& out = in_place ? in : apart;
  for (std::size_t index = 0; index < batch; ++index) {
    visit(plan.input(), size, false, [&](std::size_t global, std::size_t here) {
      in[index * mine + here] = value_at(global + index * volume(size), Kind::complex);
    });
  }
  plan.forward(std::span<const Complex>(in.data(), batch * mine), std::span(out.data(), batch * theirs));
  double energy = 0;
  double expected_energy = 0;
  for (std::size_t index = 0; index < batch; ++index) {
    const std::vector<Complex> whole = reference(size, Kind::complex, index);
    double error = 0;
    visit(plan.spectrum(), size, transposed, [&](std::size_t global, std::size_t here) {
      error += std::norm(out[index * theirs + here] - whole[global]);
      energy += std::norm(out[index * theirs + here]);
    });
    EXPECT_LE(std::sqrt(error), 1e-12 * norm(whole)) << "array " << index;
    for (std::size_t i = 0; i < whole.size(); ++i) {
      expected_energy += std::norm(value_at(i + index * whole.size(), Kind::complex));
    }
  }
  EXPECT_NEAR(sum_over_ranks(energy) / static_cast<double>(volume(size)), expected_energy,
              1e-12 * expected_energy)
      << "Parseval";
  std::vector<Complex> back_apart(in_place ? 0 : batch * mine);
  std::vector<Complex>& back = in_place ? in : back_apart;
  plan.inverse(std::span<const Complex>(out.data(), batch * theirs), std::span(back.data(), batch * mine));
  double worst = 0;
  for (std::size_t index = 0; index < batch; ++index) {
    visit(plan.input(), size, false, [&](std::size_t global, std::size_t here) {
      const Complex scaled = back[index * mine + here] / static_cast<double>(volume(size));
      worst = std::max(worst, std::abs(scaled - value_at(global + index * volume(size), Kind::complex)));
    });
  }
  EXPECT_LE(worst, 1e-12) << "inverse";
}

/// A real array in the memory of its spectrum, there and back.
void check_real_in_place(Plan& plan) {
  const Size size = plan.settings().size;
  const std::size_t mine = plan.input().elements();
  std::vector<Complex> memory(std::max(plan.spectrum().elements(), mine / 2 + 1));
  const std::span<Complex> spectrum(memory.data(), plan.spectrum().elements());
  auto* reals = reinterpret_cast<double*>(memory.data());
  visit(plan.input(), size, false,
        [&](std::size_t global, std::size_t here) { reals[here] = value_at(global, Kind::real).real(); });
  plan.forward(std::span<const double>(reals, mine), spectrum);
  plan.inverse(std::span<const Complex>(spectrum), std::span(reals, mine));
  visit(plan.input(), size, false, [&](std::size_t global, std::size_t here) {
    EXPECT_NEAR(reals[here] / static_cast<double>(volume(size)), value_at(global, Kind::real).real(), 1e-12);
  });
}

void check_real(Plan& plan) {
  const Size size = plan.settings().size;
  std::vector<double> in(plan.input().elements());
  visit(plan.input(), size, false,
        [&](std::size_t global, std::size_t here) { in[here] = value_at(global, Kind::real).real(); });
  const std::vector<double> kept = in;
  std::vector<Complex> out(plan.spectrum().elements());
  plan.forward(std::span<const double>(in), out);
  EXPECT_EQ(in, kept) << "the input was changed";
  const std::vector<Complex> whole = reference(size, Kind::real, 0);
  double error = 0;
  visit(plan.spectrum(), size, plan.settings().order == Order::transposed,
        [&](std::size_t global, std::size_t here) { error += std::norm(out[here] - whole[global]); });
  EXPECT_LE(std::sqrt(error), 1e-12 * norm(whole));
  std::vector<double> back(in.size());
  plan.inverse(std::span<const Complex>(out), std::span(back));
  for (std::size_t i = 0; i < in.size(); ++i) {
    EXPECT_NEAR(back[i] / static_cast<double>(volume(size)), in[i], 1e-12);
  }
}

struct Case {
  Transport transport;
  const char* schedule;
};

void PrintTo(const Case& one, std::ostream* out) { *out << to_string(one.transport) << ' ' << one.schedule; }

class Fft : public ::testing::TestWithParam<Case> {
 protected:
  [[nodiscard]] static Settings settings(const Size& size) {
    return {.size = size,
            .transport = GetParam().transport,
            .schedule = schedule_from(GetParam().schedule),
            .effort = Effort::estimate};
  }
};

INSTANTIATE_TEST_SUITE_P(
    Ways, Fft,
    ::testing::Values(Case{Transport::one_sided, "slabs"}, Case{Transport::one_sided, "packed-slabs"},
                      Case{Transport::one_sided, "pencils"}, Case{Transport::one_sided, "chunks=9"},
                      Case{Transport::mpi_rma, "slabs"}, Case{Transport::two_sided, "pencils"},
                      Case{Transport::two_sided, "packed-slabs"}, Case{Transport::alltoall, "packed-slabs"}));

TEST_P(Fft, GivesWhatFftwGives) {
  Runtime runtime(MPI_COMM_WORLD);
  for (const Order order : {Order::natural, Order::transposed}) {
    Settings wanted = settings({7, 11, 13});
    wanted.order = order;
    Plan plan(runtime, wanted);
    check_complex(plan, false);
    check_complex(plan, true);
  }
}

TEST_P(Fft, OfRealNumbersGivesHalfOfIt) {
  Runtime runtime(MPI_COMM_WORLD);
  for (const Order order : {Order::natural, Order::transposed}) {
    Settings wanted = settings({5, 6, 8});
    wanted.order = order;
    wanted.kind = Kind::real;
    Plan plan(runtime, wanted);
    check_real(plan);
    check_real_in_place(plan);
  }
}

std::array<int, 2> grid_of(const Runtime& runtime) {
  const int p1 = runtime.size() == 4 ? 2 : 1;
  return {p1, runtime.size() / p1};
}

TEST_P(Fft, OnAGridGivesTheSame) {
  Runtime runtime(MPI_COMM_WORLD);
  const std::array<int, 2> grid = grid_of(runtime);
  for (const Order order : {Order::natural, Order::transposed}) {
    Settings wanted = settings({5, 7, 11});
    wanted.order = order;
    wanted.grid = grid;
    Plan complex(runtime, wanted);
    EXPECT_EQ(complex.settings().grid, grid);
    check_complex(complex, false);
    check_complex(complex, true);
    wanted.kind = Kind::real;
    Plan real(runtime, wanted);
    check_real(real);
    check_real_in_place(real);
  }
}

TEST_P(Fft, OfABatchIsThatOfEachOfItsArrays) {
  Runtime runtime(MPI_COMM_WORLD);
  Settings wanted = settings({4, 6, 5});
  wanted.batch = 3;
  Plan plan(runtime, wanted);
  check_complex(plan, false);
}

// One row, shares that differ, and columns that do not fill whole tiles.
TEST(FftSizes, MayBeAnything) {
  Runtime runtime(MPI_COMM_WORLD);
  for (const Size& size : std::vector<Size>{{8, 8, 8}, {4, 31, 1}, {13, 5, 70}}) {
    Plan complex(runtime, {.size = size, .effort = Effort::estimate});
    check_complex(complex, false);
    Plan real(runtime, {.size = size, .kind = Kind::real, .effort = Effort::estimate});
    check_real(real);
  }
}

TEST(FftBetweenNodes, GivesTheSameByMessages) {
  Runtime runtime(MPI_COMM_WORLD, {.node_ranks = 1});
  for (const auto& grid : {std::array{runtime.size(), 1}, grid_of(runtime)}) {
    for (const char* schedule : {"packed-slabs", "slabs", "pencils"}) {
      for (const Order order : {Order::natural, Order::transposed}) {
        Settings wanted{.size = {9, 8, 40},
                        .order = order,
                        .schedule = schedule_from(schedule),
                        .effort = Effort::estimate,
                        .grid = grid};
        Plan plan(runtime, wanted);
        for (int round = 0; round < 2; ++round) check_complex(plan, round % 2 == 1);
      }
    }
  }
}

TEST(FftPlan, TakesAGridWhereThereAreMoreRanksThanPlanes) {
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

// Two copies of the larger of the user's arrays, and on a grid two planes of it: the way along a row.
TEST(FftPlan, HoldsTwoCopiesAtMost) {
  for (const int node_ranks : {0, 1}) {
    Runtime runtime(MPI_COMM_WORLD, {.node_ranks = node_ranks});
    const std::size_t flags = 8192;
    for (const auto& grid : {std::array{runtime.size(), 1}, grid_of(runtime)}) {
      for (const char* schedule : {"packed-slabs", "slabs", "pencils"}) {
        for (const Order order : {Order::natural, Order::transposed}) {
          Plan plan(runtime, {.size = {24, 36, 24},
                              .order = order,
                              .schedule = schedule_from(schedule),
                              .effort = Effort::estimate,
                              .grid = grid});
          const std::size_t larger = std::max(plan.input().elements(), plan.spectrum().elements());
          const std::size_t planes = grid[1] > 1 ? 2 * larger / plan.input().count[0] : 0;
          EXPECT_LE(plan.memory_bytes(), (2 * larger + planes) * sizeof(Complex) + flags) << schedule;
          EXPECT_GE(plan.memory_bytes(), larger * sizeof(Complex));
        }
      }
    }
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

TEST(FftPlan, PreparesEachPlaneJustBeforeItIsRead) {
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

TEST(FftTuned, ChoosesByAProfileOnAllRanksAlike) {
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

TEST(FftTuned, RefusesWhatIsNoProfileAndMeasuresWhereItIsSilent) {
  Runtime runtime(MPI_COMM_WORLD);
  const Settings wanted{.size = {16, 16, 16}, .effort = Effort::estimate};
  if (runtime.size() > 1) {
    EXPECT_THROW((void)tuned_by(runtime, "no profile", wanted), Error);
    EXPECT_THROW(
        (void)tuned_by(runtime, R"({"schema":"stretto.profile/1.0","loggp":[{"transport":3}]})", wanted),
        Error);
  }
  const std::string silent = machine("mpi-rma", 0, 1);
  EXPECT_NO_THROW((void)tuned_by(runtime, silent, wanted));
}

// By hand: columns and rows, o_s, L and the bytes, and what comes after them.
TEST(FftPredicted, AddsUpWhatCannotOverlap) {
  const profile::MachineCosts costs{
      .messages = {{.latency_s = 1e-3, .overhead_send_s = 1e-4, .gap_s_per_byte = 1e-8}},
      .overlap = {{.size_bytes = 1, .eta = 0.5}},
      .seconds_per_flop = 1e-9};
  Settings settings{.size = {8, 8, 8}, .order = Order::transposed};
  const double lines = 64 * 5 * 8 * 3 * 1e-9 / 2;  // of a rank along one axis
  const double message = 4 * 4 * 8 * 16;
  const double once = 1e-4 + 1e-3 + (message - 1) * 1e-8;
  const auto predicted = [&](kernel::Completion completion) {
    return kernel::predicted_s(settings, 2, costs, completion);
  };
  settings.schedule.shape = Schedule::Shape::packed_slabs;
  EXPECT_NEAR(predicted(kernel::Completion::arrival), 3 * lines + once, 1e-12);
  EXPECT_NEAR(predicted(kernel::Completion::acknowledgement), 3 * lines + once + 1e-3, 1e-12);
  settings.order = Order::natural;
  EXPECT_NEAR(predicted(kernel::Completion::arrival), 3 * lines + 2 * once, 1e-12);
}

TEST(FftMisuse, IsRefusedWithTheNameOfWhatIsWrong) {
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

TEST(FftMisuse, AfterItsRuntimeIsAnError) {
  auto runtime = std::make_unique<Runtime>(MPI_COMM_WORLD);
  Plan plan(*runtime, {.size = {8, 8, 8}, .transport = Transport::two_sided, .effort = Effort::estimate});
  std::vector<Complex> data(plan.input().elements());
  runtime->finalize();
  EXPECT_THROW(plan.forward(std::span<const Complex>(data), data), FinalizedError);
}

}  // namespace
}  // namespace stretto::fft
