// SPDX-License-Identifier: BSD-3-Clause
// Atomics and accumulates: ranks draw tasks from a common counter until none is left, and add what they found
// to a histogram at rank 0. A rank that is slow draws fewer tasks, and no update is lost.
#include <mpi.h>

#include <array>
#include <cstdint>
#include <numeric>
#include <stretto/accumulate.hpp>
#include <stretto/atomic.hpp>
#include <stretto/region.hpp>
#include <stretto/runtime.hpp>
#include <stretto/transfer.hpp>

#include "conclude.hpp"

namespace {

constexpr std::int64_t tasks = 1000;
constexpr std::size_t bins = 10;
constexpr std::size_t counter = 0;  // offset of the next task's number
constexpr std::size_t histogram = sizeof(std::int64_t);

/// The last digit of a task's square.
std::size_t bin_of(std::int64_t task) { return static_cast<std::size_t>(task * task % 10); }

bool share_tasks() {
  stretto::Runtime runtime(MPI_COMM_WORLD);
  stretto::Region region(runtime, runtime.rank() == 0 ? histogram + bins * sizeof(std::int64_t) : 0);

  std::array<std::int64_t, bins> found{};
  while (true) {
    const std::int64_t task = stretto::fetch_add(region, {.target = 0, .offset = counter}, std::int64_t{1});
    if (task >= tasks) break;
    ++found[bin_of(task)];
  }
  // target[i] += 1 * found[i], atomic for each element.
  stretto::accumulate(region, {.target = 0, .offset = histogram}, found, stretto::Scale::of(std::int64_t{1}));
  runtime.barrier();

  std::array<std::int64_t, bins> all{};
  stretto::get(region, {.target = 0, .offset = histogram}, all);
  std::array<std::int64_t, bins> expected{};
  for (std::int64_t task = 0; task < tasks; ++task) ++expected[bin_of(task)];
  runtime.barrier();
  return all == expected;
}

}  // namespace

int main(int argc, char** argv) {
  int provided = 0;
  MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
  const bool right = share_tasks();
  return examples::conclude(right, "atomics: 1000 tasks were each done once, by whichever rank was free");
}
