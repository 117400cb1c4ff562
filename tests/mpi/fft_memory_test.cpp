// SPDX-License-Identifier: BSD-3-Clause
// The memory of a plan, counted at its allocation: at most two copies of the local array for every
// request.
#include <algorithm>
#include <string>

#include "counted_memory.hpp"
#include "fft_checks.hpp"
#include "world_ranks.hpp"

namespace stretto::fft {
namespace {

using stretto::testing::CountedMemory;
using stretto::testing::memory_is_counted;

/// A transport, schedules to try over it, and the ranks of a node; 0: as many as there are.
struct Plans {
  Transport transport;
  std::vector<std::string> schedules;
  int node_ranks = 0;
};

/// Every transport, with schedules that differ over it; one-sided also with one rank a node.
std::vector<Plans> all_plans(int ranks) {
  const std::string chunks = "chunks=" + std::to_string(3 * ranks);
  return {{Transport::one_sided, {"packed-slabs", "slabs", "pencils"}},
          {Transport::one_sided, {"slabs"}, 1},
          {Transport::mpi_rma, {"packed-slabs"}},
          {Transport::two_sided, {chunks}},
          {Transport::alltoall, {"packed-slabs"}}};
}

/// The tiles of a plan, which fit into caches: two of each axis that is transformed in columns.
std::size_t tiles_bytes(const Size& size) {
  const auto tile = [](std::size_t length) {
    return length * (std::clamp<std::size_t>(16384 / length, 8, 64) + 4) * sizeof(Complex);
  };
  return 2 * (tile(size[0]) + tile(size[1]));
}

/// The forward transform out of place, and the backward transform in place.
void run(Plan& plan, std::vector<Complex>& one, std::vector<Complex>& other) {
  const std::size_t batch = plan.settings().batch;
  const std::size_t mine = batch * plan.input().elements();
  const std::span<Complex> spectrum(other.data(), batch * plan.spectrum().elements());
  if (plan.settings().kind == Kind::complex) {
    plan.forward(std::span<const Complex>(one.data(), mine), spectrum);
    plan.inverse(std::span<const Complex>(spectrum), std::span(other.data(), mine));
  } else {
    plan.forward(std::span<const double>(reinterpret_cast<double*>(one.data()), mine), spectrum);
    plan.inverse(std::span<const Complex>(spectrum),
                 std::span(reinterpret_cast<double*>(other.data()), mine));
  }
}

void check_memory(const Settings& wanted, int node_ranks) {
  Runtime runtime(MPI_COMM_WORLD, {.node_ranks = node_ranks});
  const std::size_t capacity = 2 * wanted.batch * volume(wanted.size);
  std::vector<Complex> one(capacity);
  std::vector<Complex> other(capacity);
  const std::string said = std::string(to_string(wanted.transport)) + ' ' + to_string(wanted.schedule) +
                           (wanted.order == Order::natural ? " natural " : " transposed ") +
                           std::to_string(wanted.size[0]) + " planes, nodes of " + std::to_string(node_ranks);
  const CountedMemory counted;
  Plan plan(runtime, wanted);
  run(plan, one, other);
  const std::size_t copy = plan.copy_bytes();
  EXPECT_GE(copy, std::max(plan.input().elements() * (wanted.kind == Kind::real ? 8 : 16),
                           plan.spectrum().elements() * 16))
      << said;
  const std::size_t flags = 16384;
  EXPECT_LE(plan.memory_bytes(), 2 * copy + flags) << said;
  EXPECT_GE(plan.memory_bytes(), copy) << said;
  if (!memory_is_counted()) return;
  // The runtime's records of one transform's messages in progress, which matter for short pencils.
  const std::size_t records = 512 * static_cast<std::size_t>(plan.messages()) / 2;
  const std::size_t rest = tiles_bytes(wanted.size) + records + 131072;
  EXPECT_LE(counted.peak_bytes(), 2 * copy + rest) << said;
  EXPECT_GE(counted.held_bytes(), plan.memory_bytes()) << said;
}

void check_all_plans(Settings wanted) {
  for (const Plans& plans : all_plans(world_size())) {
    for (const std::string& schedule : plans.schedules) {
      for (const Order order : {Order::natural, Order::transposed}) {
        wanted.transport = plans.transport;
        wanted.schedule = schedule_from(schedule);
        wanted.order = order;
        check_memory(wanted, plans.node_ranks);
      }
    }
  }
}

TEST(FftMemory, IsTwoCopiesInSlabs) {
  for (const Kind kind : {Kind::complex, Kind::real}) {
    check_all_plans(
        {.size = {50, 66, 62}, .kind = kind, .effort = Effort::estimate, .grid = {world_size(), 1}});
  }
}

// One plane a rank, which is received and sent as a whole; one or two planes; three.
TEST(FftMemory, IsTwoCopiesOnAGrid) {
  int p1 = 0;
  std::array<int, 2> grid{};
  {
    const Runtime runtime(MPI_COMM_WORLD);
    grid = grid_of(runtime);
    p1 = grid[0];
  }
  const auto planes = static_cast<std::size_t>(p1);
  Settings wanted{.size = {planes, 265, 263}, .effort = Effort::estimate, .grid = grid};
  check_all_plans(wanted);
  wanted.size = {2 * planes - 1, 187, 189};
  wanted.kind = Kind::real;
  check_all_plans(wanted);
  wanted.size = {3 * planes, 187, 189};
  wanted.kind = Kind::complex;
  for (const Order order : {Order::natural, Order::transposed}) {
    wanted.order = order;
    for (const char* schedule : {"slabs", "packed-slabs"}) {
      wanted.schedule = schedule_from(schedule);
      check_memory(wanted, 0);
    }
  }
}

TEST(FftMemory, IsNoMoreForABatch) {
  for (const Order order : {Order::natural, Order::transposed}) {
    check_memory({.size = {64, 64, 60},
                  .order = order,
                  .effort = Effort::estimate,
                  .batch = 3,
                  .grid = {world_size(), 1}},
                 0);
  }
}

}  // namespace
}  // namespace stretto::fft
