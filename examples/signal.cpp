// SPDX-License-Identifier: BSD-3-Clause
// Signals: a put raises a flag at its target once the data is there, so the target waits for data instead of
// for a barrier. A pipeline: a block travels along the ranks, each of which adds one to every number.
#include <mpi.h>

#include <algorithm>
#include <stretto/region.hpp>
#include <stretto/runtime.hpp>
#include <stretto/signal.hpp>
#include <vector>

#include "conclude.hpp"

namespace {

constexpr std::size_t numbers = 500;
constexpr std::size_t blocks = 8;
constexpr std::size_t block_bytes = numbers * sizeof(double);
constexpr std::size_t flag = blocks * block_bytes;  // the flag's offset, behind the data

/// Adds one to each number of a block and passes it on.
bool run_pipeline() {
  stretto::Runtime runtime(MPI_COMM_WORLD);
  stretto::Region region(runtime, flag + sizeof(std::uint64_t));
  const int next = runtime.rank() + 1;
  const bool last = next == runtime.size();
  bool right = true;
  std::vector<std::vector<double>> outgoing;
  std::vector<stretto::Handle> handles;
  for (std::size_t block = 0; block < blocks; ++block) {
    std::vector<double> data(numbers, 100.0 * static_cast<double>(block));
    if (runtime.rank() > 0) {
      // The flag counts arrivals: at block + 1 this block is here, and later ones may still be on their way.
      stretto::wait_signal(region, flag, block + 1);
      const auto received = region.local_as<double>().subspan(block * numbers, numbers);
      std::copy(received.begin(), received.end(), data.begin());
    }
    for (double& value : data) value += 1;
    const double expected = 100.0 * static_cast<double>(block) + next;
    right = right && std::all_of(data.begin(), data.end(), [=](double value) { return value == expected; });
    if (last) continue;
    // Data first, flag after. Two puts alone are never ordered; a put and its own flag always are.
    outgoing.push_back(std::move(data));
    handles.push_back(stretto::nonblocking::put_signal(
        region, {.target = next, .offset = block * block_bytes}, outgoing.back(), {.offset = flag}));
  }
  runtime.wait_all(handles);
  runtime.barrier();
  return right;
}

}  // namespace

int main(int argc, char** argv) {
  int provided = 0;
  MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
  const bool right = run_pipeline();
  return examples::conclude(right, "signal: 8 blocks passed through every rank without a barrier");
}
