// SPDX-License-Identifier: BSD-3-Clause
// Distributed products equal those of one process, for every way to fetch remote elements. All ranks refuse
// wrong input together.
#include <gtest/gtest.h>
#include <mpi.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>
#include <stretto/error.hpp>
#include <stretto/runtime.hpp>
#include <stretto/spmv.hpp>
#include <vector>

#include "world_ranks.hpp"

namespace stretto::spmv {
namespace {

constexpr double nan = std::numeric_limits<double>::quiet_NaN();

/// A number that depends on every bit of both.
std::uint64_t hash(std::uint64_t a, std::uint64_t b) {
  std::uint64_t x = a * 0x9E3779B97F4A7C15U + b;
  x = (x ^ (x >> 30U)) * 0xBF58476D1CE4E5B9U;
  x = (x ^ (x >> 27U)) * 0x94D049BB133111EBU;
  return x ^ (x >> 31U);
}

double noise(std::uint64_t a, std::uint64_t b) {
  return static_cast<double>(hash(a, b) >> 11U) * 0x1p-52 - 1;
}

/// Where each rank's block begins: of a range of `total`, as a sorted list of random cuts has them.
std::vector<std::size_t> cuts(std::size_t total, int ranks, std::uint64_t seed) {
  std::vector<std::size_t> first{0};
  for (int i = 1; i < ranks; ++i) first.push_back(hash(seed, static_cast<std::uint64_t>(i)) % (total + 1));
  first.push_back(total);
  std::ranges::sort(first);
  return first;
}

/// A random matrix of which every rank knows every element, and this rank's part of it. About one in
/// `sparsity` is not zero; some rows are copies of the one before, some elements are given twice.
class RandomMatrix {
 public:
  RandomMatrix(std::size_t rows, std::size_t columns, std::size_t sparsity, std::uint64_t seed)
      : columns_(columns), seed_(seed) {
    const int ranks = world_size();
    const auto place = static_cast<std::size_t>(world_rank());
    const std::vector<std::size_t> by_row = cuts(rows, ranks, seed);
    const std::vector<std::size_t> by_column = cuts(columns, ranks, seed + 1);
    first_ = by_column[place];
    x_count_ = by_column[place + 1] - first_;
    for (std::size_t row = by_row[place]; row < by_row[place + 1]; ++row) {
      const std::size_t pattern = row / 3;
      for (std::size_t column = 0; column < columns; ++column) {
        if (hash(seed + 2, pattern * columns + column) % sparsity != 0) continue;
        const int times = row % 7 == 0 ? 2 : 1;
        for (int i = 0; i < times; ++i) {
          column_.push_back(static_cast<std::uint32_t>(column));
          value_.push_back(noise(row, column + static_cast<std::size_t>(i)));
        }
      }
      start_.push_back(column_.size());
    }
  }

  [[nodiscard]] Part part() const {
    return {.start = start_, .column = column_, .value = value_, .x_count = x_count_};
  }
  [[nodiscard]] std::size_t rows() const { return start_.size() - 1; }
  [[nodiscard]] double element(std::size_t place, std::uint64_t round) const {
    return noise(seed_ + round, place);
  }
  [[nodiscard]] std::vector<double> x(std::uint64_t round) const {
    std::vector<double> block(x_count_);
    for (std::size_t i = 0; i < block.size(); ++i) block[i] = element(first_ + i, round);
    return block;
  }

  /// A product with new elements each time: those of the round before would show.
  void check(Plan& plan, int rounds) const {
    std::vector<double> y(rows(), nan);
    for (int round = 0; round < rounds; ++round) {
      const auto number = static_cast<std::uint64_t>(round);
      plan.multiply(x(number), y);
      double worst = 0;
      for (std::size_t row = 0; row < rows(); ++row) {
        double sum = 0;
        for (std::size_t k = start_[row]; k < start_[row + 1]; ++k) {
          sum += value_[k] * element(column_[k], number);
        }
        const double difference = std::abs(y[row] - sum);
        worst = difference <= worst ? worst : difference;  // NaN stays
      }
      EXPECT_LE(worst, 1e-13 * static_cast<double>(columns_)) << "round " << round;
    }
  }

