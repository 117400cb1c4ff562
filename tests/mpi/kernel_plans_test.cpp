// SPDX-License-Identifier: BSD-3-Clause
// The NAS kernels as schedules: as many messages as a run of the kernel starts, sizes and grids by hand.
#include <gtest/gtest.h>
#include <mpi.h>

#include <algorithm>
#include <set>
#include <stdexcept>

#include "../cpp/refusal.hpp"
#include "kernels/kernels.hpp"
#include "kernels/plans/kernel_plan.hpp"
#include "kernels/plans/plan_request.hpp"
#include "world_ranks.hpp"

namespace stretto::kernel::plans {
namespace {

using network::GraphStep;
using network::Json;

PlanRequest of(const char* class_name, const char* variant, const char* transport, int ranks) {
  return {.kernel = {class_name, variant, transport, {}}, .ranks = ranks, .iterations = {}};
}

/// Messages with data that a rank starts, in all phases.
std::int64_t messages(const std::vector<PlanPhase>& phases) {
  std::int64_t sum = 0;
  for (const PlanPhase& phase : phases) {
    sum += phase.times * std::ranges::count_if(phase.schedule.steps, [](const GraphStep& step) {
             return step.kind == GraphStep::Kind::start && step.size_bytes > 0;
           });
  }
  return sum;
}

std::set<std::uint64_t> sizes(const std::vector<PlanPhase>& phases) {
  std::set<std::uint64_t> all;
  for (const PlanPhase& phase : phases) {
    for (const GraphStep& step : phase.schedule.steps) {
      if (step.kind == GraphStep::Kind::start) all.insert(step.size_bytes);
    }
  }
  return all;
}

/// The distances of the ranks that a phase sends to.
std::set<std::uint32_t> hops(const PlanPhase& phase) {
  std::set<std::uint32_t> all;
  for (const GraphStep& step : phase.schedule.steps) {
    if (step.kind == GraphStep::Kind::start) all.insert(step.hop);
  }
  return all;
}

std::int64_t messages_of_run(const char* kernel, const PlanRequest& request) {
  Request asked = request.kernel;
  if (kernel == std::string_view("ft")) asked.options["effort"] = "estimate";
  const Kernel& found = find_kernel(kernel);
  return found.run(checked(found, asked), MPI_COMM_WORLD).messages;
}

TEST(KernelPlans, FtHasTheMessagesOfItsRun) {
  for (const char* transport : {"stretto", "mpi-rma", "mpi-two-sided"}) {
    for (const char* variant : {"slabs", "packed-slabs", "pencils"}) {
      const PlanRequest request = of("S", variant, transport, world_size());
      EXPECT_EQ(messages_of_run("ft", request), world_size() * messages(ft_plan(request)))
          << variant << " over " << transport;
    }
  }
}

TEST(KernelPlans, MgHasTheMessagesOfItsRun) {
  for (const auto& [variant, over] : std::initializer_list<std::pair<const char*, const char*>>{
           {"nonblocking", "stretto"}, {"blocking", "stretto"}, {"two-sided", "mpi-two-sided"}}) {
    const PlanRequest request = of("S", variant, over, world_size());
    EXPECT_EQ(messages_of_run("mg", request), world_size() * messages(mg_plan(request))) << variant;
  }
}

TEST(KernelPlans, CgHasTheMessagesOfItsRun) {
  for (const char* variant : {"nonblocking", "blocking"}) {
    const PlanRequest request = of("S", variant, "stretto", world_size());
    EXPECT_EQ(messages_of_run("cg", request), world_size() * messages(cg_plan(request))) << variant;
  }
}

TEST(KernelPlans, FtSendsPlanesRowsOrBlocks) {
  const auto on_4 = [](const char* variant, const char* over) { return ft_plan(of("S", variant, over, 4)); };
  // each rank sends 16 planes once forward and six times back, each to three others
  EXPECT_EQ(messages(on_4("slabs", "stretto")), 7 * 16 * 3);
  EXPECT_EQ(messages(on_4("pencils", "stretto")), 7 * 16 * 3 * 16);
  EXPECT_EQ(messages(on_4("alltoall", "mpi-two-sided")), 7 * 3);
  EXPECT_EQ(sizes(on_4("slabs", "stretto")), (std::set<std::uint64_t>{16 * 64 * 16}));
  EXPECT_EQ(sizes(on_4("pencils", "mpi-rma")), (std::set<std::uint64_t>{64 * 16}));
  EXPECT_EQ(sizes(on_4("alltoall", "mpi-two-sided")), (std::set<std::uint64_t>{16 * 16 * 64 * 16}));
}

TEST(KernelPlans, MgOn16RanksHasEightNeighbours) {
  const auto phases = mg_plan(of("S", "nonblocking", "stretto", 16));
  // Four cycles with one distributed level: two halo exchanges, 3 messages to restrict, 3 + 3 to gather.
  EXPECT_EQ(messages(phases), 4 * (2 * 8 + 3 + 3 + 3));
  EXPECT_EQ(messages(mg_plan(of("S", "blocking", "stretto", 16))), 4 * (2 * 4 + 3 + 3 + 3));
  const auto correction = std::ranges::find_if(phases, [](const PlanPhase& phase) {
    return phase.schedule.name == "mg correct" && phase.schedule.messages > 0;
  });
  EXPECT_EQ(hops(*correction), (std::set<std::uint32_t>{1, 3, 4, 5, 7, 12, 13, 15}));
}

TEST(KernelPlans, MgOnTwoRanksExchangesAlongZOnly) {
  // planes of 32 x 32 values; a coarse one of 16 x 16; half of a level of 16 points
  EXPECT_EQ(sizes(mg_plan(of("S", "blocking", "stretto", 2))),
            (std::set<std::uint64_t>{8192, 2048, 16 * 16 * 16 * 8 / 2}));
}

TEST(KernelPlans, CgExchangesPiecesInItsGridOf2By4) {
  const auto phases = cg_plan(of("S", "nonblocking", "stretto", 8));
  ASSERT_EQ(phases.size(), 2U);
  EXPECT_EQ(phases[0].times, 15 * 26);
  EXPECT_EQ(phases[0].schedule.messages, 2U * (1 + 3)) << "each is answered by a flag";
  EXPECT_EQ(cg_plan(of("S", "two-sided", "mpi-two-sided", 8))[0].schedule.messages, 1U + 3);
  EXPECT_EQ(phases[1].times, 15 * 54);
  EXPECT_EQ(phases[1].schedule.messages, 3U + 1);
  EXPECT_EQ(phases[0].flops, 2.0 * 1400 * 7 * 8 / 8);
}

TEST(KernelPlans, FlopsAreThoseOfTheSteps) {
  for (const int ranks : {2, 4, 8, 32}) {
    for (const auto& phases :
         {ft_plan(of("W", "pencils", "mpi-rma", ranks)), mg_plan(of("W", "nonblocking", "stretto", ranks)),
          cg_plan(of("W", "nonblocking", "stretto", ranks))}) {
      for (const PlanPhase& phase : phases) {
        double parts = 0;
        for (const GraphStep& step : phase.schedule.steps) parts += step.parts;
        EXPECT_DOUBLE_EQ(parts, phase.flops) << phase.schedule.name;
      }
    }
  }
  // 5 N log2 n per axis and 4 per point for the time step, seven times; 8 per point at first
  const auto phases = ft_plan(of("S", "slabs", "stretto", 4));
  EXPECT_NEAR(phases[1].flops, 64.0 * 64 * 64 / 4 * (5 * 18 + 4), 1);
  EXPECT_DOUBLE_EQ(phases[0].flops, 64.0 * 64 * 64 / 4 * 8);
}

std::string refusal(const Json& request) {
  return testing::refusal_of<std::invalid_argument>([&] { return answer({request, "requests[0]"}); });
}

TEST(KernelPlans, RequestsThatNoRunCouldHaveAreRefused) {
  const Json right{
      {"kernel", "mg"}, {"class", "S"}, {"ranks", 4}, {"variant", "blocking"}, {"transport", "stretto"}};
  EXPECT_EQ(refusal(right), "");
  const auto with = [&](const char* name, const Json& value) {
    Json wrong = right;
    wrong[name] = value;
    return refusal(wrong);
  };
  EXPECT_EQ(with("ranks", 6), "-n 6: mg takes a power of two of ranks");
  EXPECT_EQ(with("variant", "slabs"), "--variant slabs: mg has nonblocking, blocking, two-sided, auto");
  EXPECT_EQ(with("class", "Z"), "--class Z: mg has S, W, A, B, C, D");
  EXPECT_TRUE(with("kernel", "jacobi").starts_with("--variant blocking: jacobi has"))
      << with("kernel", "jacobi");
  Json ft = right;
  ft.update({{"kernel", "ft"}, {"variant", "slabs"}, {"ranks", 128}});
  EXPECT_EQ(refusal(ft), "slabs need a plane for each rank");
}

TEST(KernelPlans, ATimeIsThatOfTheComputationWhereMessagesCostNothing) {
  Json request{{"kernel", "cg"},        {"class", "S"},           {"ranks", 4},
               {"variant", "blocking"}, {"transport", "stretto"}, {"seconds_per_flop", Json::array({1e-9})}};
  request["path"] = {{"ranges", Json::array({{{"from_bytes", 0}}})}};
  double flops = 0;
  for (const PlanPhase& phase : cg_plan(of("S", "blocking", "stretto", 4))) {
    flops += static_cast<double>(phase.times) * phase.flops;
  }
  const Json found = answer({request, "requests[0]"});
  EXPECT_NEAR(found["total_s"][0].get<double>(), flops * 1e-9, 1e-9 * flops * 1e-9);
}

}  // namespace
}  // namespace stretto::kernel::plans
