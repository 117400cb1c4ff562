// SPDX-License-Identifier: BSD-3-Clause
// Nonblocking collectives, flat and in two phases, give the results of the MPI library, in any order of
// completion.
#include <stdexcept>
#include <stretto/collective_nonblocking.hpp>
#include <utility>

#include "collective_teams.hpp"

namespace stretto::collective {
namespace {

TEST(NonblockingCollectives, RootedOnesEqualTheLibrary) {
  for_all_roots([](const Team& team, const Form& form, int count, int root) {
    const bool at_root = team.rank == root;
    Values sent = values_of(team.rank, times(count, 1));
    Values gathered(times(count, at_root ? team.size : 0), -1);
    const Values own = values_of(team.rank, times(count, 1));
    const Values all = at_root ? values_of(root, times(count, team.size)) : Values{};
    Values scattered(times(count, 1), -1);
    Values sums(times(count, 1), -1);
    // Four operations are in progress at once, and the last is waited for first.
    auto one = start_broadcast(sent.data(), count, MPI_INT32_T, root, team.comm, form);
    auto two = start_gather(own.data(), count, MPI_INT32_T, gathered.data(), count, MPI_INT32_T, root,
                            team.comm, form);
    auto three = start_scatter(all.data(), count, MPI_INT32_T, scattered.data(), count, MPI_INT32_T, root,
                               team.comm, form);
    auto four = start_reduce(own.data(), sums.data(), count, MPI_INT32_T, MPI_SUM, root, team.comm, form);
    four.wait();
    three.wait();
    two.wait();
    one.wait();
    EXPECT_TRUE(one.test()) << "a complete operation stays complete";
    EXPECT_EQ(sent, values_of(root, times(count, 1)));
    Values expected(gathered.size(), -1);
    PMPI_Gather(own.data(), count, MPI_INT32_T, expected.data(), count, MPI_INT32_T, root, team.comm);
    EXPECT_EQ(gathered, expected);
    expected.assign(scattered.size(), -1);
    PMPI_Scatter(all.data(), count, MPI_INT32_T, expected.data(), count, MPI_INT32_T, root, team.comm);
    EXPECT_EQ(scattered, expected);
    expected.assign(sums.size(), -1);
    PMPI_Reduce(own.data(), expected.data(), count, MPI_INT32_T, MPI_SUM, root, team.comm);
    EXPECT_EQ(sums, expected);
  });
}

TEST(NonblockingCollectives, OfAllRanksEqualTheLibrary) {
  for_all([](const Team& team, const Form& form, int count) {
    const Values own = values_of(team.rank, times(count, 1));
    Values sums(own.size(), -1);
    Values all(times(count, team.size), -1);
    Values parts(all.size(), -1);
    const std::vector<int> counts(static_cast<std::size_t>(team.size), count);
    std::vector<int> places;
    for (int i = 0; i < team.size; ++i) places.push_back((team.size - 1 - i) * count);
    auto one = start_allreduce(own.data(), sums.data(), count, MPI_INT32_T, MPI_SUM, team.comm, form);
    auto two =
        start_allgather(own.data(), count, MPI_INT32_T, all.data(), count, MPI_INT32_T, team.comm, form);
    auto three = start_allgatherv(own.data(), count, MPI_INT32_T, parts.data(), counts.data(), places.data(),
                                  MPI_INT32_T, team.comm, form);
    while (!(three.test() && two.test() && one.test())) {
    }
    Values expected(sums.size(), -1);
    PMPI_Allreduce(own.data(), expected.data(), count, MPI_INT32_T, MPI_SUM, team.comm);
    EXPECT_EQ(sums, expected);
    expected.assign(all.size(), -1);
    PMPI_Allgather(own.data(), count, MPI_INT32_T, expected.data(), count, MPI_INT32_T, team.comm);
    EXPECT_EQ(all, expected);
    expected.assign(all.size(), -1);
    PMPI_Allgatherv(own.data(), count, MPI_INT32_T, expected.data(), counts.data(), places.data(),
                    MPI_INT32_T, team.comm);
    EXPECT_EQ(parts, expected);
  });
}

/// A blocking operation uses the same groups, and so completes first what was started; a dropped operation is
/// waited for.
TEST(NonblockingCollectives, AreCompleteAfterABlockingOneAndAtTheirEnd) {
  for_all([](const Team& team, const Form& form, int count) {
    Values sent = values_of(team.rank, times(count, 1));
    Values again = values_of(team.rank, times(count, 1));
    {
      auto pending = start_broadcast(sent.data(), count, MPI_INT32_T, 0, team.comm, form);
      broadcast(again.data(), count, MPI_INT32_T, team.size - 1, team.comm, form);
      EXPECT_EQ(again, values_of(team.size - 1, times(count, 1)));
      auto moved = std::move(pending);
    }
    EXPECT_EQ(sent, values_of(0, times(count, 1)));
  });
}

TEST(NonblockingCollectives, RefuseTheReferenceAlgorithmsAndAGridOfOtherRanks) {
  int value = 0;
  const Form reference{.algorithm = Algorithm::reference};
  EXPECT_THROW((void)start_broadcast(&value, 1, MPI_INT, 0, MPI_COMM_WORLD, reference),
               std::invalid_argument);
  const Form other{.grid = {.rows = 1000, .columns = 1000}};
  EXPECT_THROW((void)start_broadcast(&value, 1, MPI_INT, 0, MPI_COMM_WORLD, other), std::invalid_argument);
}

}  // namespace
}  // namespace stretto::collective
