// SPDX-License-Identifier: BSD-3-Clause
// Progress without further calls: a nonblocking operation has started when its call returns. Under progress
// `thread`, the progress threads of both sides complete it. Where that fails, these tests hang until CTest
// ends them.
#include <algorithm>
#include <chrono>
#include <filesystem>
#include <stretto/atomic.hpp>
#include <stretto/region.hpp>
#include <stretto/runtime.hpp>
#include <stretto/signal.hpp>
#include <stretto/transfer.hpp>
#include <thread>

#include "onesided_world.hpp"
#include "progress/thread/time_slice.hpp"

namespace stretto::testing {
namespace {

constexpr int tag = 1;

void send_token(int rank) { MPI_Send(nullptr, 0, MPI_BYTE, rank, tag, MPI_COMM_WORLD); }
void receive_token(int rank) { MPI_Recv(nullptr, 0, MPI_BYTE, rank, tag, MPI_COMM_WORLD, MPI_STATUS_IGNORE); }

TEST(OnesidedProgress, EveryNonblockingCallStartsItsTransferBeforeItReturns) {
  for (const Setting& setting : settings()) {
    Runtime runtime(MPI_COMM_WORLD, setting.options);
    constexpr std::size_t size_bytes = 64 << 10;
    const auto size = static_cast<std::size_t>(runtime.size());
    Region region(runtime, size * size_bytes);
    const int target = runtime.size() - 1;
    const Place own{.target = target, .offset = static_cast<std::size_t>(runtime.rank()) * size_bytes};
    const std::vector<std::byte> data(size_bytes);
    std::vector<std::byte> got(size_bytes);
    const auto moved = [&] {
      const Counters now = runtime.counters(target);
      return now[Path::direct].operations + now[Path::rma].messages + now[Path::message].messages;
    };
    std::vector<Handle> handles;
    for (int i = 0; i < 20; ++i) {  // more operations than there are buffers
      std::uint64_t before = moved();
      handles.push_back(nonblocking::put(region, own, data));
      EXPECT_GT(moved(), before) << setting.name << ": a put waits for something";
      before = moved();
      handles.push_back(nonblocking::get(region, own, got));
      EXPECT_GT(moved(), before) << setting.name << ": a get waits for something";
    }
    runtime.wait_all(handles);
    runtime.barrier();
  }
}

TEST(OnesidedProgress, APutIsThereWithoutAnotherCallOfItsOrigin) {
  const Options options{.progress = Progress::poll, .path = Path::message};
  Runtime runtime(MPI_COMM_WORLD, options);
  Region region(runtime, 1024 + 8);
  const std::vector<std::byte> data(1024, std::byte{7});
  Handle handle;
  if (runtime.rank() == 0 && runtime.size() > 1) {
    handle = nonblocking::put_signal(region, {.target = 1}, data, {.offset = 1024});
    receive_token(1);  // not a call of the runtime
  }
  if (runtime.rank() == 1) {
    EXPECT_EQ(wait_signal(region, 1024, 1), 1U);
    EXPECT_EQ(region.local()[1023], std::byte{7});
    send_token(0);
  }
  runtime.wait(handle);
  runtime.barrier();
}

#ifndef STRETTO_SIMGRID  // SimGrid has no threads, and its cost grows with the number of posted requests.

// With a single buffer there are more sources than posted receives, so that the runtime probes for requests.
class OnesidedBuffers : public ::testing::TestWithParam<int> {};
INSTANTIATE_TEST_SUITE_P(Counts, OnesidedBuffers, ::testing::Values(4, 1));

TEST_P(OnesidedBuffers, ManyRequestsAreServedAlthoughNoRankWaitsForThem) {
  const Options options{
      .progress = Progress::poll, .path = Path::message, .segment_bytes = 1024, .outstanding = GetParam()};
  Runtime runtime(MPI_COMM_WORLD, options);
  constexpr std::size_t count = 300;
  Region region(runtime, count * sizeof(double));
  const int target = (runtime.rank() + 1) % runtime.size();
  std::vector<double> values(count);
  for (std::size_t i = 0; i < count; ++i) values[i] = runtime.rank() + static_cast<double>(i) / 1000;
  std::vector<Handle> handles;
  for (std::size_t i = 0; i < count; ++i) {
    const Place place{.target = target, .offset = i * sizeof(double)};
    handles.push_back(nonblocking::put(region, place, Source(&values[i], sizeof(double))));
  }
  for (std::size_t i = count; i-- > 0;) runtime.wait(handles[i]);  // the last is behind all others
  runtime.barrier();
  const int source = (runtime.rank() + runtime.size() - 1) % runtime.size();
  for (std::size_t i = 0; i < count; ++i) {
    EXPECT_EQ(region.local_as<double>()[i], source + static_cast<double>(i) / 1000);
  }
  runtime.barrier();
}

const Options with_thread{
    .progress = Progress::thread, .path = Path::message, .segment_bytes = 1024, .outstanding = 4};

TEST(OnesidedProgress, TheProgressThreadSendsDelayedRequests) {
  Runtime runtime(MPI_COMM_WORLD, with_thread);
  constexpr std::size_t size = 200 << 10;  // two hundred segments, four buffers
  Region region(runtime, size + 8);
  const auto data = patterned(0, size, 1);
  Handle handle;
  if (runtime.rank() == 0 && runtime.size() > 1) {
    handle = nonblocking::put_signal(region, {.target = 1}, data, {.offset = size});
    receive_token(1);
  }
  if (runtime.rank() == 1) {
    (void)wait_signal(region, size, 1);
    EXPECT_TRUE(std::equal(data.begin(), data.end(), region.local().begin()));
    send_token(0);
  }
  runtime.wait(handle);
  runtime.barrier();
}

TEST(OnesidedProgress, ALargeGetRequestsManySegmentsAtATime) {
  Runtime runtime(
      MPI_COMM_WORLD,
      {.progress = Progress::poll, .path = Path::message, .segment_bytes = 1024, .outstanding = 8});
  Region region(runtime, 48 << 10);
  std::vector<std::byte> got(region.local().size());
  const int target = (runtime.rank() + 1) % runtime.size();
  const auto messages = [&](std::size_t segments) {
    runtime.reset_counters();
    get(region, {.target = target}, std::span(got).first(segments << 10));
    return runtime.counters(target)[Path::message].messages;
  };
  EXPECT_EQ(messages(16), 1U);           // twice as many replies as requests may be outstanding
  EXPECT_LE(messages(48), 1U + 32 / 4);  // each later request is for at least a quarter of these
  runtime.barrier();
}

// Large blocks move by rendezvous: the progress thread receives their segments in place. The segments are so
// large that MPI itself sends them by rendezvous, and may deliver other messages before them.
TEST(OnesidedProgress, LaterOperationsDoNotOvertakeALargePut) {
  Runtime runtime(MPI_COMM_WORLD, {.progress = Progress::thread,
                                   .path = Path::message,
                                   .segment_bytes = std::size_t{512} << 10,
                                   .outstanding = 8});
  constexpr std::size_t count = 450 << 10;  // of 3.5 segments
  Region region(runtime, count * sizeof(int));
  const std::size_t middle = count / 2 * sizeof(int);
  for (int round = 1; round <= 10 && runtime.size() > 1; ++round) {
    if (runtime.rank() == 0) {
      std::vector<int> values(count, round);
      Handle handle = nonblocking::put(region, {.target = 1}, values);
      runtime.notify(1);
      (void)runtime.wait_notify(1);
      runtime.wait(handle);

      std::ranges::fill(values, -round);
      put(region, {.target = 1}, values);
      std::ranges::fill(values, 0);  // the put must not transfer this
      put_value(region, {.target = 1}, 1);
      EXPECT_EQ(fetch_add(region, {.target = 1, .offset = middle}, 7), -round);
      std::vector<int> got(count);
      get(region, {.target = 1}, got);
      std::vector<int> expected(count, -round);
      expected.front() = 1;
      expected[count / 2] += 7;
      EXPECT_TRUE(got == expected) << "something overtook a blocking put in round " << round;
    } else if (runtime.rank() == 1) {
      (void)runtime.wait_notify(0);
      const auto here = region.local_as<int>();
      EXPECT_EQ(std::ranges::count(here, round), count) << "a notification overtook a put";
      runtime.notify(0);
    }
    runtime.barrier();
  }
}

TEST(OnesidedProgress, ALargePutWithASignalIsNotCopiedAndTheFlagFollowsIt) {
  Runtime runtime(MPI_COMM_WORLD, {.progress = Progress::thread,
                                   .path = Path::message,
                                   .segment_bytes = std::size_t{64} << 10,
                                   .outstanding = 4});
  constexpr std::size_t segment = 64 << 10;
  constexpr std::size_t size = 10 * segment + 8;  // more than there are buffers
  Region region(runtime, size + 8);
  for (unsigned round = 1; round <= 6 && runtime.size() > 1; ++round) {
    const std::size_t moved = round % 2 == 0 ? size : size - 8;  // with a short last segment, and without
    if (runtime.rank() == 0) {
      const auto data = patterned(0, moved, round);
      runtime.reset_counters();
      Handle handle = nonblocking::put_signal(region, {.target = 1}, data, {.offset = size});
      runtime.wait(handle);
      EXPECT_EQ(runtime.counters(1)[Path::message].copied_bytes, 0U);
      (void)runtime.wait_notify(1);
    } else if (runtime.rank() == 1) {
      EXPECT_EQ(wait_signal(region, size, round), round);
      const auto expected = patterned(0, moved, round);
      EXPECT_TRUE(std::equal(expected.begin(), expected.end(), region.local().begin()))
          << "the flag overtook data in round " << round;
      runtime.notify(0);
    }
  }
  runtime.barrier();
}

TEST(OnesidedProgress, ALargePutQueriesItsCompletionAndAFenceTakesTheReply) {
  Options enough_buffers = with_thread;
  enough_buffers.outstanding = 16;  // for the segments of both puts, their RTS and their queries
  Runtime runtime(MPI_COMM_WORLD, enough_buffers);
  constexpr std::size_t size = 3 << 10;  // three segments
  Region region(runtime, size);
  if (runtime.rank() == 0 && runtime.size() > 1) {
    const auto fences = [&] { return runtime.counters(1).fences; };
    const auto data = patterned(0, size, 1);
    put(region, {.target = 1}, data);
    EXPECT_EQ(fences(), 1) << "it sent no query";
    runtime.fence(1);
    EXPECT_EQ(fences(), 1) << "the fence sent a query of its own";
    std::vector<std::byte> got(size);
    get(region, {.target = 1}, got);
    EXPECT_EQ(got, data);
    put(region, {.target = 1}, data);
    put_value(region, {.target = 1}, std::byte{0});
    runtime.fence(1);
    EXPECT_EQ(fences(), 3) << "the reply does not cover what was put after the query";
  }
  runtime.barrier();
}

TEST(OnesidedProgress, TheProgressThreadServesWhileTheTargetDoesNotCall) {
  Runtime runtime(MPI_COMM_WORLD, with_thread);
  constexpr std::size_t size = 50 << 10;
  Region region(runtime, size);
  const auto data = patterned(9, size, 2);
  if (runtime.rank() == 0) std::ranges::copy(data, region.local().begin());
  runtime.barrier();
  if (runtime.rank() == 0) {
    for (int rank = 1; rank < runtime.size(); ++rank) receive_token(rank);
  } else {
    std::vector<std::byte> got(size);
    get(region, {.target = 0}, got);
    EXPECT_EQ(got, data);
    (void)fetch_add(region, {.target = 0}, 0);
    runtime.fence(0);
    send_token(0);
  }
  runtime.barrier();
}

/// The number of threads of this process with this time slice.
int threads_with_slice(std::uint64_t length_ns) {
  int threads = 0;
  for (const auto& entry : std::filesystem::directory_iterator("/proc/self/task")) {
    const auto attributes = progress::scheduling_attributes(std::stoi(entry.path().filename()));
    if (attributes && attributes->runtime_ns == length_ns) ++threads;
  }
  return threads;
}

TEST(OnesidedProgress, TheProgressThreadAloneRequestsAShortTimeSlice) {
  if (progress::scheduling_attributes().value().runtime_ns == 0) {
    GTEST_SKIP() << "NOT TESTED: this kernel (before 6.12) has no request for a time slice";
  }
  const int others = threads_with_slice(100'000);  // of a preloaded progress library
  Runtime runtime(MPI_COMM_WORLD, {.progress = Progress::thread, .path = Path::message});
  const auto deadline = std::chrono::steady_clock::now() + std::chrono::seconds(30);
  while (threads_with_slice(100'000) == others && std::chrono::steady_clock::now() < deadline) {
    std::this_thread::yield();
  }
  EXPECT_EQ(threads_with_slice(100'000), others + 1);
  EXPECT_NE(progress::scheduling_attributes().value().runtime_ns, 100'000U);
  runtime.barrier();
}

#endif

}  // namespace
}  // namespace stretto::testing
