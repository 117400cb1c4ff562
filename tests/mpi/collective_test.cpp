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
    for (const Grid& grid : grids) {
      SCOPED_TRACE(::testing::Message() << "p = " << p << ", grid " << to_string(grid));
      expect_as_the_library(team, Form{.grid = grid, .algorithm = Algorithm::reference}, 33, p / 2);
    }
  }
}

TEST(Large, BlocksAboveEveryEagerLimit) {
  if (world_size() < 6) return;
  const Team team(6);
  if (!team.is_member()) return;
  for (const Algorithm algorithm : {Algorithm::library, Algorithm::reference}) {
    const Form form{.grid = {.rows = 2, .columns = 3}, .algorithm = algorithm, .segments = 4};
    expect_as_the_library(team, form, 70'001, 4);
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
