// SPDX-License-Identifier: BSD-3-Clause
// Every operation in two phases gives, bit for bit, what the MPI library gives: on all grids of p ranks,
// ragged ones too, for every root, count and kind of datatype. STRETTO_EVERYTHING=1 takes the whole cross
// product, as the simulator always does; else a part of it, because ranks that share a core are slow.
#include <gtest/gtest.h>
#include <mpi.h>

#include <array>
#include <cstdint>
#include <cstdlib>
#include <functional>
#include <numeric>
#include <stretto/collective.hpp>
#include <vector>

#include "collective/groups.hpp"

namespace {

using namespace stretto::collective;

bool everything() { return std::getenv("STRETTO_EVERYTHING") != nullptr; }

int world_rank() {
  int rank = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  return rank;
}

int world_size() {
  int size = 0;
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  return size;
}

/// The first p ranks.
class Team {
 public:
  explicit Team(int p) : size(p) {
    MPI_Comm_split(MPI_COMM_WORLD, world_rank() < p ? 0 : MPI_UNDEFINED, 0, &comm);
  }
  Team(const Team&) = delete;
  Team& operator=(const Team&) = delete;
  ~Team() {
    if (is_member()) MPI_Comm_free(&comm);
  }
  [[nodiscard]] bool is_member() const { return comm != MPI_COMM_NULL; }

  MPI_Comm comm = MPI_COMM_NULL;
  int size;
  int rank = world_rank();
};

std::vector<int> team_sizes() {
  std::vector<int> sizes;
  for (int p = 1; p <= world_size(); ++p) {
    const bool few = p == 4 || p == 6 || p == 7 || p == 9;
    if (everything() ? p <= 12 || p == 16 : few) sizes.push_back(p);
  }
  return sizes;
}

/// All factorisations, and the ragged grids: all, or the one of two columns and the one of two rows.
std::vector<Grid> grids_of(int p) {
  std::vector<Grid> grids = factorisations(p);
  for (int columns = 2; columns < p; ++columns) {
    if (p % columns != 0 && (everything() || columns == 2 || columns == p - 1)) {
      grids.push_back(grid_of_columns(p, columns));
    }
  }
  return grids;
}

/// Every root of a small team; of a larger one the corners and the last, which may be in a row that is not
/// full.
std::vector<int> roots_of(int p) {
  if (!everything()) return p == 1 ? std::vector<int>{0} : std::vector<int>{p / 2, p - 1};
  std::vector<int> roots(static_cast<std::size_t>(p));
  std::iota(roots.begin(), roots.end(), 0);
  return roots;
}

std::vector<int> counts() {
  if (everything()) return {0, 1, 7, 300};
  return {0, 1, 33};
}

/// Calls `check` for every team, grid and count, on the members of the team.
void for_all(const std::function<void(const Team&, const Form&, int count)>& check) {
  for (const int p : team_sizes()) {
    const Team team(p);
    if (!team.is_member()) continue;
    for (const Grid& grid : grids_of(p)) {
      for (const int count : counts()) {
        SCOPED_TRACE(::testing::Message()
                     << "p = " << p << ", grid " << to_string(grid) << ", count " << count);
        check(team, Form{.grid = grid}, count);
      }
    }
  }
}

void for_all_roots(const std::function<void(const Team&, const Form&, int count, int root)>& check) {
  for_all([&](const Team& team, const Form& form, int count) {
    for (const int root : roots_of(team.size)) {
      SCOPED_TRACE(::testing::Message() << "root " << root);
      check(team, form, count, root);
    }
  });
}

using Values = std::vector<std::int32_t>;

/// Values that tell rank and place apart; small, so that sums are exact.
Values values_of(int rank, std::size_t count) {
  Values values(count);
  for (std::size_t i = 0; i < count; ++i) {
    values[i] = static_cast<std::int32_t>((static_cast<std::size_t>(rank) * 7919 + i * 31) % 1013);
  }
  return values;
}

std::size_t times(int count, int ranks) {
  return static_cast<std::size_t>(count) * static_cast<std::size_t>(ranks);
}

/// Two integers with a hole between them, and a hole behind: no datatype that a plain copy would get right.
class Gappy {
 public:
  Gappy() {
    MPI_Datatype holes = MPI_DATATYPE_NULL;
    MPI_Type_vector(2, 1, 2, MPI_INT32_T, &holes);
    MPI_Type_create_resized(holes, 0, 4 * sizeof(std::int32_t), &handle);
    MPI_Type_free(&holes);
    MPI_Type_commit(&handle);
  }
  Gappy(const Gappy&) = delete;
  Gappy& operator=(const Gappy&) = delete;
  ~Gappy() { MPI_Type_free(&handle); }

