// SPDX-License-Identifier: BSD-3-Clause
// The kernel `spmv`: the matrix and the messages of a run, and the options that it refuses.
#include <gtest/gtest.h>
#include <mpi.h>

#include <map>
#include <string>
#include <vector>

#include "kernels/kernels.hpp"
#include "world_ranks.hpp"

namespace stretto::kernel {
namespace {

RunResult run(Request request) {
  const Kernel& kernel = find_kernel("spmv");
  return kernel.run(checked(kernel, std::move(request)), MPI_COMM_WORLD);
}

TEST(SpmvKernel, MultipliesAMatrixLikeThePapers) {
  const RunResult result = run({.variant = "aggregate", .options = {{"products", "2"}}});
  EXPECT_TRUE(result.verified);
  const std::map<std::string, Member> members(result.members.begin(), result.members.end());
  EXPECT_EQ(std::get<std::int64_t>(members.at("rows")), 41092);
  EXPECT_EQ(std::get<std::int64_t>(members.at("nonzeros")), 1683902);
  const int ranks = world_size();
  EXPECT_EQ(std::get<std::vector<double>>(members.at("communication_per_rank_s")).size(),
            static_cast<std::size_t>(ranks));
  EXPECT_EQ(result.messages, 2 * ranks * (ranks - 1));
}

TEST(SpmvKernel, RefusesUnknownOptions) {
  EXPECT_THROW(run({.variant = "pigeons"}), std::invalid_argument);
  EXPECT_THROW(run({.variant = "vector", .transport = "mpi-rma"}), std::invalid_argument);
  EXPECT_THROW(run({.variant = "vector", .options = {{"prefetch", "2"}}}), std::invalid_argument);
  EXPECT_THROW(run({.options = {{"matrix", "/nowhere"}}}), std::invalid_argument);
  EXPECT_THROW(run({.options = {{"matrix", "/"}}}), std::invalid_argument);
  EXPECT_THROW(run({.options = {{"scale", "0"}}}), std::invalid_argument);
}

}  // namespace
}  // namespace stretto::kernel
