// SPDX-License-Identifier: BSD-3-Clause
// Many short random programs, each under two settings that must leave the same bytes, each with delays of
// its own where the build has them (STRETTO_DELAY). STRETTO_SCHEDULES is the number of runs, two of each
// program, and STRETTO_SEED the first program's number, by which a failure is repeated.
#include <gtest/gtest.h>

#include <cstdio>
#include <cstdlib>
#include <span>
#include <stretto/transfer.hpp>
#include <string>

#include "mpi/delay.hpp"
#include "onesided_random_outcome.hpp"
#include "onesided_world.hpp"
#include "world_ranks.hpp"

namespace stretto::testing {
namespace {

unsigned number_of(const char* variable, unsigned usual) {
  const char* const given = std::getenv(variable);
  return given == nullptr ? usual : static_cast<unsigned>(std::strtoul(given, nullptr, 10));
}

/// Every second one from several threads.
random_traffic::Outcome run_schedule(const Options& options, unsigned program, unsigned schedule) {
  constexpr int operations = 60;
  mpi::reseed_delays(schedule);
  return program % 2 == 0 ? random_traffic::run_once(options, program, operations)
                          : random_traffic::run_threads(options, program, operations);
}

TEST(OnesidedSchedules, RandomProgramsLeaveTheSameBytes) {
  const unsigned first = number_of("STRETTO_SEED", 1);
  const unsigned programs = number_of("STRETTO_SCHEDULES", 8) / 2;
  const std::vector<Setting> all = settings();
  const int rank = world_rank();
  for (unsigned program = first; program < first + programs; ++program) {
    const Setting& one = all[program % all.size()];
    const Setting& other = all[(program + 1 + program / all.size() % (all.size() - 1)) % all.size()];
    const std::string both =
        std::string(one.name) + " and " + other.name + "; STRETTO_SEED=" + std::to_string(program);
    // A sanitizer's report, a crash and a rank that waits end the run without a word from here: the last line
    // tells where.
    if (rank == 0) std::printf("%s\n", both.c_str());
    std::fflush(stdout);
    const auto left = run_schedule(one.options, program, 2 * program);
    const auto right = run_schedule(other.options, program, 2 * program + 1);
    EXPECT_TRUE(left.memory == right.memory) << "different memory: " << both;
    EXPECT_TRUE(left.fetched == right.fetched) << "different values were got: " << both;
    EXPECT_TRUE(left.own == right.own) << "different memory of the program: " << both;
    EXPECT_EQ(left.wrong_gets + right.wrong_gets, 0U) << "gets from arrays: " << both;
  }
  if (rank == 0) std::printf("%u random schedules from program %u on\n", 2 * programs, first);
}

#ifdef STRETTO_DELAY

TEST(OnesidedSchedules, TheRuntimeItselfIsDelayed) {
  Runtime runtime(MPI_COMM_WORLD,
                  {.path = Path::direct});  // which calls no MPI: only the runtime has points there
  Region region(runtime, 64);
  const std::uint64_t value = 1;
  const std::uint64_t before = mpi::delay::passed();
  put(region, {.target = (runtime.rank() + 1) % runtime.size()}, std::as_bytes(std::span(&value, 1)));
  EXPECT_GT(mpi::delay::passed(), before) << "the runtime was compiled without STRETTO_DELAY";
  runtime.barrier();
}

#endif

}  // namespace
}  // namespace stretto::testing