  static constexpr int values = 2;  ///< integers of data
  static constexpr int room = 4;    ///< integers from one to the next
  MPI_Datatype handle = MPI_DATATYPE_NULL;
};

TEST(Broadcast, IsTheLibrarys) {
  for_all_roots([](const Team& team, const Form& form, int count, int root) {
    Values values = values_of(team.rank, times(count, 1));
    broadcast(values.data(), count, MPI_INT32_T, root, team.comm, form);
    EXPECT_EQ(values, values_of(root, times(count, 1)));
  });
}

TEST(Broadcast, InSegmentsOfDataThatEachRankDescribesItsOwnWay) {
  const Gappy gappy;
  for_all([&](const Team& team, const Form& form, int count) {
    const int root = team.size - 1;
    const bool holes = team.rank % 2 == 1;
    const int room = holes ? Gappy::room : Gappy::values;
    const Values own = values_of(team.rank, times(count, room));
    Values values = own;
    Form cut = form;
    cut.segments = 5;
    broadcast(values.data(), holes ? count : count * Gappy::values, holes ? gappy.handle : MPI_INT32_T, root,
              team.comm, cut);
    // The root's values, without its holes; what stood in this rank's holes still stands there.
    const bool root_holes = root % 2 == 1;
    const Values sent = values_of(root, times(count, root_holes ? Gappy::room : Gappy::values));
    Values expected = own;
    for (std::size_t i = 0; i < times(count, Gappy::values); ++i) {
      expected[holes ? 2 * i : i] = sent[root_holes ? 2 * i : i];
    }
    EXPECT_EQ(values, expected);
  });
}

TEST(Gather, IsTheLibrarys) {
  for_all_roots([](const Team& team, const Form& form, int count, int root) {
    const Values own = values_of(team.rank, times(count, 1));
    Values all(times(count, team.rank == root ? team.size : 0), -1);
    Values expected = all;
    gather(own.data(), count, MPI_INT32_T, all.data(), count, MPI_INT32_T, root, team.comm, form);
    PMPI_Gather(own.data(), count, MPI_INT32_T, expected.data(), count, MPI_INT32_T, root, team.comm);
    EXPECT_EQ(all, expected);
  });
}

TEST(Gather, WithHolesAtTheRootAndItsBlockInPlace) {
  const Gappy gappy;
  for_all([&](const Team& team, const Form& form, int count) {
    const int root = team.size - 1;
    const bool at_root = team.rank == root;
    const Values own = values_of(team.rank, times(count, Gappy::values));
    Values all = at_root ? values_of(root, times(count * Gappy::room, team.size)) : Values{};
    Values expected = all;
    const void* send = at_root ? MPI_IN_PLACE : own.data();
    gather(send, Gappy::values * count, MPI_INT32_T, all.data(), count, gappy.handle, root, team.comm, form);
    PMPI_Gather(send, Gappy::values * count, MPI_INT32_T, expected.data(), count, gappy.handle, root,
                team.comm);
    EXPECT_EQ(all, expected);
  });
}

TEST(Scatter, IsTheLibrarys) {
  for_all_roots([](const Team& team, const Form& form, int count, int root) {
    const Values all = team.rank == root ? values_of(root, times(count, team.size)) : Values{};
    Values own(times(count, 1), -1);
    Values expected = own;
    scatter(all.data(), count, MPI_INT32_T, own.data(), count, MPI_INT32_T, root, team.comm, form);
    PMPI_Scatter(all.data(), count, MPI_INT32_T, expected.data(), count, MPI_INT32_T, root, team.comm);
    EXPECT_EQ(own, expected);
  });
}

TEST(Scatter, IntoHolesAndInPlace) {
  const Gappy gappy;
  for_all([&](const Team& team, const Form& form, int count) {
    const int root = team.size - 1;
    const bool at_root = team.rank == root;
    Values all = at_root ? values_of(root, times(count * Gappy::values, team.size)) : Values{};
    Values own = values_of(team.rank, times(count, Gappy::room));
    Values expected = own;
    void* to = at_root ? MPI_IN_PLACE : own.data();
    scatter(all.data(), Gappy::values * count, MPI_INT32_T, to, count, gappy.handle, root, team.comm, form);
    EXPECT_EQ(all, at_root ? values_of(root, all.size()) : Values{});
    void* there = at_root ? MPI_IN_PLACE : expected.data();
    PMPI_Scatter(all.data(), Gappy::values * count, MPI_INT32_T, there, count, gappy.handle, root, team.comm);
    EXPECT_EQ(own, expected);
  });
}

TEST(Reduce, IsTheLibrarysInSegmentsAndInPlace) {
  for_all_roots([](const Team& team, const Form& form, int count, int root) {
    const Values own = values_of(team.rank, times(count, 1));
    Values expected(times(count, 1), -1);
    PMPI_Reduce(own.data(), expected.data(), count, MPI_INT32_T, MPI_SUM, root, team.comm);
    for (const int segments : {1, 3}) {
      Form cut = form;
      cut.segments = segments;
      Values sum(times(count, 1), -1);
      reduce(own.data(), sum.data(), count, MPI_INT32_T, MPI_SUM, root, team.comm, cut);
      EXPECT_EQ(sum, expected);
    }
    Values in_place = own;
    const bool at_root = team.rank == root;
    reduce(at_root ? MPI_IN_PLACE : own.data(), in_place.data(), count, MPI_INT32_T, MPI_SUM, root, team.comm,
           form);
    EXPECT_EQ(in_place, at_root ? expected : own);
  });
}

TEST(Allreduce, IsTheLibrarysAndInPlace) {
  for_all([](const Team& team, const Form& form, int count) {
    const Values own = values_of(team.rank, times(count, 1));
    Values expected(times(count, 1), -1);
    PMPI_Allreduce(own.data(), expected.data(), count, MPI_INT32_T, MPI_SUM, team.comm);
    Values sum(times(count, 1), -1);
    allreduce(own.data(), sum.data(), count, MPI_INT32_T, MPI_SUM, team.comm, form);
    EXPECT_EQ(sum, expected);
    Values in_place = own;
    allreduce(MPI_IN_PLACE, in_place.data(), count, MPI_INT32_T, MPI_SUM, team.comm, form);
    EXPECT_EQ(in_place, expected);
  });
}

/// Product of 2 x 2 matrices modulo 2^32: associative, and the order matters.
void multiply(void* in, void* inout, int* length, MPI_Datatype* /*type*/) {
  const auto* left = static_cast<const std::uint32_t*>(in);
  auto* right = static_cast<std::uint32_t*>(inout);
  for (int i = 0; i < *length; ++i, left += 4, right += 4) {
    const std::array<std::uint32_t, 4> product = {
        left[0] * right[0] + left[1] * right[2], left[0] * right[1] + left[1] * right[3],
        left[2] * right[0] + left[3] * right[2], left[2] * right[1] + left[3] * right[3]};
    std::copy(product.begin(), product.end(), right);
  }
}

TEST(Reductions, OfAnOperationThatDoesNotCommuteKeepTheOrder) {
  MPI_Datatype matrix = MPI_DATATYPE_NULL;
  MPI_Type_contiguous(4, MPI_UINT32_T, &matrix);
  MPI_Type_commit(&matrix);
  MPI_Op product = MPI_OP_NULL;
  MPI_Op_create(multiply, 0, &product);
  for_all([&](const Team& team, const Form& form, int count) {
    std::vector<std::uint32_t> own(times(count, 4));
    for (std::size_t i = 0; i < own.size(); ++i)
      own[i] = static_cast<std::uint32_t>(team.rank * 17 + 1) + static_cast<std::uint32_t>(i * i % 7);
    std::vector<std::uint32_t> expected(own.size());
    std::vector<std::uint32_t> result(own.size());
    PMPI_Allreduce(own.data(), expected.data(), count, matrix, product, team.comm);
    for (const Algorithm algorithm : {Algorithm::library, Algorithm::reference}) {
      const Form by{.grid = form.grid, .algorithm = algorithm};
      allreduce(own.data(), result.data(), count, matrix, product, team.comm, by);
      EXPECT_EQ(result, expected) << to_string(algorithm);
      const int root = team.size - 1;
      reduce(own.data(), result.data(), count, matrix, product, root, team.comm, by);
      if (team.rank == root) {
        EXPECT_EQ(result, expected) << "reduce, " << to_string(algorithm);
      }
    }
  });
  MPI_Op_free(&product);
  MPI_Type_free(&matrix);
}

TEST(Allgather, IsTheLibrarysAndInPlace) {
  const Gappy gappy;
  for_all([&](const Team& team, const Form& form, int count) {
    const Values own = values_of(team.rank, times(count, Gappy::values));
    Values all(times(count * Gappy::room, team.size), -1);
    Values expected = all;
    PMPI_Allgather(own.data(), Gappy::values * count, MPI_INT32_T, expected.data(), count, gappy.handle,
                   team.comm);
    Values in_place = all;
    std::copy_n(expected.begin() + static_cast<std::ptrdiff_t>(times(count * Gappy::room, team.rank)),
                times(count, Gappy::room),
                in_place.begin() + static_cast<std::ptrdiff_t>(times(count * Gappy::room, team.rank)));
    allgather(own.data(), Gappy::values * count, MPI_INT32_T, all.data(), count, gappy.handle, team.comm,
              form);
    EXPECT_EQ(all, expected);
    allgather(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, in_place.data(), count, gappy.handle, team.comm, form);
    EXPECT_EQ(in_place, expected);
  });
}

/// Of every rank another count, some of them zero, and the blocks in reverse order with a hole between.
struct Shares {
  Shares(int ranks, int count) : counts(static_cast<std::size_t>(ranks)), places(counts.size()) {
    for (std::size_t i = 0; i < counts.size(); ++i) counts[i] = count * static_cast<int>(i % 3);
    for (std::size_t i = counts.size(); i-- > 0;) {
      places[i] = room;
      room += counts[i] + 1;
    }
    total = std::accumulate(counts.begin(), counts.end(), 0);
  }
  std::vector<int> counts;
  std::vector<int> places;
  int room = 0;
  int total = 0;
};

TEST(Allgatherv, PutsBlocksWhereTheyBelong) {
  for_all([](const Team& team, const Form& form, int count) {
    const Shares shares(team.size, count);
    const int mine = shares.counts[static_cast<std::size_t>(team.rank)];
    const Values own = values_of(team.rank, times(mine, 1));
    Values all(times(shares.room, 1), -1);
    Values expected = all;
    allgatherv(own.data(), mine, MPI_INT32_T, all.data(), shares.counts.data(), shares.places.data(),
               MPI_INT32_T, team.comm, form);
    PMPI_Allgatherv(own.data(), mine, MPI_INT32_T, expected.data(), shares.counts.data(),
                    shares.places.data(), MPI_INT32_T, team.comm);
    EXPECT_EQ(all, expected);
  });
}

TEST(ReduceScatter, IsTheLibrarysAndInPlace) {
  for_all([](const Team& team, const Form& form, int count) {
    const Values own = values_of(team.rank, times(count, team.size));
    Values mine(times(count, 1), -1);
    Values expected = mine;
    PMPI_Reduce_scatter_block(own.data(), expected.data(), count, MPI_INT32_T, MPI_SUM, team.comm);
    reduce_scatter(own.data(), mine.data(), count, MPI_INT32_T, MPI_SUM, team.comm, form);
    EXPECT_EQ(mine, expected);
    Values in_place = own;
    reduce_scatter(MPI_IN_PLACE, in_place.data(), count, MPI_INT32_T, MPI_SUM, team.comm, form);
    in_place.resize(times(count, 1));
    EXPECT_EQ(in_place, expected);
  });
}

TEST(ReduceScatter, WithACountForEachRank) {
  for_all([](const Team& team, const Form& form, int count) {
    const Shares shares(team.size, count);
    const Values own = values_of(team.rank, times(shares.total, 1));
    Values mine(times(shares.counts[static_cast<std::size_t>(team.rank)] + 1, 1), -1);  // SMPI takes no null
    Values expected = mine;
    PMPI_Reduce_scatter(own.data(), expected.data(), shares.counts.data(), MPI_INT32_T, MPI_SUM, team.comm);
    reduce_scatterv(own.data(), mine.data(), shares.counts.data(), MPI_INT32_T, MPI_SUM, team.comm, form);
    EXPECT_EQ(mine, expected);
  });
}

TEST(Alltoall, IsTheLibrarysAndInPlace) {
#ifdef STRETTO_SIMGRID  // its own alltoall overruns its memory where a datatype has holes
  constexpr int room = Gappy::values;
  constexpr int per_count = Gappy::values;
  const MPI_Datatype received = MPI_INT32_T;
#else
  const Gappy gappy;
  constexpr int room = Gappy::room;
  constexpr int per_count = 1;
  const MPI_Datatype received = gappy.handle;
#endif
  for_all([&](const Team& team, const Form& form, int count) {
    const Values own = values_of(team.rank, times(count * Gappy::values, team.size));
    Values all(times(count * room, team.size), -1);
    Values expected = all;
    PMPI_Alltoall(own.data(), Gappy::values * count, MPI_INT32_T, expected.data(), per_count * count,
                  received, team.comm);
    alltoall(own.data(), Gappy::values * count, MPI_INT32_T, all.data(), per_count * count, received,
             team.comm, form);
    EXPECT_EQ(all, expected);
    Values plain(own.size());
    PMPI_Alltoall(own.data(), Gappy::values * count, MPI_INT32_T, plain.data(), Gappy::values * count,
                  MPI_INT32_T, team.comm);
    Values in_place = own;
    alltoall(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, in_place.data(), Gappy::values * count, MPI_INT32_T,
             team.comm, form);
    EXPECT_EQ(in_place, plain);
  });
}

TEST(Reference, IsTheLibrarysFlatAndOnAGrid) {
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

TEST(Groups, AreMadeOnceAndFreedWithTheCommunicator) {
  if (world_size() < 4) return;
  const Team team(4);
  if (!team.is_member()) return;
  const std::size_t before = groups_alive();
  const Form form{.grid = Grid{.rows = 2, .columns = 2}};
  int value = 0;
  const int copies = everything() ? 1000 : 20;  // MPICH has about 2,000 communicators: 3,000 are more
  for (int i = 0; i < copies; ++i) {
    MPI_Comm copy = MPI_COMM_NULL;
    MPI_Comm_dup(team.comm, &copy);
    for (int again = 0; again < 3; ++again) {
      value = world_rank();
      broadcast(&value, 1, MPI_INT, team.size - 1, copy, form);
      EXPECT_EQ(value, team.size - 1);
      EXPECT_EQ(groups_alive(), before + 2);
    }
    MPI_Comm_free(&copy);
    EXPECT_EQ(groups_alive(), before);
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

TEST(Groups, OfACommunicatorThatIsFreedWhileAMessageIsUnderWayAreFreed) {
  if (world_size() < 4) return;
  const Team team(4);
  if (!team.is_member()) return;
  const std::size_t before = groups_alive();
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
  EXPECT_EQ(groups_alive(), before);
}

TEST(Misuse, AGridThatDoesNotHoldTheRanksIsRefusedOnAllOfThem) {
  int value = 0;
  const Form form{.grid = {.rows = world_size() + 1, .columns = 2}};
  EXPECT_THROW(broadcast(&value, 1, MPI_INT, 0, MPI_COMM_WORLD, form), std::invalid_argument);
}

}  // namespace
