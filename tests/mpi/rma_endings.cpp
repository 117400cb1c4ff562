// SPDX-License-Identifier: BSD-3-Clause
// Runs that must not go on: `rma_endings killed|dropped`. What ends them, and what is said, is the test.
#include <mpi.h>

#include <csignal>
#include <cstdio>
#include <exception>
#include <span>
#include <stretto/region.hpp>
#include <stretto/runtime.hpp>
#include <stretto/transfer.hpp>
#include <string_view>

namespace {

using namespace stretto;

/// The last rank dies without a word while the others wait for its answer.
void lose_a_rank(Runtime& runtime, Region& region) {
  const int victim = runtime.size() - 1;
  if (runtime.rank() == victim) std::raise(SIGKILL);
  while (true) (void)get_value<int>(region, {.target = victim});
}

void drop_a_handle(Runtime& runtime, Region& region) {
  int value = 0;
  const Handle dropped = nonblocking::get(region, {.target = runtime.rank()}, std::span{&value, 1});
}

}  // namespace

int main(int argc, char** argv) {
  int provided = 0;
  MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
  const bool killed = argc > 1 && std::string_view(argv[1]) == "killed";
  try {
    Runtime runtime(MPI_COMM_WORLD, {.path = Path::message, .timeout_s = 3});
    Region region(runtime, 64);
    runtime.barrier();
    killed ? lose_a_rank(runtime, region) : drop_a_handle(runtime, region);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "ended by: %s\n", error.what());
    MPI_Abort(MPI_COMM_WORLD, 1);
  }
  std::fprintf(stderr, "went on as if nothing had happened\n");
  MPI_Finalize();
  return 0;
}
