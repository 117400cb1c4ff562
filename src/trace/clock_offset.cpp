// SPDX-License-Identifier: BSD-3-Clause
#include "trace/clock_offset.hpp"

#include <fstream>
#include <functional>
#include <limits>
#include <string>

#include "trace/stream.hpp"
#include "trace/world.hpp"

namespace stretto::trace {
namespace {

constexpr int rounds = 10;

/// What all processes have in common.
struct Common {
  bool one_clock = false;
  bool one_epoch = false;  ///< all processes know it already
  bool can_record = false;
  bool initialised = false;  ///< whether a process has called MPI_Init
  int root = 0;              ///< the world's rank 0
};

Common find_common(MPI_Comm all, int rank, Joining joining) {
  std::ifstream file("/proc/sys/kernel/random/boot_id");
  std::string boot;
  file >> boot;
  const auto hash = static_cast<long long>(std::hash<std::string>{}(boot) >> 1U);
  const long long own[6] = {hash,
                            -hash,
                            joining.knows_epoch ? 0 : 1,
                            joining.can_record ? 0 : 1,
                            has_initialised() ? 1 : 0,
                            World().rank() == 0 ? rank : 0};
  long long most[6] = {};
  PMPI_Allreduce(own, most, 6, MPI_LONG_LONG, MPI_MAX, all);
  return {.one_clock = !boot.empty() && most[0] == -most[1],
          .one_epoch = most[2] == 0,
          .can_record = most[3] == 0,
          .initialised = most[4] != 0,
          .root = static_cast<int>(most[5])};
}

/// The root's part of the exchange with one rank: replies with its clock's reading.
void answer(int rank, MPI_Comm comm) {
  for (int round = 0; round < rounds; ++round) {
    PMPI_Recv(nullptr, 0, MPI_BYTE, rank, 0, comm, MPI_STATUS_IGNORE);
    auto now = static_cast<long long>(now_ns());
    PMPI_Send(&now, 1, MPI_LONG_LONG, rank, 0, comm);
  }
}

void ask(ClockOffset& clock, int root, MPI_Comm comm) {
  clock.error_ns = std::numeric_limits<std::uint64_t>::max();
  for (int round = 0; round < rounds; ++round) {
    const std::uint64_t begin = now_ns();
    PMPI_Send(nullptr, 0, MPI_BYTE, root, 0, comm);
    long long there = 0;
    PMPI_Recv(&there, 1, MPI_LONG_LONG, root, 0, comm, MPI_STATUS_IGNORE);
    const std::uint64_t end = now_ns();
    if ((end - begin) / 2 >= clock.error_ns) continue;
    clock.error_ns = (end - begin) / 2;
    clock.offset_ns = static_cast<std::int64_t>(begin + (end - begin) / 2) - static_cast<std::int64_t>(there);
  }
}

}  // namespace

Agreed agree_on_clock(MPI_Comm all, Joining own, std::atomic<std::uint64_t>& proposed_ns) {
  int rank = 0;
  int ranks = 1;
  PMPI_Comm_rank(all, &rank);
  PMPI_Comm_size(all, &ranks);
  const Common common = find_common(all, rank, own);
  const bool by_world = common.initialised && all != MPI_COMM_WORLD;
  if (common.one_epoch || by_world || !common.can_record) return {common.can_record, std::nullopt};
  ClockOffset clock;
  if (!common.one_clock) {
    MPI_Comm comm = MPI_COMM_NULL;
    PMPI_Comm_dup(all, &comm);
    if (rank != common.root) ask(clock, common.root, comm);
    for (int other = 0; rank == common.root && other < ranks; ++other) {
      if (other != rank) answer(other, comm);
    }
    PMPI_Comm_free(&comm);
  }
  std::uint64_t none = 0;
  proposed_ns.compare_exchange_strong(none, now_ns());
  auto epoch = static_cast<long long>(proposed_ns.load());
  PMPI_Bcast(&epoch, 1, MPI_LONG_LONG, common.root, all);
  clock.epoch_ns = static_cast<std::uint64_t>(epoch + clock.offset_ns);
  return {true, clock};
}

}  // namespace stretto::trace
