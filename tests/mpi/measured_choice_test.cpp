// SPDX-License-Identifier: BSD-3-Clause
// `--variant auto` takes the plainest variant within 1 % of the fastest, and all ranks take the same.
#include "kernels/measured_choice.hpp"

#include <gtest/gtest.h>

#include <stdexcept>

#include "kernels/kernels.hpp"
#include "mpi/reductions.hpp"

namespace stretto::kernel {
namespace {

Trial trial(const char* variant, double time_s, bool overlapped) {
  return {{variant, "stretto", {}, overlapped}, time_s};
}

TEST(MeasuredChoice, ThePlainestOfEqualsIsTaken) {
  const Choice choice = choice_of(
      {trial("a", 1.02, false), trial("b", 1.009, true), trial("c", 1.0, true), trial("d", 1.01, false)});
  EXPECT_EQ(choice.chosen, 1U);
  EXPECT_EQ(choice.fastest_plain, 3U);
}

TEST(MeasuredChoice, WithoutAPlainVariantNoneIsNamed) {
  const Choice choice = choice_of({trial("a", 2.0, true), trial("b", 1.0, true)});
  EXPECT_EQ(choice.chosen, 1U);
  EXPECT_FALSE(choice.fastest_plain.has_value());
}

Choice choice_for(const char* kernel, Request request) {
  request.variant = "auto";
  return measured_choice(find_kernel(kernel), request, MPI_COMM_WORLD);
}

TEST(MeasuredChoice, AllRanksSeeTheSameTimes) {
  const Choice choice = choice_for("mg", {"S", "", "", {}});
  ASSERT_EQ(choice.trials.size(), 6U);
  for (const Trial& one : choice.trials) {
    EXPECT_GT(one.time_s, 0);
    EXPECT_EQ(mpi::largest_over(MPI_COMM_WORLD, one.time_s), one.time_s);
    EXPECT_EQ(-mpi::largest_over(MPI_COMM_WORLD, -one.time_s), one.time_s);
  }
}

TEST(MeasuredChoice, OnlyTheRequestedTransportIsTimed) {
  const Choice choice = choice_for("ft", {"S", "", "stretto", {{"effort", "estimate"}}});
  EXPECT_FALSE(choice.trials.empty());
  for (const Trial& one : choice.trials) EXPECT_EQ(one.alternative.transport, "stretto");
}

TEST(MeasuredChoice, AnAlternativeIsARequestThatTheKernelRuns) {
  const Request request{"S", "auto", "", {}};
  const Choice choice = choice_for("cg", request);
  const Request chosen = with(request, choice.trials[choice.chosen].alternative);
  const Kernel& cg = find_kernel("cg");
  EXPECT_TRUE(cg.run(checked(cg, chosen), MPI_COMM_WORLD).verified);
}

TEST(MeasuredChoice, WhatCannotBeMeasuredIsRefused) {
  EXPECT_THROW((void)choice_for("jacobi", {"S", "", "", {}}), std::invalid_argument);
  EXPECT_THROW((void)choice_for("mg", {"Z", "", "", {}}), std::invalid_argument);
  EXPECT_THROW((void)choice_for("ft", {"S", "", "", {{"grid", "5x7"}}}), std::invalid_argument);
  EXPECT_THROW((void)choice_for("spmv", {"", "", "", {{"prefetch", "2"}}}), std::invalid_argument);
}

}  // namespace
}  // namespace stretto::kernel
