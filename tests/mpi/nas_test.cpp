// SPDX-License-Identifier: BSD-3-Clause
// The NAS kernels verify in their small classes, in all variants and over all transports; and say so when
// they do not.
#include <gtest/gtest.h>
#include <mpi.h>

#include <stdexcept>

#include "kernel/kernels.hpp"
#include "kernel/nas/random.hpp"

namespace stretto::kernel {
namespace {

Outcome run(const std::string& name, Request request) {
  const Kernel& kernel = find_kernel(name);
  return kernel.run(checked(kernel, std::move(request)), MPI_COMM_WORLD);
}

const std::map<std::string, std::string> quick{{"effort", "estimate"}};  // of FFTW's planning

TEST(NasFt, VerifiesInAllSchedulesOverAllTransports) {
  for (const char* transport : {"stretto", "mpi-rma", "mpi-two-sided"}) {
    for (const char* variant : {"slabs", "packed-slabs", "pencils", "chunks=8"}) {
      const Outcome outcome = run("ft", {"S", variant, transport, quick});
      EXPECT_TRUE(outcome.verified) << variant << " over " << transport;
      EXPECT_GT(outcome.mops, 0);
    }
  }
  EXPECT_TRUE(run("ft", {"S", "alltoall", "", quick}).verified);
}

TEST(NasFt, VerifiesInClassW) { EXPECT_TRUE(run("ft", {"W", "", "", quick}).verified); }

TEST(NasFt, SendsTheMessagesOfItsSchedule) {
  int ranks = 0;
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  // 64 planes leave once forward and six times back, from all ranks together, each to all others.
  EXPECT_EQ(run("ft", {"S", "slabs", "", quick}).messages, 7 * 64 * (ranks - 1));
  EXPECT_EQ(run("ft", {"S", "packed-slabs", "", quick}).messages, 7 * ranks * (ranks - 1));
}

TEST(NasFt, RefusesWhatItDoesNotHave) {
  EXPECT_THROW(run("ft", {"X", "", "", {}}), std::invalid_argument);
  EXPECT_THROW(run("ft", {"S", "slab", "", {}}), std::invalid_argument);
  EXPECT_THROW(run("ft", {"S", "chunks=zwei", "", {}}), std::invalid_argument);
  EXPECT_THROW(run("ft", {"S", "", "pigeons", {}}), std::invalid_argument);
  EXPECT_THROW(run("ft", {"S", "", "", {{"effort", "none"}}}), std::invalid_argument);
}

TEST(NasCg, VerifiesInAllVariants) {
  EXPECT_TRUE(run("cg", {"S", "two-sided", "", {}}).verified);
  for (const char* transport : {"stretto", "mpi-rma"}) {
    for (const char* variant : {"blocking", "nonblocking"}) {
      EXPECT_TRUE(run("cg", {"S", variant, transport, {}}).verified) << variant << " over " << transport;
    }
  }
}

TEST(NasCg, VerifiesInClassW) { EXPECT_TRUE(run("cg", {"W", "nonblocking", "", {}}).verified); }

TEST(NasCg, RefusesAOneSidedVariantOverTwoSidedMpi) {
  EXPECT_THROW(run("cg", {"S", "blocking", "mpi-two-sided", {}}), std::invalid_argument);
}

TEST(NasRandom, SkipsToWhereItWouldHaveCome) {
  nas::Random one(nas::random_seed);
  nas::Random other(nas::random_seed);
  for (int i = 0; i < 1000; ++i) one.next();
  other.skip(1000);
  EXPECT_EQ(one.next(), other.next());
}

}  // namespace
}  // namespace stretto::kernel
