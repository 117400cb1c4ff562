// SPDX-License-Identifier: BSD-3-Clause
// The NAS kernels verify in their small classes, in all variants and over all transports. They report a
// failed verification.
#include <gtest/gtest.h>
#include <mpi.h>

#include <bit>
#include <cmath>
#include <limits>
#include <random>
#include <stdexcept>

#include "kernels/kernels.hpp"
#include "kernels/nas/mg_grid.hpp"
#include "kernels/nas/random.hpp"
#include "kernels/nas/sliced_rows.hpp"
#include "world_ranks.hpp"

namespace stretto::kernel {
namespace {

RunResult run(const std::string& name, Request request) {
  const Kernel& kernel = find_kernel(name);
  return kernel.run(checked(kernel, std::move(request)), MPI_COMM_WORLD);
}

const std::map<std::string, std::string> quick{{"effort", "estimate"}};  // of FFTW's planning

TEST(NasFt, VerifiesInAllSchedulesOverAllTransports) {
  for (const char* transport : {"stretto", "mpi-rma", "mpi-two-sided"}) {
    for (const char* variant : {"slabs", "packed-slabs", "pencils", "chunks=8"}) {
      const RunResult result = run("ft", {"S", variant, transport, quick});
      EXPECT_TRUE(result.verified) << variant << " over " << transport;
      EXPECT_GT(result.mops, 0);
    }
  }
  EXPECT_TRUE(run("ft", {"S", "alltoall", "", quick}).verified);
}

TEST(NasFt, VerifiesOnAGridOfRanks) {
  const std::string grid = "1x" + std::to_string(world_size());
  EXPECT_TRUE(run("ft", {"S", "pencils", "", {{"effort", "estimate"}, {"grid", grid}}}).verified);
}

TEST(NasFt, VerifiesInClassW) { EXPECT_TRUE(run("ft", {"W", "", "", quick}).verified); }

TEST(NasFt, SendsTheMessagesOfItsSchedule) {
  const int ranks = world_size();
  // 64 planes leave once forward and six times back, from all ranks together, each to all others.
  EXPECT_EQ(run("ft", {"S", "slabs", "", quick}).messages, 7 * 64 * (ranks - 1));
  EXPECT_EQ(run("ft", {"S", "packed-slabs", "", quick}).messages, 7 * ranks * (ranks - 1));
}

TEST(NasFt, RefusesUnknownOptions) {
  EXPECT_THROW(run("ft", {"X", "", "", {}}), std::invalid_argument);
  EXPECT_THROW(run("ft", {"S", "slab", "", {}}), std::invalid_argument);
  EXPECT_THROW(run("ft", {"S", "chunks=zwei", "", {}}), std::invalid_argument);
  EXPECT_THROW(run("ft", {"S", "", "pigeons", {}}), std::invalid_argument);
  EXPECT_THROW(run("ft", {"S", "", "", {{"effort", "none"}}}), std::invalid_argument);
  for (const char* grid : {"2", "2x", "0x0", "99x99"}) {
    EXPECT_THROW(run("ft", {"S", "", "", {{"grid", grid}}}), std::invalid_argument) << grid;
  }
}

/// The kernels that exchange with their neighbours have the same variants.
void verifies_in_all_variants(const std::string& name, std::initializer_list<const char*> transports) {
  EXPECT_TRUE(run(name, {"S", "two-sided", "", {}}).verified);
  EXPECT_THROW(run(name, {"S", "two-sided", "stretto", {}}), std::invalid_argument);
  for (const char* transport : transports) {
    for (const char* variant : {"blocking", "nonblocking"}) {
      const RunResult result = run(name, {"S", variant, transport, {}});
      EXPECT_TRUE(result.verified) << name << " " << variant << " over " << transport;
      EXPECT_GT(result.mops, 0);
    }
  }
}

/// Thousands of exchanges: where ranks share cores, those that wait for a barrier take minutes.
TEST(NasCg, VerifiesInAllVariants) {
  if (world_size() > 2) {
    verifies_in_all_variants("cg", {"stretto"});
  } else {
    verifies_in_all_variants("cg", {"stretto", "mpi-rma", "mpi-two-sided"});
  }
}

TEST(NasCg, VerifiesInClassW) {
  if (world_size() > 3) return;
  EXPECT_TRUE(run("cg", {"W", "nonblocking", "", {}}).verified);
}

bool suits_mg() { return std::has_single_bit(static_cast<unsigned>(world_size())); }

TEST(NasMg, VerifiesInAllVariants) {
  if (suits_mg()) verifies_in_all_variants("mg", {"stretto", "mpi-rma", "mpi-two-sided"});
}

TEST(NasMg, VerifiesInClassW) {
  if (!suits_mg()) return;
  EXPECT_TRUE(run("mg", {"W", "nonblocking", "", {}}).verified);
}

TEST(NasMg, SendsTheMessagesOfItsVariant) {
  if (!suits_mg() || world_size() > 4) return;
  // Four cycles in class S, where one level is cut: a rank tells both halos, folds, and gathers. On a grid of
  // 2 x 2 eight pieces of a halo go at once, or two along each axis.
  const int gathers = world_size() == 4 ? 2 : 1;
  const int folds = world_size() == 4 ? 3 : 1;
  const int halo = world_size() == 4 ? 8 : 2;
  const int halo_by_axis = world_size() == 4 ? 4 : 2;
  const int all = world_size() == 1 ? 0 : 4 * world_size();
  EXPECT_EQ(run("mg", {"S", "nonblocking", "", {}}).messages, all * (2 * halo + folds + gathers));
  EXPECT_EQ(run("mg", {"S", "blocking", "", {}}).messages, all * (2 * halo_by_axis + folds + gathers));
}

TEST(NasMg, RefusesRanksThatAreNoPowerOfTwo) {
  if (suits_mg()) return;
  EXPECT_THROW(run("mg", {"S", "", "", {}}), std::invalid_argument);
}

TEST(NasMg, RefusesRanksThatWouldHaveLessThanTwoPlanes) {
  EXPECT_THROW(nas::MgGrid(0, 512, 32), std::invalid_argument);
  const nas::MgGrid grid(37, 256, 32);
  EXPECT_EQ(grid.rank(), 37);
  EXPECT_EQ(grid.extent(32).nz, 2);
  EXPECT_EQ(grid.neighbour(-1, 1), 37 + 16 - 1);
}

TEST(NasRandom, SkippingEqualsDrawing) {
  nas::Random one(nas::random_seed);
  nas::Random other(nas::random_seed);
  for (int i = 0; i < 1000; ++i) one.next();
  other.skip(1000);
  EXPECT_EQ(one.next(), other.next());
}

/// Rows of very different lengths, some of them empty.
Csr random_matrix(std::size_t rows, std::size_t columns) {
  std::mt19937_64 random(rows);
  Csr matrix;
  for (std::size_t row = 0; row < rows; ++row) {
    const double density = row % 5 == 0 ? 0.0 : 40.0 / static_cast<double>(columns * (1 + row % 7));
    for (std::uint32_t column = 0; column < columns; ++column) {
      if (std::generate_canonical<double, 53>(random) >= density) continue;
      matrix.column.push_back(column);
      matrix.value.push_back(std::generate_canonical<double, 53>(random) - 0.5);
    }
    matrix.start.push_back(matrix.value.size());
  }
  return matrix;
}

double row_times(const Csr& matrix, std::size_t row, const std::vector<double>& x) {
  double sum = 0;
  for (std::size_t k = matrix.start[row]; k < matrix.start[row + 1]; ++k) {
    sum += matrix.value[k] * x[matrix.column[k]];
  }
  return sum;
}

TEST(NasSlicedRows, MultipliesAsRowByRow) {
  // Blocks of columns: one, several, and numbers of columns that 16 bits do not hold.
  for (const std::size_t columns : {std::size_t{100}, std::size_t{9000}, std::size_t{150'000}}) {
    const Csr matrix = random_matrix(61, columns);
    const SlicedRows sliced(matrix, {0, 13, 13, 61});
    std::vector<double> x(columns);
    for (std::size_t i = 0; i < columns; ++i) x[i] = 1 + static_cast<double>(i % 11);
    std::vector<double> y(61, 3.0);
    sliced.multiply_add(1, x.data(), y.data());  // a part without rows
    EXPECT_EQ(y, std::vector<double>(61, 3.0));
    sliced.multiply_add(2, x.data(), y.data());
    EXPECT_EQ(y[12], 3.0) << "of another part";
    sliced.multiply_add(0, x.data(), y.data());
    for (std::size_t row = 0; row < 61; ++row) {
      EXPECT_NEAR(y[row], 3.0 + row_times(matrix, row, x), 1e-12) << row << " of " << columns;
    }
  }
}

TEST(NasSlicedRows, KeepNaNToRowsThatHaveItsColumn) {
  const Csr matrix = random_matrix(61, 3000);
  const SlicedRows sliced(matrix, {0, 61});
  std::vector<double> x(3000, 1.0);
  for (std::size_t i = 0; i < x.size(); i += 10) x[i] = std::numeric_limits<double>::quiet_NaN();
  std::vector<double> y(61, 0.0);
  sliced.multiply_add(0, x.data(), y.data());
  for (std::size_t row = 0; row < 61; ++row) {
    EXPECT_EQ(std::isnan(y[row]), std::isnan(row_times(matrix, row, x))) << row;
  }
}

}  // namespace
}  // namespace stretto::kernel
