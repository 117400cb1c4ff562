// SPDX-License-Identifier: BSD-3-Clause
// The costs of messages and transforms that a profile gives, and profiles without enough for a prediction.
#include "profile/machine_costs.hpp"

#include <gtest/gtest.h>

#include <fstream>
#include <stdexcept>

#include "temporary_path.hpp"

namespace stretto::profile {
namespace {

constexpr std::size_t row_length = 512;
const network::TransferClass put{.transport = "stretto", .operation = "put", .progress = "thread"};

std::optional<MachineCosts> costs_of(const std::string& members,
                                     const network::TransferClass& transfers = put, int ranks = 8) {
  const stretto::testing::TemporaryPath path;
  std::ofstream(path.get()) << R"({"schema":"stretto.profile/1.0",)" << members << "}";
  return read_machine_costs(path.get(), transfers, ranks, row_length);
}

/// An entry of `loggp` for puts with one range from 0 on.
std::string entry(const std::string& how, const std::string& parameters) {
  return R"({"transport":"stretto","operation":"put",)" + how +
         R"(,"ranges":[{"size_min_bytes":0,"size_max_bytes":99,)" + parameters + "}]}";
}

const std::string rate =
    R"("compute":[{"work_kind":"fft","row_length":64,"seconds_per_count":1},)"
    R"({"work_kind":"fft","row_length":600,"seconds_per_count":{"value":2}},{"work_kind":"spmv","seconds_per_count":3}])";
const std::string remote = R"("locality":"remote")";

TEST(MachineCosts, TakesEachParameterFromItsBestMethod) {
  const auto costs = costs_of(
      rate + R"(,"loggp":[)" +
      entry(remote + R"(,"method":"spaced-trains")",
            R"("latency_s":1,"overhead_send_s":2,"gap_s_per_byte":3)") +
      "," +
      entry(
          remote + R"(,"method":"pencils")",
          R"("latency_s":4,"overhead_send_s":5,"gap_queue_s":6,"gap_s_per_byte":{"value":null,"reason":"short"})") +
      "," + entry(R"("locality":"same-node","method":"pencils")", R"("latency_s":7,"overhead_send_s":7)") +
      "]");
  ASSERT_TRUE(costs.has_value());
  EXPECT_EQ(costs->path.loggp_at(8).latency_s, 1);
  EXPECT_EQ(costs->path.loggp_at(8).overhead_send_s, 5);
  EXPECT_EQ(costs->path.loggp_at(8).gap_queue_s, 6);
  EXPECT_EQ(costs->path.loggp_at(8).gap_s_per_byte, 3);
  EXPECT_EQ(costs->seconds_per_flop, 2) << "of the nearest length";
  EXPECT_EQ(costs->path.overlap_at(8), 1) << "offload where nothing is said";
}

TEST(MachineCosts, PreferTheSameProgressModeAndTheGapOfAllRanks) {
  const std::string whole = R"("latency_s":1,"overhead_send_s":2,"gap_s_per_byte":3)";
  const auto costs = costs_of(
      rate + R"(,"loggp":[)" + entry(remote, whole) + "," +
      entry(remote + R"(,"progress":"thread")", R"("latency_s":4)") +
      R"(],"contended":[{"transport":"stretto","locality":"remote","ranks":2,"gap_s_per_byte":9},)"
      R"({"transport":"stretto","locality":"remote","ranks":6,"gap_s_per_byte":8}],)"
      R"("overlap":[{"transport":"stretto","operation":"put","locality":"remote","progress":"thread","side":"both",)"
      R"("direction":"both-ways","size_bytes":1000,"ratio":1,"eta":0.8},)"
      R"({"transport":"stretto","operation":"put","locality":"remote","progress":"thread","side":"both",)"
      R"("direction":"both-ways","size_bytes":100000,"ratio":1,"eta":-0.1}])");
  ASSERT_TRUE(costs.has_value());
  EXPECT_EQ(costs->path.loggp_at(8).latency_s, 4);
  EXPECT_EQ(costs->path.loggp_at(8).overhead_send_s, 2) << "of a run without help, which knows it";
  EXPECT_EQ(costs->path.loggp_at(8).gap_s_per_byte, 8) << "of the nearest number of ranks";
  EXPECT_EQ(costs->path.overlap_at(500), 0.8);
  EXPECT_EQ(costs->path.overlap_at(200000), 0) << "of what is negative, nothing passes";
  EXPECT_EQ(costs->path.unattended_bytes, 800) << "what buffers held";
}

TEST(MachineCosts, AreUnknownWhereAParameterIsMissing) {
  const std::string whole = R"("latency_s":1,"overhead_send_s":2,"gap_s_per_byte":3)";
  const std::string loggp = R"("loggp":[)" + entry(remote, whole) + "]";
  EXPECT_TRUE(costs_of(rate + "," + loggp).has_value());
  EXPECT_FALSE(costs_of(loggp).has_value());
  EXPECT_FALSE(costs_of(rate + R"(,"loggp":[])").has_value());
  EXPECT_FALSE(costs_of(rate + R"(,"loggp":[)" + entry(remote, R"("latency_s":1)") + "]").has_value());
  EXPECT_FALSE(costs_of(rate + "," + loggp, {.transport = "mpi-rma", .operation = "put"}).has_value());
}

TEST(MachineCosts, NegativeCostsAreRefused) {
  for (const char* wrong : {R"("latency_s":-1,"overhead_send_s":2,"gap_s_per_byte":3)",
                            R"("latency_s":1,"overhead_send_s":2,"gap_s_per_byte":-3)"}) {
    EXPECT_THROW((void)costs_of(rate + R"(,"loggp":[)" + entry(remote, wrong) + "]"), std::runtime_error);
  }
}

TEST(MachineCosts, WrongTypesAreRefused) {
  for (const char* wrong :
       {R"("loggp":[{"transport":3}])", R"("loggp":[],"compute":[{"work_kind":5,"seconds_per_count":1}])"}) {
    EXPECT_THROW((void)costs_of(wrong), std::runtime_error) << wrong;
  }
  EXPECT_THROW((void)read_machine_costs("/nowhere", put, 2, row_length), std::runtime_error);
}

}  // namespace
}  // namespace stretto::profile
