// SPDX-License-Identifier: BSD-3-Clause
// Memory after an error: where a call has thrown, or unwinding has dropped what was pending, no late reply
// writes into memory of the program, and nothing is read from it. Rank 0 gives up while rank 1 is in MPI and
// serves nobody. Then rank 1 calls the runtime again, and all that is late comes.
#include <sys/mman.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <functional>
#include <memory>
#include <stretto/aggregate.hpp>
#include <stretto/atomic.hpp>
#include <stretto/completion.hpp>
#include <stretto/error.hpp>
#include <stretto/region.hpp>
#include <stretto/remote_function.hpp>
#include <stretto/runtime.hpp>
#include <stretto/team_collective.hpp>
#include <stretto/transfer.hpp>
#include <thread>

#include "onesided_world.hpp"
#include "world_ranks.hpp"

#ifndef STRETTO_SIMGRID  // which has no timeouts
namespace stretto::testing::ownership {
namespace {

constexpr std::size_t size_bytes = 40 << 10;  // more segments than there are buffers
constexpr std::byte untouched{0xA5};
constexpr int tag = 7;
const Source no_payload{nullptr, 0};

Options impatient(Progress progress) {
  return {.progress = progress,
          .path = Path::message,
          .segment_bytes = 1024,
          .outstanding = 8,
          .report_after_s = 0,
          .timeout_s = 0.5};
}

/// Calls `collective` until it does not time out: ranks may come late on a busy machine.
template <typename Collective>
void patiently(Collective&& collective) {
  for (;;) {
    try {
      return collective();
    } catch (const TimeoutError&) {
    }
  }
}

/// Memory that a call has used which has thrown. It stays, so that a late write is seen.
class Abandoned {
 public:
  explicit Abandoned(std::size_t size = size_bytes) : memory_(size, untouched) {}
  std::span<std::byte> all() { return memory_; }
  /// After the error: what the call has written until then is not looked at.
  void give_up() { std::ranges::fill(memory_, untouched); }
  [[nodiscard]] std::ptrdiff_t written() const {
    return static_cast<std::ptrdiff_t>(memory_.size()) - std::ranges::count(memory_, untouched);
  }

 private:
  std::vector<std::byte> memory_;
};

/// Rank 0 runs `give_up` while the others are in MPI; then all call the runtime.
class OnesidedOwnership : public ::testing::Test {
 protected:
  void while_others_are_away(Runtime& runtime, const std::function<void()>& give_up) {
    MPI_Barrier(MPI_COMM_WORLD);
    if (runtime.rank() == 0) give_up();
    MPI_Barrier(MPI_COMM_WORLD);
    patiently([&] { runtime.barrier(); });
  }

