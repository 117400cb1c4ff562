// SPDX-License-Identifier: BSD-3-Clause
// What the tests of collectives share: teams of the first p ranks, the grids, roots and counts to be tested,
// values that tell rank and place apart. STRETTO_EVERYTHING=1 takes the whole cross product (TESTING.md);
// else a part of it, because ranks that share a core are slow.
#pragma once

#include <gtest/gtest.h>
#include <mpi.h>

#include <cstdint>
#include <cstdlib>
#include <functional>
#include <numeric>
#include <stretto/collective.hpp>
#include <vector>

#include "world_ranks.hpp"

namespace stretto::collective {

inline bool everything() { return std::getenv("STRETTO_EVERYTHING") != nullptr; }

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

inline std::vector<int> team_sizes() {
  std::vector<int> sizes;
  for (int p = 1; p <= world_size(); ++p) {
    const bool few = p == 4 || p == 6 || p == 7 || p == 9;
    if (everything() ? p <= 12 || p == 16 : few) sizes.push_back(p);
  }
  return sizes;
}

/// All factorisations, and the ragged grids: all, or the one of two columns and the one of two rows.
inline std::vector<Grid> grids_of(int p) {
  std::vector<Grid> grids = factorisations(p);
  for (int columns = 2; columns < p; ++columns) {
    if (p % columns != 0 && (everything() || columns == 2 || columns == p - 1)) {
      grids.push_back(grid_of_columns(p, columns));
    }
  }
  return grids;
}

/// Every root, or one in the middle and the last, which may be in a row that is not full.
inline std::vector<int> roots_of(int p) {
  if (!everything()) return p == 1 ? std::vector<int>{0} : std::vector<int>{p / 2, p - 1};
  std::vector<int> roots(static_cast<std::size_t>(p));
  std::iota(roots.begin(), roots.end(), 0);
  return roots;
}

inline std::vector<int> counts() {
  if (everything()) return {0, 1, 7, 300};
  return {0, 1, 33};
}

/// Calls `check` for every team, grid and count, on the members of the team.
inline void for_all(const std::function<void(const Team&, const Form&, int count)>& check) {
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

inline void for_all_roots(const std::function<void(const Team&, const Form&, int count, int root)>& check) {
  for_all([&](const Team& team, const Form& form, int count) {
    for (const int root : roots_of(team.size)) {
      SCOPED_TRACE(::testing::Message() << "root " << root);
      check(team, form, count, root);
    }
  });
}

using Values = std::vector<std::int32_t>;

/// Values that tell rank and place apart; small, so that sums are exact.
inline Values values_of(int rank, std::size_t count) {
  Values values(count);
  for (std::size_t i = 0; i < count; ++i) {
    values[i] = static_cast<std::int32_t>((static_cast<std::size_t>(rank) * 7919 + i * 31) % 1013);
  }
  return values;
}

inline std::size_t times(int count, int ranks) {
  return static_cast<std::size_t>(count) * static_cast<std::size_t>(ranks);
}

/// Every operation that a reference algorithm has gives the results of the MPI library.
inline void expect_as_the_library(const Team& team, const Form& form, int count, int root) {
  const bool at_root = team.rank == root;
  const Values own = values_of(team.rank, times(count, 1));
  Values expected(times(count, team.size), -1);
  PMPI_Allgather(own.data(), count, MPI_INT32_T, expected.data(), count, MPI_INT32_T, team.comm);
  Values all(expected.size(), -1);
  allgather(own.data(), count, MPI_INT32_T, all.data(), count, MPI_INT32_T, team.comm, form);
  EXPECT_EQ(all, expected);
  Values gathered(at_root ? expected.size() : 0, -1);
  gather(own.data(), count, MPI_INT32_T, gathered.data(), count, MPI_INT32_T, root, team.comm, form);
  EXPECT_EQ(gathered, at_root ? expected : Values{});
  Values values(own.size(), -1);
  scatter(gathered.data(), count, MPI_INT32_T, values.data(), count, MPI_INT32_T, root, team.comm, form);
  EXPECT_EQ(values, own);
  broadcast(values.data(), count, MPI_INT32_T, root, team.comm, form);
  EXPECT_EQ(values, values_of(root, times(count, 1)));
  Values expected_sum(own.size(), -1);
  PMPI_Allreduce(own.data(), expected_sum.data(), count, MPI_INT32_T, MPI_SUM, team.comm);
  Values sum(own.size(), -1);
  allreduce(own.data(), sum.data(), count, MPI_INT32_T, MPI_SUM, team.comm, form);
  EXPECT_EQ(sum, expected_sum);
  Values at_one(own.size(), -1);
  reduce(own.data(), at_one.data(), count, MPI_INT32_T, MPI_SUM, root, team.comm, form);
  EXPECT_EQ(at_one, at_root ? expected_sum : Values(own.size(), -1));
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
  static constexpr int extent = 4;  ///< integers from one to the next
  MPI_Datatype handle = MPI_DATATYPE_NULL;
};

}  // namespace stretto::collective
