// SPDX-License-Identifier: BSD-3-Clause
// A random run as a whole: what is in memory afterwards, and what was fetched.
#pragma once

#include <algorithm>
#include <deque>
#include <stretto/region.hpp>
#include <stretto/runtime.hpp>
#include <thread>
#include <vector>

#include "onesided_random_run.hpp"
#include "world_ranks.hpp"

namespace stretto::testing::random_traffic {

struct Outcome {
  std::vector<std::byte> memory;
  std::vector<std::byte> fetched;
  std::vector<std::uint64_t> own;  // of the program, and of arrays
  std::uint64_t wrong_gets = 0;    // of what this rank itself had put
  Counters counters;

  void add(const Region& region, const RandomRun& run) {
    memory.insert(memory.end(), region.local().begin(), region.local().end());
    fetched.insert(fetched.end(), run.fetched().begin(), run.fetched().end());
    const std::vector<std::uint64_t> more = run.own_memory();
    own.insert(own.end(), more.begin(), more.end());
    wrong_gets += run.wrong_gets();
  }
};

inline Outcome run_once(const Options& options, unsigned seed, int operations) {
  Runtime runtime(MPI_COMM_WORLD, options);
  Region region(runtime, RandomPlaces{static_cast<std::size_t>(runtime.size())}.size());
  Outcome outcome;
  {
    RandomRun run(runtime, region, seed);
    run.operations(operations);
    runtime.barrier();
    outcome.add(region, run);
    outcome.counters = runtime.counters();
  }
  runtime.barrier();
  return outcome;
}

#ifndef STRETTO_SIMGRID  // where there are no threads

/// Each thread has a target, and so a context, and a region of its own.
inline Outcome run_threads(Options options, unsigned seed, int operations) {
  const int threads = std::min(world_size(), 4);
  options.contexts = world_size();
  Runtime runtime(MPI_COMM_WORLD, options);
  const std::size_t size = RandomPlaces{static_cast<std::size_t>(runtime.size())}.size();
  std::deque<Region> regions;
  std::deque<RandomRun> runs;
  for (int thread = 0; thread < threads; ++thread) {
    regions.emplace_back(runtime, size);
    runs.emplace_back(runtime, regions.back(), seed + static_cast<unsigned>(thread), thread);
  }
  std::vector<std::thread> running;
  running.reserve(runs.size());
  for (RandomRun& run : runs) running.emplace_back([&] { run.operations(operations / threads); });
  for (std::thread& one : running) one.join();
  runtime.barrier();
  Outcome outcome;
  for (std::size_t i = 0; i < runs.size(); ++i) outcome.add(regions[i], runs[i]);
  outcome.counters = runtime.counters();
  runtime.barrier();
  return outcome;
}

#endif

}  // namespace stretto::testing::random_traffic
