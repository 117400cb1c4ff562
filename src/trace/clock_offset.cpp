// SPDX-License-Identifier: BSD-3-Clause
#include "trace/clock_offset.hpp"

#include <mpi.h>

#include <fstream>
#include <functional>
#include <limits>
#include <string>

#include "trace/stream.hpp"

namespace stretto::trace {
namespace {

constexpr int rounds = 10;

bool one_clock() {
  std::ifstream file("/proc/sys/kernel/random/boot_id");
  std::string boot;
  file >> boot;
  const auto hash = static_cast<long long>(std::hash<std::string>{}(boot) >> 1U);
  long long both[2] = {hash, -hash};
  long long most[2] = {};
  PMPI_Allreduce(both, most, 2, MPI_LONG_LONG, MPI_MAX, MPI_COMM_WORLD);
  return !boot.empty() && most[0] == -most[1];
}

/// Rank 0's part of the exchange with one rank: replies with its clock's reading.
void answer(int rank, MPI_Comm comm) {
  for (int round = 0; round < rounds; ++round) {
    PMPI_Recv(nullptr, 0, MPI_BYTE, rank, 0, comm, MPI_STATUS_IGNORE);
    auto now = static_cast<long long>(now_ns());
    PMPI_Send(&now, 1, MPI_LONG_LONG, rank, 0, comm);
  }
}

void ask(ClockOffset& clock, MPI_Comm comm) {
  clock.error_ns = std::numeric_limits<std::uint64_t>::max();
  for (int round = 0; round < rounds; ++round) {
    const std::uint64_t begin = now_ns();
    PMPI_Send(nullptr, 0, MPI_BYTE, 0, 0, comm);
    long long there = 0;
    PMPI_Recv(&there, 1, MPI_LONG_LONG, 0, 0, comm, MPI_STATUS_IGNORE);
    const std::uint64_t end = now_ns();
    if ((end - begin) / 2 >= clock.error_ns) continue;
    clock.error_ns = (end - begin) / 2;
    clock.offset_ns = static_cast<std::int64_t>(begin + (end - begin) / 2) - static_cast<std::int64_t>(there);
  }
}

}  // namespace

ClockOffset find_clock_offset() {
  ClockOffset clock;
  int rank = 0;
  int ranks = 1;
  PMPI_Comm_rank(MPI_COMM_WORLD, &rank);
  PMPI_Comm_size(MPI_COMM_WORLD, &ranks);
  if (!one_clock()) {
    MPI_Comm comm = MPI_COMM_NULL;
    PMPI_Comm_dup(MPI_COMM_WORLD, &comm);
    if (rank != 0) ask(clock, comm);
    for (int other = 1; rank == 0 && other < ranks; ++other) answer(other, comm);
    PMPI_Comm_free(&comm);
  }
  auto epoch = static_cast<long long>(now_ns());
  PMPI_Bcast(&epoch, 1, MPI_LONG_LONG, 0, MPI_COMM_WORLD);
  clock.epoch_ns = static_cast<std::uint64_t>(epoch + clock.offset_ns);
  return clock;
}

}  // namespace stretto::trace
