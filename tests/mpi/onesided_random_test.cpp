// SPDX-License-Identifier: BSD-3-Clause
// Random operations of every kind, shape and handle by all ranks at once, from one thread of each or from
// several: what is in memory afterwards, and what was fetched, is the same on every path, byte by byte.
// STRETTO_SEED replays a run, and STRETTO_OPERATIONS is the number of operations of all ranks.
#include <array>
#include <cstdio>
#include <cstdlib>
#include <string>

#include "onesided_random_outcome.hpp"
#include "onesided_world.hpp"
#include "world_ranks.hpp"

namespace stretto::testing {
namespace {

using random_traffic::Outcome;
using random_traffic::run_once;

unsigned seed_of_run() {
  const char* given = std::getenv("STRETTO_SEED");
  return given == nullptr ? 20040426 : static_cast<unsigned>(std::strtoul(given, nullptr, 10));
}

/// The operations of each rank. `usual` is the number of all ranks; the environment may ask for another.
int operations_of_rank(int usual) {
  int all = usual;
#ifndef STRETTO_SIMGRID
  if (const char* const given = std::getenv("STRETTO_OPERATIONS")) all = std::atoi(given);
#endif
  const int own = all / world_size();
  EXPECT_GT(own, 0) << "STRETTO_OPERATIONS: give at least one for each rank";
  return own;
}

/// Prints the operations of all ranks on each path, where the environment asked for a number of them.
void print_operations(const std::string& setting, const Counters& own) {
  if (std::getenv("STRETTO_OPERATIONS") == nullptr) return;
  std::array<std::uint64_t, 3> all{};
  for (std::size_t path = 0; path < all.size(); ++path) all[path] = own.paths[path].operations;
  const int rank = world_rank();
  MPI_Reduce(rank == 0 ? MPI_IN_PLACE : all.data(), all.data(), 3, MPI_UINT64_T, MPI_SUM, 0, MPI_COMM_WORLD);
  if (rank != 0) return;
  std::printf("%s: transfers and updates by path:", setting.c_str());
  for (const Path path : {Path::direct, Path::rma, Path::message}) {
    std::printf(" %s %llu", std::string(to_string(path)).c_str(),
                static_cast<unsigned long long>(all[static_cast<std::size_t>(path)]));
  }
  std::printf("\n");
  std::fflush(stdout);
}

/// Compares the outcomes of `run(options, seed)` under every setting.
template <typename Run>
void same_under_every_setting(const Run& run) {
  const unsigned seed = seed_of_run();
  Outcome first;
  std::string first_name;
  for (const Setting& setting : settings()) {
    const Outcome outcome = run(setting.options, seed);
    print_operations(setting.name, outcome.counters);
    if (first_name.empty()) {
      first = outcome;
      first_name = setting.name;
    }
    const std::string both =
        std::string(setting.name) + " and " + first_name + "; STRETTO_SEED=" + std::to_string(seed);
    EXPECT_TRUE(outcome.memory == first.memory) << "different memory: " << both;
    EXPECT_TRUE(outcome.fetched == first.fetched) << "different values were got: " << both;
    EXPECT_TRUE(outcome.own == first.own) << "different memory of the program: " << both;
    EXPECT_EQ(outcome.wrong_gets, 0U) << "gets from arrays: " << both;
    for (std::size_t i = outcome.memory.size() - random_traffic::guard; i < outcome.memory.size(); ++i) {
      EXPECT_EQ(outcome.memory[i], std::byte{0}) << "written where no rank writes";
    }
  }
}

TEST(OnesidedRandom, EveryPathGivesTheSameBytes) {
#ifdef STRETTO_SIMGRID
  constexpr int usual = 800;
#else
  constexpr int usual = 10000;
#endif
  const int operations = operations_of_rank(usual);
  same_under_every_setting(
      [&](const Options& options, unsigned seed) { return run_once(options, seed, operations); });
}

#ifndef STRETTO_SIMGRID  // where there are no threads

using random_traffic::run_threads;

TEST(OnesidedRandom, ThreadsWithContextsOfTheirOwnGiveTheSameBytes) {
  const int operations = operations_of_rank(2000);
  same_under_every_setting(
      [&](const Options& options, unsigned seed) { return run_threads(options, seed, operations); });
}

#endif

}  // namespace
}  // namespace stretto::testing
