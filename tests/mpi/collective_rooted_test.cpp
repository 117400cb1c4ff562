// SPDX-License-Identifier: BSD-3-Clause
// Broadcast, gather, scatter and the reductions in two phases give bit for bit the results of the MPI
// library.
#include <array>

#include "collective_teams.hpp"

namespace stretto::collective {
namespace {

TEST(Rooted, EqualTheLibrary) { for_all_roots(expect_as_the_library); }

TEST(Broadcast, InSegmentsOfDataThatEachRankDescribesItsOwnWay) {
  const Gappy gappy;
  for_all([&](const Team& team, const Form& form, int count) {
    const int root = team.size - 1;
    const bool holes = team.rank % 2 == 1;
    const int extent = holes ? Gappy::extent : Gappy::values;
    const Values own = values_of(team.rank, times(count, extent));
    Values values = own;
    Form cut = form;
    cut.segments = 5;
    broadcast(values.data(), holes ? count : count * Gappy::values, holes ? gappy.handle : MPI_INT32_T, root,
              team.comm, cut);
    // The root's values, without its holes; this rank's holes are unchanged.
    const bool root_holes = root % 2 == 1;
    const Values sent = values_of(root, times(count, root_holes ? Gappy::extent : Gappy::values));
    Values expected = own;
    for (std::size_t i = 0; i < times(count, Gappy::values); ++i) {
      expected[holes ? 2 * i : i] = sent[root_holes ? 2 * i : i];
    }
    EXPECT_EQ(values, expected);
  });
}

TEST(Gather, WithHolesAtTheRootAndItsBlockInPlace) {
  const Gappy gappy;
  for_all([&](const Team& team, const Form& form, int count) {
    const int root = team.size - 1;
    const bool at_root = team.rank == root;
    const Values own = values_of(team.rank, times(count, Gappy::values));
    Values all = at_root ? values_of(root, times(count * Gappy::extent, team.size)) : Values{};
    Values expected = all;
    const void* send = at_root ? MPI_IN_PLACE : own.data();
    gather(send, Gappy::values * count, MPI_INT32_T, all.data(), count, gappy.handle, root, team.comm, form);
    PMPI_Gather(send, Gappy::values * count, MPI_INT32_T, expected.data(), count, gappy.handle, root,
                team.comm);
    EXPECT_EQ(all, expected);
  });
}

TEST(Scatter, IntoHolesAndInPlace) {
  const Gappy gappy;
  for_all([&](const Team& team, const Form& form, int count) {
    const int root = team.size - 1;
    const bool at_root = team.rank == root;
    Values all = at_root ? values_of(root, times(count * Gappy::values, team.size)) : Values{};
    Values own = values_of(team.rank, times(count, Gappy::extent));
    Values expected = own;
    void* to = at_root ? MPI_IN_PLACE : own.data();
    scatter(all.data(), Gappy::values * count, MPI_INT32_T, to, count, gappy.handle, root, team.comm, form);
    EXPECT_EQ(all, at_root ? values_of(root, all.size()) : Values{});
    void* there = at_root ? MPI_IN_PLACE : expected.data();
    PMPI_Scatter(all.data(), Gappy::values * count, MPI_INT32_T, there, count, gappy.handle, root, team.comm);
    EXPECT_EQ(own, expected);
  });
}

TEST(Reduce, InSegmentsAndInPlaceEqualsTheLibrary) {
  for_all_roots([](const Team& team, const Form& form, int count, int root) {
    const Values own = values_of(team.rank, times(count, 1));
    Values expected(times(count, 1), -1);
    PMPI_Reduce(own.data(), expected.data(), count, MPI_INT32_T, MPI_SUM, root, team.comm);
    Form cut = form;
    cut.segments = 3;
    Values sum(times(count, 1), -1);
    reduce(own.data(), sum.data(), count, MPI_INT32_T, MPI_SUM, root, team.comm, cut);
    EXPECT_EQ(sum, expected);
    Values in_place = own;
    const bool at_root = team.rank == root;
    reduce(at_root ? MPI_IN_PLACE : own.data(), in_place.data(), count, MPI_INT32_T, MPI_SUM, root, team.comm,
           form);
    EXPECT_EQ(in_place, at_root ? expected : own);
  });
}

TEST(Allreduce, InPlaceEqualsTheLibrary) {
  for_all([](const Team& team, const Form& form, int count) {
    const Values own = values_of(team.rank, times(count, 1));
    Values expected(times(count, 1), -1);
    PMPI_Allreduce(own.data(), expected.data(), count, MPI_INT32_T, MPI_SUM, team.comm);
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

TEST(Reductions, ANoncommutativeOperationKeepsTheRankOrder) {
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

/// Sum of elements with holes, which remain unchanged.
void add_gappy(void* in, void* inout, int* length, MPI_Datatype* /*type*/) {
  const auto* from = static_cast<const std::int32_t*>(in);
  auto* to = static_cast<std::int32_t*>(inout);
  for (int i = 0; i < *length; ++i, from += Gappy::extent, to += Gappy::extent) {
    to[0] += from[0];
    to[2] += from[2];
  }
}

TEST(Reductions, AUserDefinedOperationOnNoncontiguousElements) {
  const Gappy gappy;
  MPI_Op add = MPI_OP_NULL;
  MPI_Op_create(add_gappy, 1, &add);
  for_all([&](const Team& team, const Form& form, int count) {
    const Values own = values_of(team.rank, times(count, Gappy::extent));
    const Values before(own.size(), -1);
    Values expected = before;
    PMPI_Allreduce(own.data(), expected.data(), count, gappy.handle, add, team.comm);
    Values all = before;
    allreduce(own.data(), all.data(), count, gappy.handle, add, team.comm, form);
    const int root = team.size / 2;
    Values at_root = before;
    Form cut = form;
    cut.segments = 2;
    reduce(own.data(), at_root.data(), count, gappy.handle, add, root, team.comm, cut);
    for (std::size_t i = 0; i < own.size(); i += 2) {  // what stands in holes is nobody's
      EXPECT_EQ(all[i], expected[i]);
      EXPECT_EQ(at_root[i], team.rank == root ? expected[i] : before[i]);
    }
  });
  MPI_Op_free(&add);
}

}  // namespace
}  // namespace stretto::collective