  /// Everything that is late has come: two more round trips.
  static void quiesce(Runtime& runtime, Region& region) {
    for (int i = 0; i < 2; ++i) {
      if (runtime.rank() == 0) patiently([&] { (void)get_value<int>(region, {.target = 1}); });
      patiently([&] { runtime.barrier(); });
    }
  }
};

void fill(Runtime& runtime, Region& region) {
  std::ranges::fill(region.local(), std::byte{0x11});
  patiently([&] { runtime.barrier(); });
}

TEST_F(OnesidedOwnership, ABlockingCallThatTimesOutLeavesItsMemoryAlone) {
  Runtime runtime(MPI_COMM_WORLD, impatient(Progress::poll));
  Region region(runtime, size_bytes);
  const std::array<std::size_t, 2> counts{16, size_bytes / 32};
  const std::array<std::size_t, 1> apart{32};
  const Strided strided{.counts = counts, .local_strides = apart, .remote_strides = apart};
  fill(runtime, region);
  std::array<Abandoned, 4> used;
  const std::vector<GetPiece> pieces{{.to = used[3].all().data(), .offset = 0, .size_bytes = 100},
                                     {.to = used[3].all().data() + 200, .offset = 300, .size_bytes = 4000}};
  const std::array<std::function<void()>, 4> calls{
      [&] { get(region, {.target = 1}, used[0].all().first(8)); },
      [&] { get(region, {.target = 1}, used[1].all()); },
      [&] { get(region, {.target = 1}, used[2].all().data(), strided); }, [&] { get(region, 1, pieces); }};
  while_others_are_away(runtime, [&] {
    for (std::size_t i = 0; i < calls.size(); ++i) {
      EXPECT_THROW(calls[i](), TimeoutError) << i;
      used[i].give_up();
    }
  });
  quiesce(runtime, region);
  for (std::size_t i = 0; i < used.size(); ++i) EXPECT_EQ(used[i].written(), 0) << "by call " << i;
  std::vector<std::byte> again(size_bytes);
  if (runtime.rank() == 0) {
    patiently([&] { get(region, {.target = 1}, again); });
    EXPECT_EQ(std::ranges::count(again, std::byte{0x11}), std::ssize(again))
        << "a late reply was taken for another";
  }
  patiently([&] { runtime.barrier(); });
  patiently([&] { region.free(); });
}

TEST_F(OnesidedOwnership, WhatUnwindingDropsLeavesItsMemoryAlone) {
  Runtime runtime(MPI_COMM_WORLD, impatient(Progress::poll));
  Region region(runtime, size_bytes);
  fill(runtime, region);
  std::array<Abandoned, 5> used;
  std::int64_t before = -5;
  while_others_are_away(runtime, [&] {
    const auto give_up = [&] {
      std::vector<Handle> handles;
      handles.push_back(nonblocking::get(region, {.target = 1}, used[0].all()));
      handles.push_back(nonblocking::get(region, {.target = 1}, used[1].all().first(8)));
      handles.push_back(nonblocking::fetch_add(region, {.target = 1, .offset = 8}, std::int64_t{0}, before));
      Aggregate aggregate(runtime);
      for (std::size_t at = 0; at < size_bytes; at += 8)
        aggregate.get(region, {.target = 1, .offset = at}, used[2].all().subspan(at, 8));
      implicit::get(region, {.target = 1}, used[3].all());
      implicit::get(region, {.target = 1}, used[4].all().first(8));
      runtime.wait_implicit();
    };
    EXPECT_THROW(give_up(), TimeoutError);
    for (Abandoned& one : used) one.give_up();
    before = -7;
  });
  quiesce(runtime, region);
  for (std::size_t i = 0; i < used.size(); ++i) EXPECT_EQ(used[i].written(), 0) << "by operation " << i;
  EXPECT_EQ(before, runtime.rank() == 0 ? -7 : -5);
  patiently([&] { region.free(); });
}

/// The stack below the caller, as another function uses it.
[[gnu::noinline]] std::size_t overwritten_locals() {
  volatile std::uint64_t locals[512];  // NOLINT(modernize-avoid-c-arrays): std::array has no volatile access
  for (volatile std::uint64_t& one : locals) one = 0xA5A5A5A5A5A5A5A5;
  MPI_Barrier(MPI_COMM_WORLD);  // rank 0 lets the others go on
  MPI_Recv(nullptr, 0, MPI_BYTE, 1, tag, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  std::size_t changed = 0;
  for (const volatile std::uint64_t& one : locals) changed += one != 0xA5A5A5A5A5A5A5A5 ? 1 : 0;
  return changed;
}

TEST_F(OnesidedOwnership, ABarrierThatTimesOutLeavesTheStackAloneAndCanBeContinued) {
  Runtime runtime(MPI_COMM_WORLD, impatient(Progress::poll));
  MPI_Barrier(MPI_COMM_WORLD);
  for (int round = 1; round <= 3; ++round) {
    if (runtime.rank() == 0) {
      EXPECT_THROW(runtime.barrier(), TimeoutError) << "a message of an earlier barrier was left";
      EXPECT_EQ(overwritten_locals(), 0U);
      EXPECT_NO_THROW(runtime.barrier()) << "it is not the barrier that was begun";
    } else {
      MPI_Barrier(MPI_COMM_WORLD);
      runtime.barrier();  // rank 0 has sent its message, and not come to the end
      MPI_Send(nullptr, 0, MPI_BYTE, 0, tag, MPI_COMM_WORLD);
    }
    MPI_Barrier(MPI_COMM_WORLD);
  }
}

TEST_F(OnesidedOwnership, ACollectiveOfATeamThatTimesOutLeavesItsMemoryAlone) {
  Runtime runtime(MPI_COMM_WORLD, impatient(Progress::poll));
  Region region(runtime, 8);
  const Team team = runtime.world();
  const auto members = static_cast<std::size_t>(team.size());
  const std::vector<double> mine(members * 4096, 1.0);
  std::array<Abandoned, 4> used{Abandoned(4096 * 8), Abandoned(4096 * 8), Abandoned(members * 4096 * 8),
                                Abandoned(members * 4096 * 8)};
  const auto as_doubles = [&](std::size_t i) {
    return std::span(reinterpret_cast<double*>(used[i].all().data()), used[i].all().size() / 8);
  };
  const std::array<std::function<void()>, 4> calls{
      [&] { allreduce(team, std::span(mine).first(4096), as_doubles(0), Reduction::sum); },
      [&] { broadcast(team, as_doubles(1), team.size() - 1); },
      [&] { allgather(team, std::span(mine).first(4096), as_doubles(2)); },
      [&] { alltoall(team, mine, as_doubles(3)); }};
  MPI_Barrier(MPI_COMM_WORLD);
  for (std::size_t i = 0; i < calls.size() && runtime.rank() == 0; ++i) {
    EXPECT_THROW(calls[i](), TimeoutError) << i;
    used[i].give_up();
  }
  MPI_Barrier(MPI_COMM_WORLD);
  for (std::size_t i = 0; i < calls.size() && runtime.rank() != 0; ++i) EXPECT_NO_THROW(calls[i]()) << i;
  MPI_Barrier(MPI_COMM_WORLD);
  patiently([&] { runtime.barrier(); });
  for (std::size_t i = 0; i < used.size() && runtime.rank() == 0; ++i)
    EXPECT_EQ(used[i].written(), 0) << "by collective " << i;
  patiently([&] { region.free(); });
}

// The progress threads of the other ranks are in a handler, and serve nobody. The source is unmapped after
// the error: what MPI reads there ends the program.
TEST_F(OnesidedOwnership, ALargePutThatTimesOutReadsNothingAnyMore) {
  Options options = impatient(Progress::thread);
  options.segment_bytes = 64 << 10;
  Runtime runtime(MPI_COMM_WORLD, options);
  constexpr std::size_t large = 4 << 20;
  Region region(runtime, large);
  std::atomic<bool> leave{false};
  RemoteFunction stay(runtime, [&](int source, std::span<const std::byte>) {
    MPI_Send(nullptr, 0, MPI_BYTE, source, tag, MPI_COMM_WORLD);
    while (!leave) std::this_thread::yield();
  });
  patiently([&] { runtime.barrier(); });
  MPI_Barrier(MPI_COMM_WORLD);
  if (runtime.rank() == 0) {
    stay.call(1, no_payload);
    MPI_Recv(nullptr, 0, MPI_BYTE, 1, tag, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    for (int times = 0; times < 2; ++times) {
      void* const pages = mmap(nullptr, large, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
      ASSERT_NE(pages, MAP_FAILED);
      std::memset(pages, 1, large);
      EXPECT_THROW(put(region, {.target = 1}, Source(pages, large)), TimeoutError);
      munmap(pages, large);
    }
  }
  MPI_Barrier(MPI_COMM_WORLD);
  leave = true;
  patiently([&] { runtime.barrier(); });
  std::vector<std::byte> again(large, std::byte{3});
  if (runtime.rank() == 0) patiently([&] { put(region, {.target = 1}, again); });
  patiently([&] { runtime.barrier(); });
  if (runtime.rank() == 1) {
    EXPECT_EQ(std::ranges::count(region.local(), std::byte{3}), std::ssize(again))
        << "a put that was given up came late";
  }
  patiently([&] { runtime.barrier(); });
  patiently([&] { stay.free(); });
  patiently([&] { region.free(); });
}

// A handler that throws in a wait does not end the operation that is waited for: it completes first.
TEST_F(OnesidedOwnership, AHandlerThatThrowsDoesNotEndAnOperationHalfWay) {
  Options options = impatient(Progress::poll);
  options.timeout_s = 0;
  Runtime runtime(MPI_COMM_WORLD, options);
  Region region(runtime, size_bytes);
  fill(runtime, region);
  RemoteFunction fail(runtime, [&](int source, std::span<const std::byte>) {
    MPI_Send(nullptr, 0, MPI_BYTE, source, tag, MPI_COMM_WORLD);
    throw std::runtime_error("of a handler");
  });
  if (runtime.rank() == 0) {
    Abandoned used;
    EXPECT_THROW(get(region, {.target = 1}, used.all()), std::runtime_error);
    EXPECT_EQ(std::ranges::count(used.all(), std::byte{0x11}), std::ssize(used.all()));
  } else if (runtime.rank() == 1) {
    fail.call(0, no_payload);
    MPI_Recv(nullptr, 0, MPI_BYTE, 0, tag, MPI_COMM_WORLD, MPI_STATUS_IGNORE);  // and serves nobody
  }
  runtime.barrier();
  // A call that starts an operation returns its handle, and a call that waits throws.
  if (runtime.rank() == 1) {
    fail.call(0, no_payload);
    MPI_Recv(nullptr, 0, MPI_BYTE, 0, tag, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  } else if (runtime.rank() == 0) {
    int came = 0;
    while (came == 0) {
      int value = 0;
      Handle handle;
      EXPECT_NO_THROW(handle = nonblocking::get(region, {.target = 0}, std::span{&value, 1}));
      MPI_Iprobe(1, tag, MPI_COMM_WORLD, &came, MPI_STATUS_IGNORE);
      try {
        runtime.wait(handle);
      } catch (const std::runtime_error&) {
        came = 1;
        runtime.wait(handle);
      }
      EXPECT_EQ(value, 0x11111111);
    }
  }
  runtime.barrier();
}

// The handle is in an outer scope: the exception destroys its runtime first.
TEST_F(OnesidedOwnership, ARuntimeThatUnwindingDestroysLeavesAllMemoryAlone) {
  Abandoned used;
  Handle handle;
  const auto lose = [&] {
    Runtime runtime(MPI_COMM_WORLD, impatient(Progress::poll));
    Region region(runtime, size_bytes);
    MPI_Barrier(MPI_COMM_WORLD);
    if (runtime.rank() == 0) {
      handle = nonblocking::get(region, {.target = 1}, used.all());
      throw std::runtime_error("of the application");
    }
    MPI_Recv(nullptr, 0, MPI_BYTE, 0, tag, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    for (int i = 0; i < 1000; ++i) runtime.poll();  // answers
    throw std::runtime_error("of the application");
  };
  EXPECT_THROW(lose(), std::runtime_error);
  if (world_rank() == 0) {
    used.give_up();
    MPI_Send(nullptr, 0, MPI_BYTE, 1, tag, MPI_COMM_WORLD);
    EXPECT_TRUE(handle.pending());
    EXPECT_THROW(wait_source(handle), FinalizedError);
    EXPECT_THROW(wait_remote(handle), FinalizedError);
  }
  MPI_Barrier(MPI_COMM_WORLD);
  MPI_Barrier(MPI_COMM_WORLD);
  EXPECT_EQ(used.written(), 0);
  const auto drop = [&] {
    const Handle dropped = std::move(handle);
    throw std::runtime_error("so that the drop is not reported");
  };
  EXPECT_THROW(drop(), std::runtime_error);
}

// Regions over memory of the program: it goes with the exception, and the runtime stays.
TEST_F(OnesidedOwnership, ARegionThatUnwindingDestroysLeavesItsMemoryAlone) {
  std::vector<std::byte> memory(size_bytes, untouched);
  const auto is_untouched = [&] { return std::ranges::count(memory, untouched) == std::ssize(memory); };
  const auto lose = [&] {
    Runtime runtime(MPI_COMM_WORLD, impatient(Progress::poll));
    auto region = std::make_unique<Region>(runtime, std::span(memory));
    MPI_Barrier(MPI_COMM_WORLD);
    if (runtime.rank() == 0) {
      try {
        const std::unique_ptr<Region> owned = std::move(region);
        throw std::runtime_error("of the application");
      } catch (const std::runtime_error&) {
      }
    }
    MPI_Barrier(MPI_COMM_WORLD);
    if (runtime.rank() == 1) put(*region, {.target = 0}, std::vector(100, std::byte{1}));
    if (runtime.rank() == 0) {
      while (is_untouched()) runtime.poll();  // until the put comes, which is refused
    }
    throw Error("which this rank does not have");  // so that nothing collective is done
  };
  try {
    lose();
  } catch (const Error& error) {
    EXPECT_NE(std::string(error.what()).find("which this rank does not have"), std::string::npos);
  }
  EXPECT_TRUE(is_untouched());
  MPI_Barrier(MPI_COMM_WORLD);
}

}  // namespace
}  // namespace stretto::testing::ownership
#endif
