// SPDX-License-Identifier: BSD-3-Clause
// The kernels' schedules send the same messages as the kernels: counts as in tests/mpi/nas_test.cpp, sizes
// by hand.
#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <set>

#include "network/kernel_variants.hpp"
#include "network/probe_schedules.hpp"

namespace stretto::network::kernels_test {
namespace {

using Make = std::unique_ptr<KernelModel> (*)(const RequestMembers&);

std::unique_ptr<KernelModel> kernel(Make make, const Json& members) { return make({members, "kernel"}); }

std::unique_ptr<KernelModel> ft(int nx, int ny, int nz, int iterations, int ranks) {
  return kernel(&ft_kernel,
                {{"nx", nx}, {"ny", ny}, {"nz", nz}, {"iterations", iterations}, {"ranks", ranks}});
}

std::unique_ptr<KernelModel> ft_class_s(int ranks) { return ft(64, 64, 64, 6, ranks); }
std::unique_ptr<KernelModel> ft_class_w(int ranks) { return ft(128, 128, 32, 6, ranks); }

std::unique_ptr<KernelModel> mg(int points, int ranks) {
  return kernel(&mg_kernel, {{"points", points}, {"iterations", 4}, {"ranks", ranks}});
}

std::unique_ptr<KernelModel> cg(int rows, int nonzeros, int ranks) {
  return kernel(&cg_kernel, {{"rows", rows}, {"nonzeros", nonzeros}, {"iterations", 15}, {"ranks", ranks}});
}

/// Messages with data that a rank starts, in all phases.
std::int64_t messages(const std::vector<KernelPhase>& phases) {
  std::int64_t found = 0;
  for (const KernelPhase& phase : phases) {
    found += phase.times * std::ranges::count_if(phase.schedule.steps, [](const GraphStep& step) {
               return step.kind == GraphStep::Kind::start && step.size_bytes > 0;
             });
  }
  return found;
}

std::set<std::uint64_t> sizes(const std::vector<KernelPhase>& phases) {
  std::set<std::uint64_t> found;
  for (const KernelPhase& phase : phases) {
    for (const GraphStep& step : phase.schedule.steps) {
      if (step.kind == GraphStep::Kind::start) found.insert(step.size_bytes);
    }
  }
  return found;
}

TEST(KernelModel, FtSendsTheMessagesOfItsSchedule) {
  const auto found = ft_class_s(4);
  const auto of = [&](const char* name, const char* transport) { return found->phases({name, transport}); };
  // each rank sends 16 planes once forward and six times back, each to three others
  EXPECT_EQ(messages(of("slabs", "stretto")), 7 * 16 * 3);
  EXPECT_EQ(messages(of("pencils", "stretto")), 7 * 16 * 3 * 16);
  EXPECT_EQ(messages(of("packed-slabs", "stretto")), 7 * 3);
  EXPECT_EQ(messages(of("alltoall", "mpi-two-sided")), 7 * 3);
  EXPECT_EQ(sizes(of("slabs", "stretto")), (std::set<std::uint64_t>{16 * 64 * 16}));
  EXPECT_EQ(sizes(of("pencils", "mpi-rma")), (std::set<std::uint64_t>{64 * 16}));
  EXPECT_EQ(sizes(of("alltoall", "mpi-two-sided")), (std::set<std::uint64_t>{16 * 16 * 64 * 16}));
}

TEST(KernelModel, FtSendsOnAGridWhatARowAndAColumnOfItNeed) {
  const auto found = ft_class_w(64);  // more ranks than planes
  const std::vector<std::string> grid{"grid=8x8"};
  for (const VariantName& name : found->variants()) EXPECT_EQ(name.settings, grid);
  const auto of = [&](const char* name, const char* transport) {
    return found->phases({name, transport, grid});
  };
  // 16 planes of y along a column to 7 others, 4 planes of z along a row to 7 others, seven times
  EXPECT_EQ(messages(of("slabs", "mpi-two-sided")), 7 * (16 * 7 + 4 * 7));
  EXPECT_EQ(messages(of("pencils", "stretto")), 7 * (16 * 4 * 7 + 4 * 7));
  EXPECT_EQ(messages(of("packed-slabs", "stretto")), 7 * 35);
  EXPECT_EQ(messages(of("alltoall", "mpi-two-sided")), 7 * 35);
  // Over MPI windows pencils put line by line along a row, too: `run ft` of class S counts 57344 on 2x2.
  EXPECT_EQ(messages(of("pencils", "mpi-rma")), 7 * (16 * 4 * 7 + 16 * 4 * 7));
  EXPECT_EQ(sizes(of("pencils", "mpi-rma")), (std::set<std::uint64_t>{16 * 16}));
  EXPECT_EQ(4 * messages(ft_class_s(4)->phases({"pencils", "mpi-rma", {"grid=2x2"}})), 57344);
  // 4 planes of z, 16 numbers of a row of x; and of a plane 16 x 16 numbers for each
  EXPECT_EQ(sizes(of("slabs", "mpi-two-sided")), (std::set<std::uint64_t>{4 * 16 * 16, 16 * 16 * 16}));
  for (const VariantName& name : ft_class_s(3)->variants()) {
    EXPECT_FALSE(name.variant == "chunks=12" && !name.settings.empty());
  }
}

TEST(KernelModel, MgSendsTheMessagesOfItsVariant) {
  // Four cycles with one distributed level: two halo exchanges, 3 messages to restrict, 3 + 3 to gather.
  EXPECT_EQ(messages(mg(32, 16)->phases({"nonblocking", "stretto"})), 4 * (2 * 8 + 3 + 3 + 3));
  EXPECT_EQ(messages(mg(32, 16)->phases({"blocking", "stretto"})), 4 * (2 * 4 + 3 + 3 + 3));
}

TEST(KernelModel, MgOnTwoRanksExchangesAlongZOnly) {
  EXPECT_EQ(messages(mg(32, 2)->phases({"nonblocking", "stretto"})), 4 * (2 * 2 + 1 + 1));
  // planes of 32 x 32 values; a coarse one of 16 x 16; half of a level of 16 points
  EXPECT_EQ(sizes(mg(32, 2)->phases({"blocking", "stretto"})),
            (std::set<std::uint64_t>{8192, 2048, 16 * 16 * 16 * 8 / 2}));
}

TEST(KernelModel, CgExchangesPiecesInItsGridOf2By4) {
  const auto found = cg(1400, 7, 8);
  const auto phases = found->phases({"nonblocking", "stretto"});
  ASSERT_EQ(phases.size(), 2U);
  EXPECT_EQ(phases[0].times, 15 * 26);
  EXPECT_EQ(phases[0].schedule.messages, 2U * (1 + 3)) << "each is answered by a flag";
  EXPECT_EQ(found->phases({"two-sided", "mpi-two-sided"})[0].schedule.messages, 1U + 3);
  EXPECT_EQ(messages(phases), 15 * (26 + 54) * (1 + 3));
  EXPECT_EQ(phases[1].times, 15 * 54);
  EXPECT_EQ(phases[1].schedule.messages, 3U + 1);
  EXPECT_EQ(phases[0].flops, 2.0 * 1400 * 7 * 8 / 8);
}

TEST(KernelModel, AllComputationOfAPhaseIsInItsSteps) {
  for (const int ranks : {2, 4, 8, 64}) {
    const Json needs{{"ranks", ranks},  {"sources", std::min(3, ranks - 1)},
                     {"elements", 100}, {"block_elements", 1000},
                     {"flops", 1e6},    {"own_share", 0.5}};
    std::vector<std::unique_ptr<KernelModel>> kernels;
    kernels.push_back(ft_class_w(ranks));
    kernels.push_back(mg(128, ranks));
    kernels.push_back(cg(7000, 8, ranks));
    kernels.push_back(kernel(&spmv_kernel, needs));
    for (const auto& one : kernels) {
      for (const VariantName& name : one->variants()) {
        for (const KernelPhase& phase : one->phases(name)) {
          double parts = 0;
          for (const GraphStep& step : phase.schedule.steps) parts += step.parts;
          if (phase.flops > 0) {
            EXPECT_NEAR(parts, 1, 1e-9) << name.variant << " over " << name.transport;
          }
        }
      }
    }
  }
}

TEST(KernelModel, UnknownVariantsAreRefused) {
  const auto refusal = [](const std::function<void()>& make) -> std::string {
    try {
      make();
    } catch (const InvalidParameter& error) {
      return error.parameter() + ": " + error.what();
    }
    return "";
  };
  EXPECT_EQ(refusal([] { (void)ft_class_w(1); }), "ranks: the model of ft knows 2 ranks and more");
  EXPECT_EQ(refusal([] { (void)ft_class_s(8192); }),
            "ranks: no grid leaves each rank a part of this class; take fewer ranks");
  EXPECT_EQ(refusal([] { (void)mg(32, 6); }), "ranks: mg takes a power of two of ranks, the model from 2 on");
  EXPECT_EQ(refusal([] { (void)cg(1400, 7, 1); }), "ranks: the model of cg knows 2 ranks and more");
  EXPECT_EQ(refusal([] {
              (void)ft_class_s(4)->phases({"waves", "stretto"});
            }),
            "variant: ft has no 'waves' here");
  EXPECT_EQ(refusal([] {
              (void)ft_class_s(4)->phases({"slabs", "stretto", {"grid=3x2"}});
            }),
            "settings: is none of this kernel's grids");
}

}  // namespace
}  // namespace stretto::network::kernels_test
