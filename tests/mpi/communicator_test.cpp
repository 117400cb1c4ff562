// SPDX-License-Identifier: BSD-3-Clause
#include "mpi/communicator.hpp"

#include <gtest/gtest.h>

#include "mpi/check.hpp"

namespace stretto::mpi {
namespace {

TEST(Communicator, TextsOfAnyLengthAreSharedAndGathered) {
  const Communicator communicator(MPI_COMM_WORLD);
  const std::string mine(static_cast<std::size_t>(3 * communicator.rank()), 'x');
  const std::vector<std::string> all = communicator.gather(mine);
  ASSERT_EQ(all.size(), communicator.rank() == 0 ? static_cast<std::size_t>(communicator.size()) : 0U);
  for (std::size_t i = 0; i < all.size(); ++i) EXPECT_EQ(all[i], std::string(3 * i, 'x'));
  EXPECT_EQ(communicator.broadcast(communicator.rank() == 0 ? "from rank 0" : "another"), "from rank 0");
}

TEST(Communicator, EveryRankHasANodeWhoseLowestRankIsOnIt) {
  const Communicator communicator(MPI_COMM_WORLD);
  const std::vector<int> nodes = communicator.nodes();
  for (std::size_t rank = 0; rank < nodes.size(); ++rank) {
    EXPECT_LE(nodes[rank], static_cast<int>(rank));
    EXPECT_EQ(nodes[static_cast<std::size_t>(nodes[rank])], nodes[rank]);
  }
}

#ifndef STRETTO_SIMGRID  // which aborts on some wrong arguments instead of returning
TEST(Communicator, AnErrorNamesTheCallAndThePlace) {
  const Communicator communicator(MPI_COMM_WORLD);
  int value = 0;
  try {
    check(MPI_Send(&value, 1, MPI_INT, communicator.size() + 5, 0, communicator.get()), "MPI_Send");
    FAIL() << "a rank that does not exist was accepted";
  } catch (const MpiError& error) {
    const std::string text = error.what();
    EXPECT_NE(error.code(), MPI_SUCCESS);
    EXPECT_EQ(text.rfind("MPI_Send: ", 0), 0U) << text;
    EXPECT_NE(text.find("communicator_test.cpp:"), std::string::npos) << text;
  }
}
#endif

}  // namespace
}  // namespace stretto::mpi
