// SPDX-License-Identifier: BSD-3-Clause
// What goes on without a call: nonblocking operations have started when they return, and under progress
// `thread` the helper does the rest on both sides. Each of these hangs, and so fails, where that is not so.
#include <stretto/atomic.hpp>
#include <stretto/region.hpp>
#include <stretto/runtime.hpp>
#include <stretto/signal.hpp>
#include <stretto/transfer.hpp>
#include <thread>

#include "rma_world.hpp"

namespace stretto::testing {
namespace {

constexpr int tag = 1;

void tell(int rank) { MPI_Send(nullptr, 0, MPI_BYTE, rank, tag, MPI_COMM_WORLD); }
void hear(int rank) { MPI_Recv(nullptr, 0, MPI_BYTE, rank, tag, MPI_COMM_WORLD, MPI_STATUS_IGNORE); }

TEST(RmaProgress, EveryNonblockingCallStartsItsTransferBeforeItReturns) {
  for (const Setting& setting : settings()) {
    Runtime runtime(MPI_COMM_WORLD, setting.options);
    Region region(runtime, 64 << 10);
    const int target = runtime.size() - 1;
    const std::vector<std::byte> data(64 << 10);
    std::vector<std::byte> got(64 << 10);
    const auto moved = [&] {
      const Counters now = runtime.counters(target);
      return now[Path::direct].operations + now[Path::rma].messages + now[Path::message].messages;
    };
    std::vector<Handle> handles;
    for (int i = 0; i < 20; ++i) {  // more than there are buffers
      std::uint64_t before = moved();
      handles.push_back(nonblocking::put(region, {.target = target}, data));
      EXPECT_GT(moved(), before) << setting.name << ": a put waits for something";
      before = moved();
      handles.push_back(nonblocking::get(region, {.target = target}, got));
      EXPECT_GT(moved(), before) << setting.name << ": a get waits for something";
    }
    runtime.wait_all(handles);
    runtime.barrier();
  }
}

TEST(RmaProgress, APutIsThereWithoutAnotherCallOfItsOrigin) {
  const Options options{.progress = Progress::poll, .path = Path::message};
  Runtime runtime(MPI_COMM_WORLD, options);
  Region region(runtime, 1024 + 8);
  const std::vector<std::byte> data(1024, std::byte{7});
  Handle handle;
  if (runtime.rank() == 0 && runtime.size() > 1) {
    handle = nonblocking::put_signal(region, {.target = 1}, data, {.offset = 1024});
    hear(1);  // not a call of the runtime
  }
  if (runtime.rank() == 1) {
    EXPECT_EQ(wait_signal(region, 1024, 1), 1U);
    EXPECT_EQ(region.local()[1023], std::byte{7});
    tell(0);
  }
  runtime.wait(handle);
  runtime.barrier();
}

#ifndef STRETTO_SIMGRID  // where there are no threads

const Options helped{
    .progress = Progress::thread, .path = Path::message, .segment_bytes = 1024, .outstanding = 4};

TEST(RmaProgress, TheHelperSendsWhatDidNotFitIntoTheBuffers) {
  Runtime runtime(MPI_COMM_WORLD, helped);
  constexpr std::size_t size = 200 << 10;  // two hundred segments, four buffers
  Region region(runtime, size + 8);
  const auto data = patterned(0, size, 1);
  Handle handle;
  if (runtime.rank() == 0 && runtime.size() > 1) {
    handle = nonblocking::put_signal(region, {.target = 1}, data, {.offset = size});
    hear(1);
  }
  if (runtime.rank() == 1) {
    (void)wait_signal(region, size, 1);
    EXPECT_TRUE(std::equal(data.begin(), data.end(), region.local().begin()));
    tell(0);
  }
  runtime.wait(handle);
  runtime.barrier();
}

TEST(RmaProgress, TheHelperServesWhileTheTargetDoesNotCall) {
  Runtime runtime(MPI_COMM_WORLD, helped);
  constexpr std::size_t size = 50 << 10;
  Region region(runtime, size);
  const auto data = patterned(9, size, 2);
  if (runtime.rank() == 0) std::copy(data.begin(), data.end(), region.local().begin());
  runtime.barrier();
  if (runtime.rank() == 0) {
    for (int rank = 1; rank < runtime.size(); ++rank) hear(rank);
  } else {
    std::vector<std::byte> got(size);
    get(region, {.target = 0}, got);
    EXPECT_EQ(got, data);
    (void)fetch_add(region, {.target = 0}, 0);
    runtime.fence(0);
    tell(0);
  }
  runtime.barrier();
}

TEST(RmaProgress, SeveralThreadsUseOneRuntime) {
  for (const Setting& setting : settings()) {
    if (setting.options.progress != Progress::thread) continue;
    Runtime runtime(MPI_COMM_WORLD, setting.options);
    constexpr int threads = 3;
    constexpr int rounds = 30;
    constexpr std::size_t size = 3000;
    const auto ranks = static_cast<std::size_t>(runtime.size());
    Region region(runtime, 8 + ranks * threads * size);
    std::vector<std::thread> all;
    std::vector<int> wrong(threads, 0);
    for (int thread = 0; thread < threads; ++thread) {
      all.emplace_back([&, thread] {
        const std::size_t lane =
            8 +
            (static_cast<std::size_t>(runtime.rank()) * threads + static_cast<std::size_t>(thread)) * size;
        for (int round = 0; round < rounds; ++round) {
          const int target = (runtime.rank() + round) % runtime.size();
          const auto data = patterned(thread, size, static_cast<unsigned>(round));
          std::vector<std::byte> got(size);
          Handle handle = nonblocking::put(region, {.target = target, .offset = lane}, data);
          runtime.wait(handle);
          runtime.fence(target);
          get(region, {.target = target, .offset = lane}, got);
          wrong[static_cast<std::size_t>(thread)] += got == data ? 0 : 1;
          (void)fetch_add(region, {.target = 0}, std::int64_t{1});
        }
      });
    }
    for (std::thread& thread : all) thread.join();
    EXPECT_EQ(wrong, std::vector<int>(threads, 0)) << setting.name;
    runtime.barrier();
    if (runtime.rank() == 0) {
      EXPECT_EQ(region.local_as<std::int64_t>()[0], threads * rounds * runtime.size()) << setting.name;
    }
    runtime.barrier();
  }
}

#endif

}  // namespace
}  // namespace stretto::testing
