// SPDX-License-Identifier: BSD-3-Clause
// Wrong use is an error that names the argument, before any byte moves.
#include <functional>
#include <limits>
#include <stdexcept>
#include <stretto/accumulate.hpp>
#include <stretto/aggregate.hpp>
#include <stretto/atomic.hpp>
#include <stretto/error.hpp>
#include <stretto/mutexes.hpp>
#include <stretto/region.hpp>
#include <stretto/remote_function.hpp>
#include <stretto/runtime.hpp>
#include <stretto/signal.hpp>
#include <stretto/transfer.hpp>

#include "onesided_world.hpp"
#include "world_ranks.hpp"

namespace stretto::testing {
namespace {

class OnesidedMisuse : public EverySetting {};
INSTANTIATE_TEST_SUITE_P(Settings, OnesidedMisuse, ::testing::ValuesIn(settings()), name_of);

/// The argument that the error names, or the reason for its absence.
std::string refused(const std::function<void()>& call) {
  try {
    call();
    return "accepted";
  } catch (const ArgumentError& error) {
    EXPECT_EQ(std::string(error.what()).rfind(error.argument() + ": ", 0), 0U) << error.what();
    return error.argument();
  }
}

TEST_P(OnesidedMisuse, ArgumentsOutOfRangeAreNamed) {
  Runtime runtime(MPI_COMM_WORLD, options());
  Region region(runtime, 64);
  const std::vector<int> values(4, 9);
  constexpr auto huge = std::numeric_limits<std::size_t>::max();
  const int none = runtime.size();
  EXPECT_EQ(refused([&] { put(region, {.target = none}, values); }), "target");
  EXPECT_EQ(refused([&] { put(region, {.target = -1}, values); }), "target");
  EXPECT_EQ(refused([&] { put(region, {.offset = 49}, values); }), "place");
  EXPECT_EQ(refused([&] { put(region, {.offset = huge - 3}, values); }), "place");
  EXPECT_EQ(refused([&] { accumulate(region, {.offset = huge - 3}, values, Scale::of(1)); }), "place");
  EXPECT_EQ(refused([&] { (void)nonblocking::put(region, {.offset = 64}, values); }), "place");
  EXPECT_EQ(refused([&] { accumulate(region, {.offset = 0}, Source(values.data(), 7), Scale::of(1)); }),
            "source");
  EXPECT_EQ(refused([&] { fetch_add(region, {.offset = 62}, 1); }), "place");
  EXPECT_EQ(refused([&] { fetch_add(region, {.offset = 4}, std::int64_t{1}); }), "place");
  EXPECT_EQ(refused([&] { put_signal(region, {.offset = 0}, values, {.offset = 8}); }), "flag");
  EXPECT_EQ(refused([&] { put_signal(region, {.offset = 0}, values, {.offset = 64}); }), "flag");
  EXPECT_EQ(refused([&] { (void)wait_signal(region, 60, 1); }), "place");
  EXPECT_EQ(refused([&] { runtime.fence(none); }), "target");
  EXPECT_EQ(refused([&] { runtime.wait_implicit(none); }), "target");
  EXPECT_EQ(refused([&] { runtime.notify(-1); }), "target");
  for (const std::vector<int>& wrong : {std::vector{none}, std::vector{-1}, std::vector{0, 0}}) {
    EXPECT_EQ(refused([&] { Team(runtime, wrong); }), "ranks");
  }
  runtime.barrier();
  for (const std::byte byte : region.local())
    EXPECT_EQ(byte, std::byte{0}) << "a refused operation moved bytes";
  runtime.barrier();
}

TEST_P(OnesidedMisuse, OverlapOfSourceAndDestinationIsNamed) {
  Runtime runtime(MPI_COMM_WORLD, options());
  Region region(runtime, 64);
  const auto mine = region.local();
  EXPECT_EQ(refused([&] { put(region, {.target = region.rank(), .offset = 8}, mine.first(16)); }), "source");
  EXPECT_EQ(refused([&] { get(region, {.target = region.rank(), .offset = 8}, mine.first(16)); }), "sink");
  put(region, {.target = region.rank(), .offset = 16}, mine.first(16));
  runtime.barrier();
}

TEST_P(OnesidedMisuse, ADroppedHandleIsReportedAndItsOperationCompleted) {
  Runtime runtime(MPI_COMM_WORLD, options());
  Region region(runtime, 64);
  std::vector<std::string> reports;
  runtime.on_dropped_handle([&](const std::string& what) { reports.push_back(what); });
  int value = 4;
  { const Handle handle = nonblocking::put(region, {.target = region.rank()}, std::span{&value, 1}); }
  EXPECT_EQ(reports.size(), 1U);
  {
    Aggregate aggregate(runtime);
    aggregate.put(region, {.target = region.rank(), .offset = 8}, std::span{&value, 1});
  }
  EXPECT_EQ(reports.size(), 2U);
  Handle handle = nonblocking::put(region, {.target = region.rank(), .offset = 16}, std::span{&value, 1});
  handle = nonblocking::put(region, {.target = region.rank(), .offset = 24}, std::span{&value, 1});
  EXPECT_EQ(reports.size(), 3U) << "assigned over";
  runtime.wait(handle);
  runtime.wait(handle);  // nothing is left to wait for
  runtime.barrier();
  for (std::size_t i = 0; i < 4; ++i) EXPECT_EQ(region.local_as<int>()[2 * i], 4);
  runtime.barrier();
}

TEST_P(OnesidedMisuse, AnExceptionWaitsForTheHandlesThatItDrops) {
  Runtime runtime(MPI_COMM_WORLD, options());
  Region region(runtime, 64);
  std::size_t reports = 0;
  runtime.on_dropped_handle([&](const std::string&) { ++reports; });
  int value = 6;
  try {
    const Handle handle = nonblocking::put(region, {.target = region.rank()}, std::span{&value, 1});
    throw std::runtime_error("of the application");
  } catch (const std::runtime_error&) {
  }
  EXPECT_EQ(reports, 0U) << "the exception is what is wrong";
  runtime.barrier();
  EXPECT_EQ(region.local_as<int>()[0], 6);
  runtime.barrier();
}

TEST_P(OnesidedMisuse, AnExceptionMayTakeARegionBeforeItsHandles) {
  Runtime runtime(MPI_COMM_WORLD, options());
  int value = 7;
  Handle after;
  try {
    Handle within;
    Region region(runtime, 64);
    within = nonblocking::put(region, {.target = region.rank()}, std::span{&value, 1});
    after = nonblocking::put(region, {.target = region.rank(), .offset = 8}, std::span{&value, 1});
    throw std::runtime_error("of the application");
  } catch (const std::runtime_error&) {
  }
  EXPECT_TRUE(after.pending());
  runtime.wait(after);
  EXPECT_FALSE(after.pending());
  runtime.finalize();  // nothing is left of the region
}

TEST_P(OnesidedMisuse, AForeignHandleIsRefused) {
  Runtime runtime(MPI_COMM_WORLD, options());
  Runtime stranger(MPI_COMM_WORLD, options());
  Region region(runtime, 64);
  int value = 0;
  Handle handle = nonblocking::get(region, {.target = 0}, std::span{&value, 1});
  EXPECT_THROW(stranger.wait(handle), HandleError);
  EXPECT_THROW((void)stranger.test(handle), HandleError);
  EXPECT_THROW((void)stranger.wait_any({&handle, 1}), HandleError);
  runtime.wait(handle);
  EXPECT_THROW((void)runtime.wait_any({&handle, 1}), HandleError) << "none is pending";
  runtime.barrier();
}

TEST_P(OnesidedMisuse, ARegionInUseIsNotFreedAndAFreedOneNotUsed) {
  Runtime runtime(MPI_COMM_WORLD, options());
  Region region(runtime, 64);
  int value = 0;
  Handle handle;
  if (runtime.rank() == 0) handle = nonblocking::get(region, {.target = 0}, std::span{&value, 1});
  EXPECT_THROW(region.free(), RegionInUseError) << "on every rank";
  runtime.wait(handle);
  EXPECT_THROW(runtime.finalize(), RegionInUseError);
  region.free();
  EXPECT_THROW(put_value(region, {.target = 0}, 1), FinalizedError);
  EXPECT_THROW((void)region.local(), FinalizedError);
  EXPECT_THROW(region.free(), FinalizedError);
  runtime.finalize();
  EXPECT_THROW(runtime.barrier(), FinalizedError);
  EXPECT_THROW(runtime.fence(), FinalizedError);
  EXPECT_THROW(Region(runtime, 8), FinalizedError);
}

TEST_P(OnesidedMisuse, FreeingARegionEndsTheImplicitOperationsOnIt) {
  Runtime runtime(MPI_COMM_WORLD, options());
  constexpr std::size_t size = 20 << 10;  // more segments than buffers
  Region region(runtime, size);
  const auto data = patterned(runtime.rank(), size, 3);
  std::copy(data.begin(), data.end(), region.local().begin());
  runtime.barrier();
  const int target = (runtime.rank() + 1) % runtime.size();
  std::vector<std::byte> got(size);
  for (std::size_t at = 0; at < size; at += 512) {
    implicit::get(region, {.target = target, .offset = at}, Sink(&got[at], 512));
  }
  region.free();
  EXPECT_EQ(got, patterned(target, size, 3));
}

TEST(OnesidedOptions, InvalidOptionsAreNamed) {
  constexpr double no_number = std::numeric_limits<double>::quiet_NaN();
  for (const std::size_t bytes : {std::size_t{3}, std::numeric_limits<std::size_t>::max()}) {
    EXPECT_EQ(refused([&] { Runtime(MPI_COMM_WORLD, {.segment_bytes = bytes}); }), "segment_bytes");
  }
  for (const int number : {-1, std::numeric_limits<int>::max()}) {
    EXPECT_EQ(refused([&] { Runtime(MPI_COMM_WORLD, {.outstanding = number}); }), "outstanding");
    EXPECT_EQ(refused([&] { Runtime(MPI_COMM_WORLD, {.contexts = number}); }), "contexts");
  }
  EXPECT_EQ(refused([] { Runtime(MPI_COMM_WORLD, {.contexts = 65}); }), "contexts");
  EXPECT_EQ(refused([] { Runtime(MPI_COMM_WORLD, {.node_ranks = -1}); }), "node_ranks");
  for (const double seconds : {-1.0, no_number}) {
    EXPECT_EQ(refused([&] { Runtime(MPI_COMM_WORLD, {.poll_interval_s = seconds}); }), "poll_interval_s");
    EXPECT_EQ(refused([&] { Runtime(MPI_COMM_WORLD, {.report_after_s = seconds}); }), "report_after_s");
    EXPECT_EQ(refused([&] { Runtime(MPI_COMM_WORLD, {.timeout_s = seconds}); }), "timeout_s");
  }
  EXPECT_EQ(refused([] { Runtime(MPI_COMM_WORLD, {.contiguous = Path::direct}); }), "contiguous");
#ifdef STRETTO_SIMGRID
  EXPECT_EQ(refused([] { Runtime(MPI_COMM_WORLD, {.progress = Progress::thread}); }), "progress");
  EXPECT_EQ(Runtime(MPI_COMM_WORLD).progress(), Progress::poll);
#else
  EXPECT_EQ(Runtime(MPI_COMM_WORLD).progress(), Progress::thread);
#endif
}

TEST(OnesidedOptions, ACommunicatorOfTwoGroupsOrNoneIsRefused) {
  EXPECT_EQ(refused([] { Runtime(MPI_COMM_NULL); }), "communicator");
#ifndef STRETTO_SIMGRID  // which has no intercommunicators
  const int rank = world_rank();
  if (world_size() == 1) return;
  MPI_Comm half = MPI_COMM_NULL;
  MPI_Comm both = MPI_COMM_NULL;
  MPI_Comm_split(MPI_COMM_WORLD, rank % 2, rank, &half);
  MPI_Intercomm_create(half, 0, MPI_COMM_WORLD, 1 - rank % 2, 1, &both);
  EXPECT_EQ(refused([&] { Runtime runtime(both); }), "communicator");
  MPI_Comm_free(&both);
  MPI_Comm_free(&half);
#endif
}

TEST(OnesidedOptions, ForcedDirectReachesRanksOfTheNodeOnly) {
  Runtime runtime(MPI_COMM_WORLD, {.progress = Progress::poll, .path = Path::direct, .node_ranks = 1});
  Region region(runtime, 8);
  put_value(region, {.target = region.rank()}, 5);
  if (runtime.size() > 1) {
    EXPECT_EQ(refused([&] { put_value(region, {.target = (region.rank() + 1) % region.size()}, 5); }),
              "target");
  }
  EXPECT_EQ(runtime.counters(region.rank())[Path::direct].operations, 1U);
  runtime.barrier();
}

#ifndef STRETTO_SIMGRID
TEST(OnesidedTimeout, AWaitWithoutAnAnswerEndsWithTheNameOfTheRank) {
  Runtime runtime(MPI_COMM_WORLD, {.progress = Progress::poll, .timeout_s = 0.2});
  try {
    (void)runtime.wait_notify(runtime.size() - 1);
    ADD_FAILURE() << "no rank has notified this one";
  } catch (const TimeoutError& error) {
    EXPECT_NE(std::string(error.what()).find("for rank " + std::to_string(runtime.size() - 1)),
              std::string::npos)
        << error.what();
  }
  MPI_Barrier(MPI_COMM_WORLD);
}

/// Repeats a call that may time out.
template <typename Call>
bool ends(Call call) {
  for (int attempt = 0; attempt < 20; ++attempt) {
    try {
      call();
      return true;
    } catch (const TimeoutError&) {
    }
  }
  return false;
}

TEST(OnesidedTimeout, ALockThatHasTimedOutKeepsItsPlaceInTheQueue) {
  for (const int node_ranks : {0, 1}) {  // direct, and by messages
    Runtime runtime(MPI_COMM_WORLD,
                    {.progress = Progress::thread, .node_ranks = node_ranks, .timeout_s = 0.5});
    Mutexes mutexes(runtime, 1);
    const bool first = runtime.rank() == 0;
    if (first) {
      EXPECT_TRUE(ends([&] { mutexes.lock(0, 0); }));
    }
    MPI_Barrier(MPI_COMM_WORLD);
    if (!first) {
      EXPECT_THROW(mutexes.lock(0, 0), TimeoutError);
      EXPECT_THROW(mutexes.lock(0, 0), TimeoutError);
      EXPECT_THROW(mutexes.unlock(0, 0), ArgumentError);
    }
    MPI_Barrier(MPI_COMM_WORLD);
    if (first) {
      EXPECT_TRUE(ends([&] { mutexes.unlock(0, 0); }));
    }
    MPI_Barrier(MPI_COMM_WORLD);  // rank 1 has got the mutex, while it waited for none
    if (runtime.size() > 1) {
      EXPECT_TRUE(ends([&] { mutexes.lock(0, 0); }));
      EXPECT_TRUE(ends([&] { mutexes.unlock(0, 0); }));
    }
    MPI_Barrier(MPI_COMM_WORLD);
    mutexes.free();
  }
}
/// What a function refers to is gone with it.
TEST(OnesidedRemoteFunction, AFunctionThatAnExceptionDestroysIsNotCalled) {
  Runtime runtime(MPI_COMM_WORLD, {.progress = Progress::poll});
  if (runtime.size() != 2) GTEST_SKIP() << "two ranks";
  bool ran = false;
  if (runtime.rank() == 0) {
    RemoteFunction function(runtime, [](int, std::span<const std::byte>) {});
    MPI_Barrier(MPI_COMM_WORLD);
    function.call(1, Source(nullptr, 0));
    MPI_Barrier(MPI_COMM_WORLD);
    function.free();
  } else {
    try {
      const RemoteFunction function(runtime, [&](int, std::span<const std::byte>) { ran = true; });
      throw std::runtime_error("destroys it");
    } catch (const std::runtime_error&) {
      MPI_Barrier(MPI_COMM_WORLD);
    }
    MPI_Barrier(MPI_COMM_WORLD);
    EXPECT_THROW(while (!ran) runtime.poll(), Error);
    runtime.barrier();
  }
  EXPECT_FALSE(ran);
}
#endif

}  // namespace
}  // namespace stretto::testing
