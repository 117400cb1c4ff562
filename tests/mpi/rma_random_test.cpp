// SPDX-License-Identifier: BSD-3-Clause
// Random operations of every kind, shape and handle by all ranks at once: what is in memory afterwards, and
// what was fetched, is the same on every path, byte by byte. STRETTO_SEED replays a run, and
// STRETTO_OPERATIONS is the number of operations of all ranks.
#include <cstdlib>
#include <stretto/region.hpp>
#include <stretto/runtime.hpp>

#include "rma_random_run.hpp"
#include "rma_world.hpp"

namespace stretto::testing {
namespace {

struct Outcome {
  std::vector<std::byte> memory;
  std::vector<std::byte> fetched;
  std::vector<std::uint64_t> own;  // of the program
};

Outcome run_once(const Options& options, unsigned seed, int operations) {
  Runtime runtime(MPI_COMM_WORLD, options);
  Region region(runtime, random_traffic::RandomPlaces{static_cast<std::size_t>(runtime.size())}.size());
  Outcome outcome;
  {
    random_traffic::RandomRun run(runtime, region, seed);
    run.operations(operations);
    runtime.barrier();
    outcome.fetched = run.fetched();
    outcome.own = run.own_memory();
  }
  outcome.memory.assign(region.local().begin(), region.local().end());
  runtime.barrier();
  return outcome;
}

unsigned seed_of_run() {
  const char* given = std::getenv("STRETTO_SEED");
  return given == nullptr ? 20040426 : static_cast<unsigned>(std::strtoul(given, nullptr, 10));
}

TEST(RmaRandom, EveryPathGivesTheSameBytes) {
#ifdef STRETTO_SIMGRID
  constexpr int all_operations = 800;
#else
  const char* const given = std::getenv("STRETTO_OPERATIONS");
  const int all_operations = given == nullptr ? 10000 : std::atoi(given);
#endif
  int ranks = 1;
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  const int operations = all_operations / ranks;
  const unsigned seed = seed_of_run();
  Outcome first;
  std::string first_name;
  for (const Setting& setting : settings()) {
    const Outcome outcome = run_once(setting.options, seed, operations);
    if (first_name.empty()) {
      first = outcome;
      first_name = setting.name;
    }
    EXPECT_TRUE(outcome.memory == first.memory)
        << setting.name << " and " << first_name << " differ in memory; STRETTO_SEED=" << seed;
    EXPECT_TRUE(outcome.fetched == first.fetched)
        << setting.name << " and " << first_name << " differ in what was got; STRETTO_SEED=" << seed;
    EXPECT_TRUE(outcome.own == first.own)
        << setting.name << " and " << first_name << " differ in memory of the program; STRETTO_SEED=" << seed;
    for (std::size_t i = outcome.memory.size() - random_traffic::guard; i < outcome.memory.size(); ++i) {
      EXPECT_EQ(outcome.memory[i], std::byte{0}) << "written where no rank writes";
    }
  }
}

}  // namespace
}  // namespace stretto::testing
