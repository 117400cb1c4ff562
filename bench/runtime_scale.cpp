// SPDX-License-Identifier: BSD-3-Clause
// The memory of an idle runtime, and the processor time of a poll, on every rank. With node_ranks 1 all ranks
// but the own are remote, as on as many nodes. Rank 0 prints the means and maxima as one JSON object.
//
//   mpiexec -n P runtime_scale POLLS
#include <malloc.h>
#include <mpi.h>

#include <charconv>
#include <cstdio>
#include <cstring>
#include <ctime>
#include <stretto/runtime.hpp>
#include <vector>

namespace {

/// Bytes of the heap that are in use, with large blocks.
double heap_bytes() {
  const struct mallinfo2 heap = mallinfo2();
  return static_cast<double>(heap.uordblks) + static_cast<double>(heap.hblkhd);
}

double thread_s() {
  timespec now{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

double reduced(double value, MPI_Op op) {
  double result = 0;
  MPI_Allreduce(&value, &result, 1, MPI_DOUBLE, op, MPI_COMM_WORLD);
  return result;
}

/// Prints the memory and the time at rank 0. The runtime ends before MPI does.
void measure(int rank, int ranks, int polls) {
  // MPI connects ranks at their first message, which is not the runtime's memory.
  std::vector<int> sent(static_cast<std::size_t>(ranks));
  std::vector<int> received(sent.size());
  MPI_Alltoall(sent.data(), 1, MPI_INT, received.data(), 1, MPI_INT, MPI_COMM_WORLD);
  MPI_Barrier(MPI_COMM_WORLD);
  const double before = heap_bytes();
  stretto::Runtime runtime(MPI_COMM_WORLD, {.progress = stretto::Progress::poll, .node_ranks = 1});
  runtime.barrier();
  const double bytes = heap_bytes() - before;
  for (int i = 0; i < polls / 10 + 1; ++i) runtime.poll();
  const double begin_s = thread_s();
  for (int i = 0; i < polls; ++i) runtime.poll();
  const double poll_s = (thread_s() - begin_s) / polls;
  runtime.barrier();
  const double mean_bytes = reduced(bytes, MPI_SUM) / ranks;
  const double max_bytes = reduced(bytes, MPI_MAX);
  const double mean_poll_s = reduced(poll_s, MPI_SUM) / ranks;
  const double min_poll_s = reduced(poll_s, MPI_MIN);
  if (rank == 0) {
    std::printf(
        "{\"ranks\": %d, \"mean_bytes\": %.0f, \"max_bytes\": %.0f, \"mean_poll_s\": %.3e, "
        "\"min_poll_s\": %.3e}\n",
        ranks, mean_bytes, max_bytes, mean_poll_s, min_poll_s);
  }
}

}  // namespace

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int ranks = 0;
  int rank = 0;
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  int polls = 0;
  if (argc != 2 || std::from_chars(argv[1], argv[1] + std::strlen(argv[1]), polls).ec != std::errc{} ||
      polls < 1) {
    if (rank == 0) std::fprintf(stderr, "usage: runtime_scale POLLS\n");
    MPI_Finalize();
    return 2;
  }
  measure(rank, ranks, polls);
  MPI_Finalize();
  return 0;
}
