// SPDX-License-Identifier: BSD-3-Clause
// Progress: rank 1 gets from rank 0, which computes and calls nothing. Under progress `poll` the get ends
// when rank 0 calls the runtime again, under `thread` when its progress thread serves it. Prints both times.
#include <mpi.h>

#include <cstdint>
#include <cstdio>
#include <stretto/region.hpp>
#include <stretto/runtime.hpp>
#include <stretto/transfer.hpp>
#include <string>

#include "conclude.hpp"

namespace {

/// Some 0.1 s of computation, counted: a loop that a clock bounds cannot see stolen cycles.
std::uint32_t compute() {
  std::uint32_t state = 1;
  for (int i = 0; i < 100'000'000; ++i) state = state * 1664525U + 1013904223U;
  return state;
}

struct Answer {
  bool right = true;
  double time_s = 0;  // of rank 1's get
};

Answer get_from_busy_rank(stretto::Progress progress) {
  // As between nodes: on one node a get would be a load, and need nobody.
  stretto::Runtime runtime(MPI_COMM_WORLD,
                           {.progress = progress, .path = stretto::Path::message, .node_ranks = 1});
  stretto::Region region(runtime, sizeof(double));
  region.local_as<double>()[0] = 42.5 + runtime.rank();
  runtime.barrier();
  Answer answer;
  if (runtime.rank() == 0) {
    answer.right = compute() == 3'477'293'313U;
  } else if (runtime.rank() == 1) {
    const double begin_s = MPI_Wtime();
    answer.right = stretto::get_value<double>(region, {.target = 0, .offset = 0}) == 42.5;
    answer.time_s = MPI_Wtime() - begin_s;
  }
  runtime.barrier();
  return answer;
}

}  // namespace

int main(int argc, char** argv) {
  int provided = 0;
  MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
  const Answer poll = get_from_busy_rank(stretto::Progress::poll);
  const bool threads = provided == MPI_THREAD_MULTIPLE;
  const Answer thread = threads ? get_from_busy_rank(stretto::Progress::thread) : Answer{};
  double times_s[2] = {poll.time_s, thread.time_s};
  MPI_Allreduce(MPI_IN_PLACE, times_s, 2, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
  char text[160];
  std::snprintf(text, sizeof text,
                "progress: a get from a rank that computes took %.1f ms under poll, %.1f ms under %s",
                1e3 * times_s[0], 1e3 * times_s[1], threads ? "thread" : "thread (not available here)");
  return examples::conclude(poll.right && thread.right, text);
}
