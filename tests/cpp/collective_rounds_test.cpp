// SPDX-License-Identifier: BSD-3-Clause
// The algorithms of collectives: each rank's data reaches the ranks that need it, both ends of a message
// agree on its size, and the numbers of rounds and bytes are the textbook's.
#include "replay/collective_rounds.hpp"

#include <gtest/gtest.h>

#include <deque>
#include <map>
#include <set>

namespace stretto::replay::rounds_test {
namespace {

constexpr Collective all[] = {Collective::barrier,   Collective::broadcast,      Collective::reduce,
                              Collective::allreduce, Collective::gather,         Collective::scatter,
                              Collective::gatherv,   Collective::scatterv,       Collective::allgather,
                              Collective::alltoall,  Collective::reduce_scatter, Collective::scan};

using Known = std::set<std::uint32_t>;

struct Message {
  Known known;
  std::uint64_t bytes;
};

/// Runs the rounds of all ranks: which ranks each has received from in the end. No rank waits for what is not
/// sent.
std::vector<Known> run(CollectiveCall call) {
  std::vector<std::vector<Round>> rounds;
  std::vector<Known> known(call.ranks);
  std::vector<std::size_t> at(call.ranks, 0);
  std::vector<bool> sent(call.ranks, false);
  std::map<std::pair<std::uint32_t, std::uint32_t>, std::deque<Message>> wires;
  for (call.rank = 0; call.rank < call.ranks; ++call.rank) {
    rounds.push_back(rounds_of(call));
    known[call.rank] = {call.rank};
  }
  for (bool moved = true; moved;) {
    moved = false;
    for (std::uint32_t rank = 0; rank < call.ranks; ++rank) {
      if (at[rank] == rounds[rank].size()) continue;
      const Round& round = rounds[rank][at[rank]];
      if (!sent[rank]) {
        for (const RoundMessage& one : round) {
          if (one.sends) wires[{rank, one.peer}].push_back({known[rank], one.bytes});
        }
        sent[rank] = moved = true;
      }
      bool here = true;
      for (const RoundMessage& one : round) here = here && (one.sends || !wires[{one.peer, rank}].empty());
      if (!here) continue;
      for (const RoundMessage& one : round) {
        if (one.sends) continue;
        std::deque<Message>& wire = wires[{one.peer, rank}];
        EXPECT_EQ(wire.front().bytes, one.bytes);
        known[rank].insert(wire.front().known.begin(), wire.front().known.end());
        wire.pop_front();
      }
      ++at[rank];
      sent[rank] = false;
      moved = true;
    }
  }
  for (std::uint32_t rank = 0; rank < call.ranks; ++rank) EXPECT_EQ(at[rank], rounds[rank].size());
  for (const auto& [ends, wire] : wires) EXPECT_TRUE(wire.empty());
  return known;
}

bool must_know(const CollectiveCall& call, std::uint32_t who, std::uint32_t whom) {
  switch (call.what) {
    case Collective::broadcast:
    case Collective::scatter:
    case Collective::scatterv:
      return whom == call.root;
    case Collective::reduce:
    case Collective::gather:
    case Collective::gatherv:
      return who == call.root;
    case Collective::scan:
      return whom <= who;
    default:
      return true;
  }
}

TEST(CollectiveRounds, EachRankDependsOnTheRequiredRanks) {
  for (const Collective what : all) {
    for (std::uint32_t ranks = 1; ranks <= 17; ++ranks) {
      for (const std::uint64_t bytes : {std::uint64_t{8}, std::uint64_t{1} << 20U}) {
        const CollectiveCall call{.what = what, .ranks = ranks, .root = ranks / 3, .bytes = bytes};
        const std::vector<Known> known = run(call);
        for (std::uint32_t who = 0; who < ranks; ++who) {
          for (std::uint32_t whom = 0; whom < ranks; ++whom) {
            if (must_know(call, who, whom)) {
              EXPECT_TRUE(known[who].contains(whom))
                  << static_cast<int>(what) << ": " << who << " of " << ranks;
            }
          }
        }
      }
    }
  }
}

std::uint64_t bytes_sent(const CollectiveCall& call) {
  std::uint64_t bytes = 0;
  for (const Round& round : rounds_of(call)) {
    for (const RoundMessage& one : round) bytes += one.sends ? one.bytes : 0;
  }
  return bytes;
}

TEST(CollectiveRounds, MoveTheTextbooksVolumes) {
  EXPECT_EQ(rounds_of({.what = Collective::barrier, .rank = 3, .ranks = 9}).size(), 4);
  EXPECT_EQ(bytes_sent({.what = Collective::broadcast, .rank = 0, .ranks = 16, .bytes = 10}), 40);
  // A scatter's root sends every block but its own, down a tree.
  EXPECT_EQ(bytes_sent({.what = Collective::scatter, .rank = 0, .ranks = 16, .bytes = 10}), 150);
  EXPECT_EQ(bytes_sent({.what = Collective::alltoall, .rank = 2, .ranks = 5, .bytes = 10}), 40);
  // A ring of long vectors: 2 (p-1)/p of the vector.
  EXPECT_EQ(bytes_sent({.what = Collective::allreduce, .rank = 1, .ranks = 4, .bytes = 1U << 20U}),
            (2U * 3U << 20U) / 4U);
}

TEST(CollectiveRounds, WithCountsEachMessageHasItsOwnBytes) {
  // A transposition that keeps its own block apart, and has nothing for rank 2.
  const CollectiveCall alltoall{.what = Collective::alltoall,
                                .rank = 1,
                                .ranks = 4,
                                .bytes = 250,
                                .sent = {600, 0, 0, 400},
                                .received = {0, 0, 70, 30}};
  const std::vector<Round> rounds = rounds_of(alltoall);
  ASSERT_EQ(rounds.size(), 1);
  std::map<std::pair<bool, std::uint32_t>, std::uint64_t> bytes;
  for (const RoundMessage& one : rounds[0]) bytes[{one.sends, one.peer}] = one.bytes;
  const std::map<std::pair<bool, std::uint32_t>, std::uint64_t> exact = {
      {{true, 0}, 600}, {{true, 3}, 400}, {{false, 2}, 70}, {{false, 3}, 30}};
  EXPECT_EQ(bytes, exact);

  // A ring passes on every block but that of the rank behind.
  EXPECT_EQ(bytes_sent({.what = Collective::allgather,
                        .rank = 0,
                        .ranks = 3,
                        .bytes = 100'000,
                        .received = {1, 299'900, 99}}),
            1 + 99);
  // A root sends each block by itself, and its own not at all.
  EXPECT_EQ(bytes_sent({.what = Collective::scatterv, .rank = 1, .ranks = 3, .root = 1, .sent = {5, 900, 7}}),
            12);
  // Those that have nothing to exchange take part without a message.
  EXPECT_TRUE(
      rounds_of({.what = Collective::alltoall, .ranks = 2, .sent = {8, 0}, .received = {8, 0}}).empty());
}

TEST(CollectiveRounds, AreFoundForAllVariantsByName) {
  EXPECT_EQ(collective_named("MPI_Iallgatherv_c"), Collective::allgather);
  EXPECT_EQ(collective_named("MPI_Gatherv"), Collective::gatherv);
  EXPECT_EQ(collective_named("MPI_Bcast_init"), Collective::broadcast);
  EXPECT_EQ(collective_named("MPI_Ireduce_scatter_block"), Collective::reduce_scatter);
  EXPECT_EQ(collective_named("MPI_Ibarrier"), Collective::barrier);
  EXPECT_FALSE(collective_named("MPI_Isend").has_value());
  EXPECT_FALSE(collective_named("MPI_Neighbor_allgather").has_value());
}

}  // namespace
}  // namespace stretto::replay::rounds_test
