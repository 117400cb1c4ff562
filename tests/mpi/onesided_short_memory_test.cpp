// SPDX-License-Identifier: BSD-3-Clause
// Buffers for which there is no memory: every rank gets an error, and the next runtime works. MPI answers as
// MPICH does (short_memory.hpp), and with a limit of the kernel as it does itself.
#include <sys/resource.h>

#include <cstring>
#include <new>
#include <span>
#include <stretto/error.hpp>
#include <stretto/region.hpp>
#include <stretto/runtime.hpp>
#include <stretto/transfer.hpp>

#include "onesided_world.hpp"
#include "short_memory.hpp"
#include "world_ranks.hpp"

#ifndef STRETTO_SIMGRID  // whose ranks are one process
namespace stretto::testing::short_memory {
namespace {

constexpr std::size_t min_segment_bytes = 256;
constexpr std::size_t largest_segment_bytes = std::size_t{1} << 30;

/// Whether the runtime is refused for its memory.
bool is_refused(const Options& options) {
  try {
    const Runtime runtime(MPI_COMM_WORLD, options);
  } catch (const std::bad_alloc&) {  // of this rank
    return true;
  } catch (const MemoryError&) {  // of another one
    return true;
  }
  return false;
}

void expect_that_a_runtime_works() {
  Runtime runtime(MPI_COMM_WORLD, {.path = Path::message});
  Region region(runtime, 64);
  const std::uint64_t value = 17;
  put(region, {.target = (runtime.rank() + 1) % runtime.size()}, std::as_bytes(std::span(&value, 1)));
  runtime.fence();
  runtime.barrier();
  EXPECT_EQ(std::memcmp(region.local().data(), &value, sizeof value), 0);
  runtime.barrier();
}

TEST(OnesidedShortMemory, AnAddressNearZeroIsNoBuffer) {
  for (const std::size_t segment_bytes : {min_segment_bytes, std::size_t{65536}, std::size_t{1} << 20}) {
    const ShortMemory shortage;
    EXPECT_TRUE(is_refused({.path = Path::message, .segment_bytes = segment_bytes})) << segment_bytes;
  }
  expect_that_a_runtime_works();
}

TEST(OnesidedShortMemory, AnyOfTheBuffersMayLackIt) {
  const Options options{.path = Path::message, .segment_bytes = 1024, .contexts = 2};
  int refused = 0;
  bool enough = false;
  for (int before = 0; !enough; ++before) {
    const ShortMemory shortage(before);
    enough = !is_refused(options);
    refused += enough ? 0 : 1;
  }
  EXPECT_GT(refused, 2);  // at least one buffer of each context
  expect_that_a_runtime_works();
}

TEST(OnesidedShortMemory, TheOthersHearOfARankThatLacksIt) {
  const Options options{.path = Path::message, .segment_bytes = 4096};
  if (world_rank() == world_size() - 1) {
    const ShortMemory shortage(1);
    EXPECT_TRUE(is_refused(options));
  } else {
    EXPECT_TRUE(is_refused(options));
  }
  expect_that_a_runtime_works();
}

#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)  // whose shadows are terabytes

TEST(OnesidedShortMemory, AddressesThatTheKernelRefusesAreNoBuffer) {
  rlimit before{};
  ASSERT_EQ(getrlimit(RLIMIT_AS, &before), 0);
  rlimit less = before;
  less.rlim_cur = rlim_t{16} << 30U;  // more than MPI has, and less than 32 segments of 1 GiB
  ASSERT_EQ(setrlimit(RLIMIT_AS, &less), 0);
  EXPECT_TRUE(is_refused({.path = Path::message, .segment_bytes = largest_segment_bytes}));
  setrlimit(RLIMIT_AS, &before);
  expect_that_a_runtime_works();
}

#endif

}  // namespace
}  // namespace stretto::testing::short_memory
#endif
