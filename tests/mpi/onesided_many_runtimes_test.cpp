// SPDX-License-Identifier: BSD-3-Clause
// Many runtimes one after another: each gives back the threads and descriptors that it took, and MPI does not
// run out of communicators and windows.
#include <mpi.h>

#include <cstring>
#include <filesystem>
#include <span>
#include <stretto/region.hpp>
#include <stretto/runtime.hpp>
#include <stretto/transfer.hpp>

#include "onesided_world.hpp"

#ifndef STRETTO_SIMGRID  // whose ranks are one process
namespace stretto::testing::many_runtimes {
namespace {

/// What the kernel has for this process: it must not grow with the number of runtimes.
struct KernelResources {
  std::ptrdiff_t descriptors = entries("/proc/self/fd");
  std::ptrdiff_t threads = entries("/proc/self/task");

  static std::ptrdiff_t entries(const char* folder) {
    return std::distance(std::filesystem::directory_iterator(folder), std::filesystem::directory_iterator());
  }
};

void make_and_use_one(const Options& options, std::uint64_t number) {
  Runtime runtime(MPI_COMM_WORLD, options);
  Region region(runtime, 64);
  put(region, {.target = (runtime.rank() + 1) % runtime.size()}, std::as_bytes(std::span(&number, 1)));
  runtime.barrier();
  EXPECT_EQ(std::memcmp(region.local().data(), &number, sizeof number), 0) << "runtime " << number;
  runtime.barrier();
}

class OnesidedManyRuntimes : public EverySetting {};
INSTANTIATE_TEST_SUITE_P(Settings, OnesidedManyRuntimes, ::testing::ValuesIn(settings()), name_of);

TEST_P(OnesidedManyRuntimes, EndAndKeepNothing) {
  constexpr std::uint64_t runtimes = 60;  // with those of the other settings, some hundred in one process
  for (std::uint64_t number = 0; number < 10; ++number) make_and_use_one(options(), number);
  const KernelResources before;
  for (std::uint64_t number = 0; number < runtimes; ++number) make_and_use_one(options(), number);
  const KernelResources after;
  EXPECT_LE(after.descriptors, before.descriptors + 8);
  EXPECT_LE(after.threads, before.threads);
}

}  // namespace
}  // namespace stretto::testing::many_runtimes
#endif
