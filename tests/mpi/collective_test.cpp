// SPDX-License-Identifier: BSD-3-Clause
// The reference algorithms, the cached state of a communicator, and misuse.
#include <algorithm>
#include <array>

#include "collective/communicator_state.hpp"
#include "collective_teams.hpp"

namespace stretto::collective {
namespace {

TEST(Reference, EqualsTheLibraryFlatAndOnAGrid) {
  for (const int p : team_sizes()) {
    const Team team(p);
    if (!team.is_member()) continue;
    std::vector<Grid> grids = {Grid{}};
    if (const auto more = factorisations(p); !more.empty()) grids.push_back(more.front());
    constexpr int count = 33;
    const int root = p / 2;
    const Values own = values_of(team.rank, times(count, 1));
    const Values root_data = values_of(root, times(count, p));
    for (const Grid& grid : grids) {
      SCOPED_TRACE(::testing::Message() << "p = " << p << ", grid " << to_string(grid));
      const Form form{.grid = grid, .algorithm = Algorithm::reference};
      Values values = own;
      broadcast(values.data(), count, MPI_INT32_T, root, team.comm, form);
      EXPECT_EQ(values, values_of(root, times(count, 1)));
      Values all(times(count, p), -1);
      allgather(own.data(), count, MPI_INT32_T, all.data(), count, MPI_INT32_T, team.comm, form);
      Values expected(all.size());
      PMPI_Allgather(own.data(), count, MPI_INT32_T, expected.data(), count, MPI_INT32_T, team.comm);
      EXPECT_EQ(all, expected);
      Values gathered(times(count, p), -1);
      gather(own.data(), count, MPI_INT32_T, gathered.data(), count, MPI_INT32_T, root, team.comm, form);
      if (team.rank == root) {
        EXPECT_EQ(gathered, expected);
      }
      scatter(root_data.data(), count, MPI_INT32_T, values.data(), count, MPI_INT32_T, root, team.comm, form);
      EXPECT_TRUE(std::equal(values.begin(), values.end(),
                             root_data.begin() + static_cast<std::ptrdiff_t>(times(count, team.rank))));
      Values sum(times(count, 1));
      Values expected_sum(sum.size());
      PMPI_Allreduce(own.data(), expected_sum.data(), count, MPI_INT32_T, MPI_SUM, team.comm);
      allreduce(own.data(), sum.data(), count, MPI_INT32_T, MPI_SUM, team.comm, form);
      EXPECT_EQ(sum, expected_sum);
      Values at_root(times(count, 1), -1);
      reduce(own.data(), at_root.data(), count, MPI_INT32_T, MPI_SUM, root, team.comm, form);
      if (team.rank == root) {
        EXPECT_EQ(at_root, expected_sum);
      }
    }
  }
}

TEST(Large, BlocksAboveEveryEagerLimit) {
  if (world_size() < 6) return;
  const Team team(6);
  if (!team.is_member()) return;
  constexpr int count = 70'001;
  constexpr int root = 4;
  const Values own = values_of(team.rank, times(count, 1));
  Values all(times(count, team.size));
  Values expected(all.size());
  PMPI_Allgather(own.data(), count, MPI_INT32_T, expected.data(), count, MPI_INT32_T, team.comm);
  Values sum(own.size());
  Values expected_sum(own.size());
  PMPI_Allreduce(own.data(), expected_sum.data(), count, MPI_INT32_T, MPI_SUM, team.comm);
  for (const Algorithm algorithm : {Algorithm::library, Algorithm::reference}) {
    const Form form{.grid = {.rows = 2, .columns = 3}, .algorithm = algorithm, .segments = 4};
    allgather(own.data(), count, MPI_INT32_T, all.data(), count, MPI_INT32_T, team.comm, form);
    EXPECT_EQ(all, expected);
    allreduce(own.data(), sum.data(), count, MPI_INT32_T, MPI_SUM, team.comm, form);
    EXPECT_EQ(sum, expected_sum);
    reduce(own.data(), sum.data(), count, MPI_INT32_T, MPI_SUM, root, team.comm, form);
    if (team.rank == root) {
      EXPECT_EQ(sum, expected_sum);
    }
    Values values = own;
    broadcast(values.data(), count, MPI_INT32_T, root, team.comm, form);
    EXPECT_EQ(values, values_of(root, times(count, 1)));
    std::ranges::fill(all, 0);
    gather(own.data(), count, MPI_INT32_T, all.data(), count, MPI_INT32_T, root, team.comm, form);
    if (team.rank == root) {
      EXPECT_EQ(all, expected);
    }
    scatter(all.data(), count, MPI_INT32_T, values.data(), count, MPI_INT32_T, root, team.comm, form);
    EXPECT_EQ(values, own);
  }
}

TEST(Groups, AreCreatedOnceAndFreedWithTheCommunicator) {
  if (world_size() < 3) return;
  const Team team(std::min(world_size(), 4));
  if (!team.is_member()) return;
  const std::size_t before = own_communicators_alive();
  const Form form{.grid = grid_of_columns(team.size, 2)};
  // MPICH has about 2,000 communicators: 3,000 are more. Three ranks make that many in a second, and with the
  // address sanitizer no cached state may be left at the end; more ranks take minutes.
  const int copies = everything() || world_size() == 3 ? 1000 : 20;
  int value = 0;
  Values all(static_cast<std::size_t>(team.size));
  for (int i = 0; i < copies; ++i) {
    MPI_Comm copy = MPI_COMM_NULL;
    MPI_Comm_dup(team.comm, &copy);
    for (int again = 0; again < 3; ++again) {
      value = team.rank;
      broadcast(&value, 1, MPI_INT, team.size - 1, copy, form);
      EXPECT_EQ(value, team.size - 1);
      EXPECT_EQ(own_communicators_alive(), before + 2);
    }
    allgather(&team.rank, 1, MPI_INT32_T, all.data(), 1, MPI_INT32_T, copy, form);
    EXPECT_EQ(all.back(), team.size - 1);
    MPI_Comm_free(&copy);
    EXPECT_EQ(own_communicators_alive(), before);
  }
}

TEST(Groups, OfACommunicatorStayAsTheyAreWhenItIsDuplicatedAndSplit) {
  if (world_size() < 4) return;
  const Form form{.grid = grid_of_columns(world_size(), 2)};
  MPI_Comm reversed = MPI_COMM_NULL;
  MPI_Comm_split(MPI_COMM_WORLD, 0, -world_rank(), &reversed);
  int value = world_rank();
  broadcast(&value, 1, MPI_INT, 0, reversed, form);
  EXPECT_EQ(value, world_size() - 1);
  MPI_Comm copy = MPI_COMM_NULL;
  MPI_Comm_dup(reversed, &copy);
  MPI_Comm_free(&reversed);
  value = world_rank();
  broadcast(&value, 1, MPI_INT, 1, copy, form);
  EXPECT_EQ(value, world_size() - 2);
  MPI_Comm_free(&copy);
}

TEST(Groups, AreFreedWithACommunicatorThatHasAMessageInFlight) {
  if (world_size() < 4) return;
  const Team team(4);
  if (!team.is_member()) return;
  const std::size_t before = own_communicators_alive();
  MPI_Comm copy = MPI_COMM_NULL;
  MPI_Comm_dup(team.comm, &copy);
  int value = team.rank;
  broadcast(&value, 1, MPI_INT, 0, copy, Form{.grid = {.rows = 2, .columns = 2}});
  int arrived = -1;
  std::array<MPI_Request, 2> requests{};
  MPI_Irecv(&arrived, 1, MPI_INT, (team.rank + 3) % 4, 0, copy, requests.data());
  MPI_Isend(&team.rank, 1, MPI_INT, (team.rank + 1) % 4, 0, copy, &requests[1]);
  MPI_Comm_free(&copy);
  MPI_Waitall(2, requests.data(), MPI_STATUSES_IGNORE);
  EXPECT_EQ(arrived, (team.rank + 3) % 4);
  EXPECT_EQ(own_communicators_alive(), before);
}

TEST(Misuse, AGridOfAnotherSizeIsRefusedOnAllRanks) {
  int value = 0;
  const Form form{.grid = {.rows = world_size() + 1, .columns = 2}};
  EXPECT_THROW(broadcast(&value, 1, MPI_INT, 0, MPI_COMM_WORLD, form), std::invalid_argument);
}

}  // namespace
}  // namespace stretto::collective
