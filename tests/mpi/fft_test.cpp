// SPDX-License-Identifier: BSD-3-Clause
// Distributed transforms give the results of FFTW on one process, over every transport and in every schedule.
#include "fft_checks.hpp"

namespace stretto::fft {
namespace {

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

TEST_P(Fft, EqualsFftw) {
  Runtime runtime(MPI_COMM_WORLD);
  for (const Order order : {Order::natural, Order::transposed}) {
    Settings wanted = settings({7, 11, 13});
    wanted.order = order;
    Plan plan(runtime, wanted);
    check_complex(plan, false);
    check_complex(plan, true);
  }
}

TEST_P(Fft, RealTransformsGiveHalfTheSpectrum) {
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

// Enough planes for all ranks; one plane per rank; and two planes for some ranks.
TEST_P(Fft, OnAGridIsTheSame) {
  Runtime runtime(MPI_COMM_WORLD);
  const std::array<int, 2> grid = grid_of(runtime);
  const auto p1 = static_cast<std::size_t>(grid[0]);
  for (const Size& size : {Size{5, 7, 11}, Size{p1, 9, 12}, Size{2 * p1 - 1, 11, 7}}) {
    for (const Order order : {Order::natural, Order::transposed}) {
      Settings wanted = settings(size);
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
}

TEST_P(Fft, ABatchEqualsItsSingleTransforms) {
  Runtime runtime(MPI_COMM_WORLD);
  Settings wanted = settings({4, 6, 5});
  wanted.batch = 3;
  Plan plan(runtime, wanted);
  check_complex(plan, false);
}

// One row, shares that differ, and columns that do not fill whole tiles.
TEST(FftSizes, OfAnyFactorisation) {
  Runtime runtime(MPI_COMM_WORLD);
  for (const Size& size : std::vector<Size>{{8, 8, 8}, {4, 31, 1}, {13, 5, 70}}) {
    Plan complex(runtime, {.size = size, .effort = Effort::estimate});
    check_complex(complex, false);
    Plan real(runtime, {.size = size, .kind = Kind::real, .effort = Effort::estimate});
    check_real(real);
  }
}

TEST(FftBetweenNodes, IsTheSameByMessages) {
  Runtime runtime(MPI_COMM_WORLD, {.node_ranks = 1});
  const std::array<int, 2> grid = grid_of(runtime);
  const std::array<int, 2> slabs{runtime.size(), 1};
  const auto p1 = static_cast<std::size_t>(grid[0]);
  for (const auto& [size, on] :
       {std::pair{Size{9, 8, 40}, slabs}, std::pair{Size{9, 8, 40}, grid}, std::pair{Size{p1, 8, 40}, grid},
        std::pair{Size{2 * p1 - 1, 7, 41}, grid}}) {
    for (const char* schedule : {"packed-slabs", "slabs", "pencils"}) {
      for (const Order order : {Order::natural, Order::transposed}) {
        const Settings wanted{.size = size,
                              .order = order,
                              .schedule = schedule_from(schedule),
                              .effort = Effort::estimate,
                              .grid = on};
        Plan plan(runtime, wanted);
        for (int round = 0; round < 2; ++round) check_complex(plan, round % 2 == 1);
      }
    }
  }
}

}  // namespace
}  // namespace stretto::fft
