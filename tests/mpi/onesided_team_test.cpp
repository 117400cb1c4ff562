// SPDX-License-Identifier: BSD-3-Clause
// Teams: division, translation of ranks, and collectives that serve other ranks while they wait.
#include <array>
#include <numeric>
#include <stretto/error.hpp>
#include <stretto/region.hpp>
#include <stretto/runtime.hpp>
#include <stretto/team_collective.hpp>
#include <stretto/transfer.hpp>

#include "onesided_world.hpp"

namespace stretto::testing {
namespace {

class OnesidedTeam : public EverySetting {};
INSTANTIATE_TEST_SUITE_P(Settings, OnesidedTeam, ::testing::ValuesIn(settings()), name_of);

TEST_P(OnesidedTeam, ASplitTeamHasItsOwnRanksMemoryAndCollectives) {
  Runtime runtime(MPI_COMM_WORLD, options());
  const Team world = runtime.world();
  EXPECT_FALSE(world.split(-1).has_value());
  // Even and odd ranks, in reverse order.
  const std::optional<Team> half = world.split(runtime.rank() % 2, -runtime.rank());
  ASSERT_TRUE(half.has_value());
  for (int member = 0; member < half->size(); ++member) {
    const int rank = half->translate(member, world);
    EXPECT_EQ(rank % 2, runtime.rank() % 2);
    EXPECT_EQ(world.translate(rank, *half), member);
    const int before = member > 0 ? half->translate(member - 1, world) : runtime.size();
    EXPECT_LT(rank, before);
  }
  for (const int absent : {-1, half->size()}) {
    EXPECT_THROW((void)half->translate(absent, world), ArgumentError);
    EXPECT_THROW((void)half->runtime_rank(absent), ArgumentError);
  }
  for (const int absent : {-1, runtime.size()}) EXPECT_THROW((void)half->team_rank(absent), ArgumentError);
  Region region(*half, 8);
  const int next = (half->rank() + 1) % half->size();
  put_value(region, {.target = next}, std::int64_t{runtime.rank()});
  half->barrier();
  const int before = (half->rank() + half->size() - 1) % half->size();
  EXPECT_EQ(region.local_as<std::int64_t>()[0], half->translate(before, world));
  int sum = 0;
  for (int rank = runtime.rank() % 2; rank < runtime.size(); rank += 2) sum += rank;
  EXPECT_EQ(allreduce(*half, runtime.rank(), Reduction::sum), sum);
  half->barrier();
}

TEST_P(OnesidedTeam, CollectivesMoveWhatTheyShould) {
  Runtime runtime(MPI_COMM_WORLD, options());
  const Team team = runtime.world();
  const int size = team.size();
  const int rank = team.rank();
  const auto ranks = static_cast<std::size_t>(size);

  std::vector<double> data(100, rank);
  broadcast(team, data, size - 1);
  EXPECT_EQ(data, std::vector<double>(100, size - 1));

  const std::array<std::int32_t, 2> mine{rank, -rank};
  std::vector<std::int32_t> all(2 * ranks);
  allgather(team, mine, all);
  std::vector<std::uint64_t> blocks(ranks);
  std::vector<std::uint64_t> received(ranks);
  for (std::size_t i = 0; i < ranks; ++i) blocks[i] = 100 * static_cast<std::uint64_t>(rank) + i;
  alltoall(team, blocks, received);
  for (std::size_t i = 0; i < ranks; ++i) {
    EXPECT_EQ(all[2 * i], static_cast<std::int32_t>(i));
    EXPECT_EQ(all[2 * i + 1], -static_cast<std::int32_t>(i));
    EXPECT_EQ(received[i], 100 * i + static_cast<std::uint64_t>(rank));
  }

  const std::array<float, 2> reals{static_cast<float>(rank), 1.0F};
  std::array<float, 2> result{};
  reduce(team, reals, result, Reduction::max, 0);
  const std::array<float, 2> largest{static_cast<float>(size - 1), 1.0F};
  EXPECT_EQ(result, rank == 0 ? largest : (std::array<float, 2>{}));
  EXPECT_EQ(allreduce(team, std::uint32_t{1} << static_cast<unsigned>(rank), Reduction::bit_or),
            (std::uint32_t{1} << ranks) - 1);
  EXPECT_EQ(allreduce(team, std::int64_t{rank + 1}, Reduction::min), 1);
  EXPECT_EQ(allreduce(team, rank == 0 ? 0 : 1, Reduction::logical_and), 0);
  EXPECT_EQ(allreduce(team, 2.0, Reduction::product), static_cast<double>(1U << ranks));

  EXPECT_THROW(broadcast(team, data, size), ArgumentError);
  EXPECT_THROW(allgather(team, mine, data), ArgumentError);
  EXPECT_THROW((void)allreduce(team, 1.0, Reduction::bit_and), ArgumentError);
  runtime.barrier();
}

// A rank that waits in a collective serves what another must have before it comes to it.
TEST_P(OnesidedTeam, AWaitServesOtherRanks) {
  Runtime runtime(MPI_COMM_WORLD, options());
  constexpr std::size_t size = 20000;
  Region region(runtime, size);
  const auto data = patterned(0, size, 3);
  if (runtime.rank() == 0) {
    std::vector<std::byte> got(size);
    for (int target = 1; target < runtime.size(); ++target) {
      put(region, {.target = target}, data);
      runtime.fence(target);
      get(region, {.target = target}, got);
      EXPECT_EQ(got, data);
    }
  }
  EXPECT_EQ(allreduce(runtime.world(), 1, Reduction::sum), runtime.size());
  runtime.barrier();
}

TEST_P(OnesidedTeam, NonblockingOnesRunTogetherAndABarrierFences) {
  Runtime runtime(MPI_COMM_WORLD, options());
  const Team team = runtime.world();
  Region region(runtime, 5000);
  const int right = (runtime.rank() + 1) % runtime.size();
  const auto data = patterned(runtime.rank(), 5000, 4);
  Handle handle = nonblocking::put(region, {.target = right}, data);
  std::array<std::int64_t, 1> sum{};
  std::vector<std::int64_t> all(static_cast<std::size_t>(team.size()));
  const std::array<std::int64_t, 1> mine{runtime.rank()};
  TeamRequest reduction = nonblocking::allreduce(team, mine, sum, Reduction::sum);
  TeamRequest gathered = nonblocking::allgather(team, mine, all);
  TeamRequest barrier = nonblocking::barrier(team);
  while (!barrier.test()) {
  }
  const int left = (runtime.rank() + runtime.size() - 1) % runtime.size();
  const auto expected = patterned(left, 5000, 4);
  const auto here = region.local();
  EXPECT_TRUE(std::equal(here.begin(), here.end(), expected.begin()));
  reduction.wait();
  EXPECT_FALSE(reduction.pending());
  gathered.wait();
  EXPECT_EQ(sum[0], std::accumulate(all.begin(), all.end(), std::int64_t{0}));
  runtime.wait(handle);
  runtime.barrier();
}

}  // namespace
}  // namespace stretto::testing
