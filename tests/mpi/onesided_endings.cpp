// SPDX-License-Identifier: BSD-3-Clause
// Runs that must end with an error: `onesided_endings killed|dropped|full|finalized`. The test checks what
// ends them, and the message.
#include <mpi.h>

#include <chrono>
#include <csignal>
#include <cstdio>
#include <exception>
#include <span>
#include <stretto/region.hpp>
#include <stretto/runtime.hpp>
#include <stretto/transfer.hpp>
#include <string_view>
#include <thread>
#include <vector>

#include "mpi/abort.hpp"

namespace {

using namespace stretto;

/// The last rank is killed while the others wait for its reply.
void lose_a_rank(Runtime& runtime, Region& region) {
  const int victim = runtime.size() - 1;
  if (runtime.rank() == victim) std::raise(SIGKILL);
  while (true) (void)get_value<int>(region, {.target = victim});
}

void drop_a_handle(Runtime& runtime, Region& region) {
  int value = 0;
  const Handle dropped = nonblocking::get(region, {.target = runtime.rank()}, std::span{&value, 1});
}

/// Rank 0 has more to send than there are buffers; rank 1 computes, and serves no requests.
void fill_all_buffers(Runtime& runtime, Region& region) {
  if (runtime.rank() == 1) std::this_thread::sleep_for(std::chrono::seconds(20));
  const std::vector<std::byte> data(region.local().size());
  for (int i = 0; i < 1000; ++i) implicit::put(region, {.target = 1}, data);
}

/// MPI_Finalize is called before Runtime::finalize.
void finalize_mpi(Runtime& runtime, Region& region) {
  double value = 1;
  implicit::put(region, {.target = 1 - runtime.rank()}, std::span{&value, 1});
  runtime.wait_implicit();
  MPI_Finalize();
}

Options options_for(std::string_view ending) {
  Options options{.path = Path::message, .timeout_s = 3};
  if (ending == "full") {
    options.progress = Progress::poll;
    options.segment_bytes = 256 << 10;
    options.outstanding = 2;
  }
  return options;
}

}  // namespace

int main(int argc, char** argv) {
  int provided = 0;
  MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
  const std::string_view ending = argc > 1 ? argv[1] : "dropped";
  try {
    Runtime runtime(MPI_COMM_WORLD, options_for(ending));
    Region region(runtime, 256 << 10);
    runtime.barrier();
    if (ending == "killed") lose_a_rank(runtime, region);
    if (ending == "dropped") drop_a_handle(runtime, region);
    if (ending == "full") fill_all_buffers(runtime, region);
    if (ending == "finalized") finalize_mpi(runtime, region);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "ended by: %s\n", error.what());
    mpi::abort_all(MPI_COMM_WORLD, 1);
    return 1;
  }
  std::fprintf(stderr, "went on as if nothing had happened\n");
  MPI_Finalize();
  return 0;
}
