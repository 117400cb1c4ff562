// SPDX-License-Identifier: BSD-3-Clause
// Every transport over MPI moves the right data from every rank to every other, in all sizes and places.
#include "exchange/transports.hpp"

#include <gtest/gtest.h>

#include <stdexcept>

#include "exchange/mpi_team.hpp"
#include "exchange/pieces.hpp"
#include "exchange/prepared_requests.hpp"
#include "mpi/check.hpp"
#include "world_ranks.hpp"

namespace stretto::exchange {
namespace {

struct World {
  int rank = world_rank();
  int size = world_size();
};

void barrier() { mpi::check(MPI_Barrier(MPI_COMM_WORLD), "MPI_Barrier"); }

/// Ranks a and b use place (a + b) mod P: distinct for all partners of a rank, equal on both sides.
Transfer between(const World& world, ChannelOperation operation, int peer, std::size_t size_bytes) {
  return {.operation = operation,
          .peer = peer,
          .size_bytes = size_bytes,
          .offset_bytes = static_cast<std::size_t>((world.rank + peer) % world.size) * size_bytes};
}

/// Every rank to every other one concurrently; calls `poll` in between.
void exchange(Channel& transport, ChannelOperation operation, std::size_t size_bytes, std::uint32_t seed) {
  const World world;
  transport.reserve(size_bytes * static_cast<std::size_t>(world.size));
  transport.fill(seed);
  transport.barrier();
  for (int step = 1; step < world.size && operation == ChannelOperation::send; ++step) {
    transport.expect(between(world, operation, (world.rank + world.size - step) % world.size, size_bytes));
  }
  for (int step = 1; step < world.size; ++step) {
    transport.start(between(world, operation, (world.rank + step) % world.size, size_bytes));
    transport.poll();
  }
  transport.finish();
  transport.barrier();
  for (int peer = 0; peer < world.size; ++peer) {
    if (peer == world.rank) continue;
    EXPECT_TRUE(transport.arrived(between(world, operation, peer, size_bytes), seed))
        << to_string(operation) << " of " << size_bytes << " bytes from rank " << peer;
    EXPECT_FALSE(transport.arrived(between(world, operation, peer, size_bytes), seed + 1));
  }
  transport.barrier();
}

void exchange_all_sizes(Channel& transport) {
  std::uint32_t seed = 0;
  for (const ChannelOperation operation : all_operations) {
    if (!transport.supports(operation)) continue;
    for (const std::size_t size_bytes : {8, 9, 1000, 65536, 1 << 20})
      exchange(transport, operation, size_bytes, ++seed);
  }
}

TEST(TwoSidedChannel, CarriesAllBytes) {
  const auto made = two_sided_channel(MPI_COMM_WORLD);
  Channel& transport = *made;
  exchange_all_sizes(transport);
}

TEST(PersistentChannel, CarriesAllBytes) {
  const auto made = persistent_channel(MPI_COMM_WORLD);
  Channel& transport = *made;
  for (int time = 0; time < 3; ++time) exchange_all_sizes(transport);
}

/// A message in parts from every rank to the next, computed out of order.
void exchange_parts(Channel& transport, ChannelOperation operation, int parts, std::uint32_t seed) {
  const World world;
  if (world.size == 1) return;
  const auto size_bytes = static_cast<std::size_t>(parts) * 4096;
  const Transfer to{.operation = operation, .peer = (world.rank + 1) % world.size, .size_bytes = size_bytes};
  const Transfer from{
      .operation = operation, .peer = (world.rank + world.size - 1) % world.size, .size_bytes = size_bytes};
  transport.reserve(size_bytes);
  transport.fill(seed);
  transport.barrier();
  if (transport.has_passive_side(operation)) transport.expect_parts(from, parts);
  transport.start_parts(to, parts);
  for (int part = parts - 1; part >= 0; --part) {
    transport.ready(to, parts, transport.name() == "mpi-partitioned" ? part : parts - 1 - part);
    transport.poll();
  }
  transport.finish();
  transport.barrier();
  EXPECT_TRUE(transport.arrived(from, seed)) << parts << " parts of " << to_string(operation);
  EXPECT_FALSE(transport.arrived(from, seed + 1));
  transport.barrier();
}

TEST(TwoSidedChannel, CarriesPartsAsMessages) {
  const auto made = two_sided_channel(MPI_COMM_WORLD);
  Channel& transport = *made;
  for (const int parts : {1, 3, 16}) exchange_parts(transport, ChannelOperation::send, parts, 5);
}

TEST(RmaChannel, CarriesPartsAsPuts) {
  const auto made = rma_channel(MPI_COMM_WORLD);
  Channel& transport = *made;
  for (const int parts : {1, 3, 16}) exchange_parts(transport, ChannelOperation::put, parts, 5);
}

TEST(PartitionedChannel, CarriesPartsInAnyOrderAgainAndAgain) {
  const auto made = partitioned_channel(MPI_COMM_WORLD);
  EXPECT_EQ(made == nullptr, !partitioned_absence().empty());
  if (made == nullptr) GTEST_SKIP() << partitioned_absence();
  for (int time = 0; time < 2; ++time) exchange_all_sizes(*made);
  for (int time = 0; time < 3; ++time) {
    for (const int parts : {1, 3, 16}) exchange_parts(*made, ChannelOperation::send, parts, 5);
  }
}

TEST(RmaChannel, CarriesAllBytes) {
  const auto made = rma_channel(MPI_COMM_WORLD);
  Channel& transport = *made;
  exchange_all_sizes(transport);
}

TEST(RmaChannel, AWindowThatHasGrownStillCarriesAllBytes) {
  const auto made = rma_channel(MPI_COMM_WORLD);
  Channel& transport = *made;
  for (const std::size_t size_bytes : {16, 4096, 64, 1 << 18})
    exchange(transport, ChannelOperation::put, size_bytes, 7);
}

/// The runtimes that must carry the same: as they are, and as if every rank were a node of its own.
std::vector<Options> runtimes() {
#ifdef STRETTO_SIMGRID
  const stretto::Progress helped = stretto::Progress::poll;
#else
  const stretto::Progress helped = stretto::Progress::thread;
#endif
  return {{.progress = stretto::Progress::none},
          {.progress = helped},
          {.progress = stretto::Progress::none, .path = Path::message},
          {.progress = helped, .node_ranks = 1}};
}

TEST(OneSidedChannel, CarriesAllBytes) {
  for (const Options& options : runtimes()) {
    MpiTeam team(MPI_COMM_WORLD);
    const auto made = one_sided_channel(MPI_COMM_WORLD, team, options);
    Channel& transport = *made;
    transport.open();
    exchange_all_sizes(transport);
    transport.close();
  }
}

TEST(OneSidedChannel, CanBeOpenedAgainAndGrows) {
  MpiTeam team(MPI_COMM_WORLD);
  const auto made = one_sided_channel(MPI_COMM_WORLD, team, Options{.progress = stretto::Progress::none});
  Channel& transport = *made;
  for (int time = 0; time < 2; ++time) {
    transport.open();
    for (const std::size_t size_bytes : {16, 4096, 64})
      exchange(transport, ChannelOperation::put, size_bytes, 3);
    transport.close();
  }
}

// Only the rank that waits for the harness's message serves the get: without that, this is a deadlock.
TEST(OneSidedChannel, ARankThatWaitsForTheTeamServesOthers) {
  MpiTeam team(MPI_COMM_WORLD);
  const auto made = one_sided_channel(MPI_COMM_WORLD, team,
                                      Options{.progress = stretto::Progress::none, .path = Path::message});
  Channel& transport = *made;
  const Transfer from_last{.operation = ChannelOperation::get, .peer = team.size() - 1, .size_bytes = 8};
  transport.open();
  transport.reserve(8);
  transport.fill(9);
  transport.barrier();
  if (team.rank() == 0) {
    transport.start(from_last);
    transport.finish();
    EXPECT_TRUE(transport.arrived(from_last, 9));
  }
  int told = team.rank() == 0 ? 1 : 0;
  team.share(told);
  EXPECT_EQ(told, 1);
  transport.close();
}

TEST(OneSidedChannel, ATicketIsFinishedAlone) {
  MpiTeam team(MPI_COMM_WORLD);
  const auto made = one_sided_channel(MPI_COMM_WORLD, team,
                                      Options{.progress = stretto::Progress::none, .path = Path::message});
  Channel& transport = *made;
  transport.open();
  transport.reserve(64);
  transport.fill(4);
  transport.barrier();
  const int next = (team.rank() + 1) % team.size();
  std::vector<Ticket> tickets;
  for (std::size_t i = 0; i < 8; ++i) {
    tickets.push_back(transport.start(
        {.operation = ChannelOperation::get, .peer = next, .size_bytes = 8, .offset_bytes = 8 * i}));
  }
  for (std::size_t i = 8; i-- > 0;) {
    transport.finish(tickets[i]);
    EXPECT_TRUE(transport.arrived(
        {.operation = ChannelOperation::get, .peer = next, .size_bytes = 8, .offset_bytes = 8 * i}, 4));
  }
  transport.finish();
  transport.close();
}

std::int64_t messages_to(const Channel& transport, int target) {
  std::int64_t messages = 0;
  for (const measure::PathCount& count : transport.path_counts()) {
    if (count.target == target && transport.paths()[static_cast<std::size_t>(count.path)] == "message")
      messages += count.messages;
  }
  return messages;
}

// Figure 7 of the ARMCI paper: 1000 doubles are 1000 messages, or one.
TEST(OneSidedChannel, PiecesTravelTogetherInOneMessage) {
  MpiTeam team(MPI_COMM_WORLD);
  const auto made = one_sided_channel(MPI_COMM_WORLD, team,
                                      Options{.progress = stretto::Progress::none, .path = Path::message});
  Channel& transport = *made;
  transport.open();
  transport.reserve(std::size_t{1000} * 24);
  std::uint32_t seed = 0;
  for (const ChannelOperation operation : {ChannelOperation::put, ChannelOperation::get}) {
    for (const Method method : all_methods) {
      transport.fill(++seed);
      transport.barrier();
      const int next = (team.rank() + 1) % team.size();
      const int previous = (team.rank() + team.size() - 1) % team.size();
      const Pieces pieces{
          .operation = operation, .peer = next, .count = 1000, .piece_bytes = 8, .stride_bytes = 24};
      const std::int64_t before = messages_to(transport, next);
      transport.start_pieces(pieces, method);
      transport.finish();
      EXPECT_EQ(messages_to(transport, next) - before, method == Method::individual ? 1000 : 1)
          << to_string(operation) << " " << to_string(method);
      transport.barrier();
      Transfer last = pieces.piece(999);
      if (operation == ChannelOperation::put) last.peer = previous;
      EXPECT_TRUE(transport.arrived(last, seed)) << to_string(operation) << " " << to_string(method);
    }
  }
  transport.close();
}

TEST(PersistentChannel, ARequestThatCouldNotBeMadeIsMadeTheNextTime) {
  PreparedRequests requests;
  const Transfer transfer{.peer = MPI_PROC_NULL, .size_bytes = 1};
  std::byte data{};
  int calls = 0;
  const auto make = [&](MPI_Request& request) {
    if (calls++ == 0) throw std::runtime_error("no memory");
    mpi::check(MPI_Send_init(&data, 1, MPI_BYTE, MPI_PROC_NULL, 0, MPI_COMM_SELF, &request), "MPI_Send_init");
  };
  EXPECT_THROW((void)requests.acquire(true, transfer, 1, make), std::runtime_error);
  MPI_Request& request = requests.acquire(true, transfer, 1, make);
  ASSERT_NE(request, MPI_REQUEST_NULL);
  EXPECT_EQ(calls, 2);
  requests.release();
  EXPECT_EQ(&requests.acquire(true, transfer, 1, make), &request);
  EXPECT_EQ(calls, 2);
}

TEST(TwoSidedChannel, ATicketIsFinishedAlone) {
  const auto made = two_sided_channel(MPI_COMM_WORLD);
  Channel& transport = *made;
  const World world;
  transport.reserve(16);
  transport.fill(6);
  const Transfer to_itself{.peer = world.rank, .size_bytes = 8};
  const Ticket expected = transport.expect(to_itself);
  const Ticket never = transport.expect({.peer = world.rank, .size_bytes = 8, .offset_bytes = 8});
  transport.start(to_itself);
  transport.finish(expected);
  EXPECT_TRUE(transport.arrived(to_itself, 6));
  transport.start({.peer = world.rank, .size_bytes = 8, .offset_bytes = 8});
  transport.finish(never);
  transport.finish();
}

TEST(RequestChannel, AGetIsARequestAndItsAnswer) {
  const auto made = request_channel(MPI_COMM_WORLD);
  Channel& transport = *made;
  const World world;
  transport.reserve(64);
  transport.fill(8);
  transport.barrier();
  const int next = (world.rank + 1) % world.size;
  const int previous = (world.rank + world.size - 1) % world.size;
  for (std::size_t i = 0; i < 4; ++i) {
    transport.expect(
        {.operation = ChannelOperation::get, .peer = previous, .size_bytes = 16, .offset_bytes = 16 * i});
    transport.start(
        {.operation = ChannelOperation::get, .peer = next, .size_bytes = 16, .offset_bytes = 16 * i});
  }
  transport.poll();
  transport.finish();
  EXPECT_TRUE(transport.arrived({.operation = ChannelOperation::get, .peer = next, .size_bytes = 64}, 8));
  EXPECT_FALSE(transport.arrived({.operation = ChannelOperation::get, .peer = next, .size_bytes = 64}, 9));
}

TEST(Transports, ReportUnsupportedOperations) {
  const auto made_two_sided = two_sided_channel(MPI_COMM_WORLD);
  const Channel& two_sided = *made_two_sided;
  const auto made_rma = rma_channel(MPI_COMM_WORLD);
  const Channel& rma = *made_rma;
  EXPECT_TRUE(two_sided.supports(ChannelOperation::send) && !two_sided.supports(ChannelOperation::put));
  EXPECT_TRUE(rma.supports(ChannelOperation::get) && !rma.supports(ChannelOperation::send));
  EXPECT_FALSE(rma.supports(ProgressMode::thread));
  MpiTeam team(MPI_COMM_WORLD);
  const auto made_quiet =
      one_sided_channel(MPI_COMM_WORLD, team, Options{.progress = stretto::Progress::none});
  const Channel& quiet = *made_quiet;
  const auto made_helped =
      one_sided_channel(MPI_COMM_WORLD, team, Options{.progress = stretto::Progress::thread});
  const Channel& helped = *made_helped;
  EXPECT_TRUE(quiet.supports(ChannelOperation::put) && quiet.supports(ChannelOperation::get));
  EXPECT_FALSE(quiet.supports(ChannelOperation::send));
  EXPECT_TRUE(quiet.supports(ProgressMode::none) && quiet.supports(ProgressMode::poll));
  EXPECT_FALSE(quiet.supports(ProgressMode::thread));
  EXPECT_TRUE(helped.supports(ProgressMode::thread) && !helped.supports(ProgressMode::none));
  EXPECT_TRUE(helped.needs_exclusive_run() && !rma.needs_exclusive_run());
}

TEST(Transports, ARankSendsToItself) {
  const auto made_rma = rma_channel(MPI_COMM_WORLD);
  Channel& rma = *made_rma;
  const World world;
  rma.reserve(64);
  rma.fill(5);
  barrier();
  rma.start({.operation = ChannelOperation::get, .peer = world.rank, .size_bytes = 64});
  rma.finish();
  EXPECT_TRUE(rma.arrived({.operation = ChannelOperation::get, .peer = world.rank, .size_bytes = 64}, 5));
  barrier();
}

}  // namespace
}  // namespace stretto::exchange
