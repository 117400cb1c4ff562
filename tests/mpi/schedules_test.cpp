// SPDX-License-Identifier: BSD-3-Clause
// FT and SPMV over every transport: checks each received element after each schedule, also where the number
// of ranks does not divide the matrix.
#include <gtest/gtest.h>

#include <memory>

#include "exchange/mpi_team.hpp"
#include "exchange/platform.hpp"
#include "exchange/transports.hpp"
#include "measure/harness.hpp"
#include "probe/probes.hpp"

namespace stretto::probe {
namespace {

using Maker = Cases (*)(const Settings&, const ProbeContext&);

class Schedules : public ::testing::Test {
 protected:
  /// Runs every case of a probe once, and checks the received elements. Returns the number of wrong ones.
  std::int64_t run(exchange::Channel& transport, Maker cases_of, const ScheduleSettings& schedules) {
    const Settings settings{.transports = {std::string{transport.name()}},
                            .progress = {exchange::ProgressMode::none},
                            .schedules = schedules,
                            .harness = {.min_rounds = 1, .max_rounds = 1, .warm_ups = 0, .check = true}};
    const std::unique_ptr<measure::Worker> worker = exchange::make_worker();
    const ProbeContext context{team_, *worker, transport, rates_};
    measure::Timekeeper timekeeper(team_, 0);
    measure::Harness harness(timekeeper, settings.harness, nullptr);
    return harness.run(cases_of(settings, context));
  }

  /// 6 rows for each rank: whole rows, tiles within them (24 a block), and across them (4 a block). A matrix
  /// of order 301, which only one rank divides.
  void expect_right(exchange::Channel& transport) {
    EXPECT_EQ(run(transport, ft_cases,
                  {.rows = {6 * ranks_},
                   .row_lengths = {64},
                   .scales = {0.5},
                   .schedules = {"exchange", "slabs", "pencils", "chunks=" + std::to_string(24 * ranks_),
                                 "chunks=" + std::to_string(4 * ranks_)}}),
              0);
    ScheduleSettings spmv{.matrix_rows = {301}, .prefetch = {1}, .nonzero_ratios = {0.05}};
    if (ranks_ > 2) spmv.prefetch.push_back(ranks_ - 1);
    EXPECT_EQ(run(transport, spmv_cases, spmv), 0);
  }

  exchange::MpiTeam team_{MPI_COMM_WORLD};
  std::size_t ranks_ = static_cast<std::size_t>(team_.size());
  WorkRates rates_;
};

TEST_F(Schedules, EverythingArrivesOverTwoSided) {
  const auto made = exchange::two_sided_channel(MPI_COMM_WORLD);
  exchange::Channel& transport = *made;
  expect_right(transport);
}

TEST_F(Schedules, EverythingArrivesOverMpiRma) {
  const auto made = exchange::rma_channel(MPI_COMM_WORLD);
  exchange::Channel& transport = *made;
  expect_right(transport);
}

TEST_F(Schedules, EverythingArrivesOverTheRuntime) {
  const auto made = exchange::one_sided_channel(MPI_COMM_WORLD, team_, Options{.progress = Progress::none});
  exchange::Channel& transport = *made;
  transport.open();
  expect_right(transport);
  transport.close();
}

TEST_F(Schedules, InvalidSettingsAreRefusedOnAllRanks) {
  const auto made = exchange::two_sided_channel(MPI_COMM_WORLD);
  exchange::Channel& transport = *made;
  const auto refused = [&](Maker cases_of, const ScheduleSettings& schedules) {
    EXPECT_THROW((void)run(transport, cases_of, schedules), std::invalid_argument);
  };
  refused(ft_cases, {.rows = {ranks_ << 20}, .row_lengths = {1 << 20}, .scales = {1}});  // 64 TiB a rank
  refused(spmv_cases, {.matrix_rows = {1 << 30}, .nonzero_ratios = {1}});
  refused(spmv_cases, {.matrix_rows = {64}, .prefetch = {ranks_ + 1}});
  if (ranks_ > 1) refused(ft_cases, {.rows = {2 * ranks_ + 1}});
}

}  // namespace
}  // namespace stretto::probe