 private:
  std::size_t columns_;
  std::uint64_t seed_;
  std::size_t first_ = 0;
  std::size_t x_count_ = 0;
  std::vector<std::uint64_t> start_{0};
  std::vector<std::uint32_t> column_;
  std::vector<double> value_;
};

std::vector<Settings> everything() {
  std::vector<Settings> all;
  for (const Exchange exchange : {Exchange::aggregate, Exchange::vector, Exchange::individual}) {
    all.push_back({.exchange = exchange});
  }
  for (const std::size_t prefetch : {1U, 2U, 100U}) {
    all.push_back({.exchange = Exchange::blocks, .prefetch = prefetch});
  }
  for (const Transport transport : {Transport::one_sided, Transport::mpi_rma, Transport::two_sided}) {
    all.push_back({.transport = transport});
  }
  return all;
}

std::vector<Settings> essentials() {
  return {{.exchange = Exchange::signalled}, {.exchange = Exchange::vector}, {.exchange = Exchange::blocks}};
}

/// On one node; between nodes, by small packets; and between nodes by MPI's own gets.
std::vector<Options> runtimes() {
  return {{},
          {.progress = Progress::poll, .segment_bytes = 1024, .outstanding = 4, .node_ranks = 1},
          {.progress = Progress::poll, .contiguous = Path::rma, .node_ranks = 1}};
}

TEST(SpmvPlan, MultipliesAsOneProcessDoes) {
  const RandomMatrix square(200, 200, 8, 1);
  for (const Options& options : runtimes()) {
    Runtime runtime(MPI_COMM_WORLD, options);
    for (const Settings& settings : everything()) {
      if (options.node_ranks > 0 && settings.transport != Transport::one_sided) continue;  // MPI's own paths
      Plan plan(runtime, square.part(), settings);
      square.check(plan, 4);
      runtime.barrier();
    }
  }
}

TEST(SpmvPlan, MultipliesMatricesOfAnyShape) {
  Runtime runtime(MPI_COMM_WORLD);
  const std::vector<RandomMatrix> matrices{{61, 150, 3, 5}, {150, 41, 40, 9}, {2, 1, 1, 3}};
  for (const Settings& settings : essentials()) {
    for (const RandomMatrix& matrix : matrices) {
      Plan plan(runtime, matrix.part(), settings);
      matrix.check(plan, 2);
      runtime.barrier();
    }
  }
}

TEST(SpmvPlan, HasEmptyRanks) {
  Runtime runtime(MPI_COMM_WORLD);
  const std::vector<std::uint64_t> no_rows{0};
  for (const Settings& settings : essentials()) {
    Plan plan(runtime, {.start = no_rows}, settings);
    plan.multiply({}, {});
    EXPECT_EQ(plan.needed_elements(), 0U);
  }
}

TEST(SpmvPlan, SendsAsManyMessagesAsItsExchangeSays) {
  Runtime runtime(MPI_COMM_WORLD);
  const RandomMatrix matrix(300, 300, 10, 2);
  const auto messages = [&](const Settings& settings) {
    Plan plan(runtime, matrix.part(), settings);
    matrix.check(plan, 1);
    runtime.barrier();  // under poll, a rank that waits in MPI serves nobody
    auto sum = static_cast<std::uint64_t>(plan.messages());
    std::uint64_t expected =
        settings.exchange == Exchange::individual ? plan.needed_elements() : plan.needed_ranks();
    MPI_Allreduce(MPI_IN_PLACE, &sum, 1, MPI_UINT64_T, MPI_SUM, MPI_COMM_WORLD);
    MPI_Allreduce(MPI_IN_PLACE, &expected, 1, MPI_UINT64_T, MPI_SUM, MPI_COMM_WORLD);
    EXPECT_EQ(sum, expected) << to_string(settings.exchange);
    return sum;
  };
  const std::uint64_t alone = messages({.exchange = Exchange::individual});
  const std::uint64_t together = messages({.exchange = Exchange::aggregate});
  EXPECT_EQ(messages({.exchange = Exchange::signalled}), together);
  if (runtime.size() > 1) {
    EXPECT_GT(alone, together);
  }
}

/// NaN in one element of x: NaN in the rows that have its column, also where its value is 0, and in no other.
TEST(SpmvPlan, PassesNanOn) {
  Runtime runtime(MPI_COMM_WORLD);
  const auto ranks = static_cast<std::size_t>(runtime.size());
  // Two rows and one element a rank: one row of zeros that has all columns, one that has all but the last.
  std::vector<std::uint64_t> start{0, ranks, 2 * ranks - 1};
  std::vector<std::uint32_t> column;
  for (std::size_t i = 0; i < 2 * ranks - 1; ++i) column.push_back(static_cast<std::uint32_t>(i % ranks));
  const std::vector<double> value(column.size(), 0.0);
  const std::vector<double> x{runtime.rank() + 1 == runtime.size() ? nan : 1.0};
  std::vector<double> y(2);
  for (const Settings& settings : essentials()) {
    Plan plan(runtime, {.start = start, .column = column, .value = value, .x_count = 1}, settings);
    plan.multiply(x, y);
    EXPECT_TRUE(std::isnan(y[0]));
    EXPECT_EQ(y[1], 0);
  }
}

TEST(SpmvPlan, TunesToOneOfItsExchangesOnAllRanks) {
  Runtime runtime(MPI_COMM_WORLD);
  const RandomMatrix matrix(100, 100, 5, 4);
  Plan plan = Plan::tuned(runtime, matrix.part());
  int chosen = static_cast<int>(plan.settings().exchange);
  MPI_Bcast(&chosen, 1, MPI_INT, 0, MPI_COMM_WORLD);
  EXPECT_EQ(chosen, static_cast<int>(plan.settings().exchange));
  matrix.check(plan, 2);
}

TEST(SpmvPlan, CountsItsTime) {
  Runtime runtime(MPI_COMM_WORLD);
  const RandomMatrix matrix(400, 400, 4, 6);
  Plan plan(runtime, matrix.part());
  matrix.check(plan, 3);
  EXPECT_GE(plan.timers().work_s, 0);
  if (runtime.size() > 1) {
    EXPECT_GT(plan.timers().sync_s, 0);
  }
  plan.reset_timers();
  EXPECT_EQ(plan.timers().sync_s, 0);
}

/// The rank with the wrong argument reports it; the other ranks report that rank.
TEST(SpmvMisuse, OfOneRankIsRefusedOnAll) {
  Runtime runtime(MPI_COMM_WORLD);
  const int last = runtime.size() - 1;
  const auto refused = [&](const Part& wrong, const std::string& said) {
    const std::vector<std::uint64_t> no_rows{0};
    const bool mine = runtime.rank() == last;
    try {
      const Plan plan(runtime, mine ? wrong : Part{.start = no_rows});
      ADD_FAILURE() << "took what is wrong: " << said;
    } catch (const ArgumentError& error) {
      EXPECT_EQ(error.argument(), "part");
      const std::string expected = mine ? said : "at rank " + std::to_string(last) + ": " + said;
      EXPECT_NE(std::string(error.what()).find(expected), std::string::npos) << error.what();
    }
  };
  const std::vector<std::uint64_t> start{0, 2, 3};
  const std::vector<std::uint64_t> decreasing{0, 3, 2, 3};
  const std::vector<std::uint64_t> from_one{1, 3};
  const std::vector<std::uint32_t> column{0, 1, 1};
  const std::vector<std::uint32_t> beyond{0, 1, 2};
  const std::vector<double> value{1, 2, 3};
  refused({.x_count = 2}, "has no start");
  refused({.start = from_one, .column = column, .value = value, .x_count = 2}, "start does not go from 0");
  refused({.start = decreasing, .column = column, .value = value, .x_count = 2}, "start decreases");
  refused({.start = start, .column = column, .value = {}, .x_count = 2}, "has not as many values");
  refused({.start = start, .column = beyond, .value = value, .x_count = 2}, "column 2 is beyond the 2");
}

TEST(SpmvMisuse, SettingsThatDifferBetweenRanksAreRefusedOnAll) {
  Runtime runtime(MPI_COMM_WORLD);
  if (runtime.size() == 1) return;  // a rank cannot differ from itself
  const std::vector<std::uint64_t> no_rows{0};
  const auto refused = [&](const Settings& different) {
    EXPECT_THROW(Plan(runtime, {.start = no_rows}, runtime.rank() == 0 ? different : Settings{}),
                 ArgumentError);
  };
  refused({.exchange = Exchange::blocks});
  refused({.prefetch = 2});
  refused({.transport = Transport::two_sided});
}

TEST(SpmvMisuse, NamesTheInvalidArgument) {
  Runtime runtime(MPI_COMM_WORLD);
  const RandomMatrix matrix(20, 20, 3, 8);
  const auto refused = [&](const Settings& settings) {
    EXPECT_THROW(Plan(runtime, matrix.part(), settings), ArgumentError);
  };
  refused({.exchange = Exchange::blocks, .prefetch = 0});
  refused({.exchange = Exchange::vector, .transport = Transport::two_sided});
  refused({.transport = Transport::alltoall});
  EXPECT_THROW((void)exchange_from("pigeons"), ArgumentError);
  EXPECT_EQ(exchange_from("individual"), Exchange::individual);
  Plan plan(runtime, matrix.part());
  const std::vector<double> x(matrix.part().x_count);
  const std::vector<double> long_x(x.size() + 1);
  std::vector<double> y(matrix.rows());
  std::vector<double> long_y(y.size() + 1);
  EXPECT_THROW(plan.multiply(long_x, y), ArgumentError);
  EXPECT_THROW(plan.multiply(x, long_y), ArgumentError);
  std::vector<double> both(x.size() + y.size());
  if (!x.empty() && !y.empty()) {
    EXPECT_THROW(
        plan.multiply(std::span(both).first(x.size()), std::span(both).subspan(x.size() - 1, y.size())),
        ArgumentError);
  }
}

/// The runtime frees its own communicator when it ends, even if the user's communicator was freed before.
TEST(SpmvMisuse, UseAfterItsCommunicatorIsAnError) {
  MPI_Comm given = MPI_COMM_NULL;
  MPI_Comm_dup(MPI_COMM_WORLD, &given);
  const RandomMatrix matrix(20, 20, 3, 8);
  auto runtime = std::make_unique<Runtime>(given);
  Plan plan(*runtime, matrix.part(), {.transport = Transport::two_sided});
  MPI_Comm_free(&given);
  matrix.check(plan, 1);
  runtime->finalize();
  std::vector<double> y(matrix.rows());
  EXPECT_THROW(plan.multiply(matrix.x(0), y), FinalizedError);
}

}  // namespace
}  // namespace stretto::spmv
