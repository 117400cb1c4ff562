// SPDX-License-Identifier: BSD-3-Clause
// Several threads of one rank: a fence and every other call keep their guarantees to one thread, independent
// of the other threads. Otherwise these tests fail or reach their time limit.
#include <array>
#include <atomic>
#include <stretto/accumulate.hpp>
#include <stretto/aggregate.hpp>
#include <stretto/atomic.hpp>
#include <stretto/mutexes.hpp>
#include <stretto/region.hpp>
#include <stretto/runtime.hpp>
#include <stretto/signal.hpp>
#include <stretto/transfer.hpp>
#include <thread>

#include "onesided_world.hpp"

#ifndef STRETTO_SIMGRID  // where there are no threads

namespace stretto::testing {
namespace {

/// Uses messages also on one node, because node-local memory can be read without another operation.
const Options by_message{
    .progress = Progress::thread, .path = Path::message, .segment_bytes = 1024, .outstanding = 4};

constexpr const char* not_seen =
    "NOT TESTED: rank 0 looks into the target's memory; run all ranks on one node";

std::uint64_t look(const Region& region, int target) {
  auto* const there = reinterpret_cast<std::uint64_t*>(region.node_local_pointer(target));
  return std::atomic_ref(*there).load(std::memory_order_acquire);
}

TEST(OnesidedThreads, AFenceCoversItsThreadsOperationsDuringAnothersFence) {
  Runtime runtime(MPI_COMM_WORLD, by_message);
  Region region(runtime, sizeof(std::uint64_t));
  const int target = runtime.size() - 1;
  const bool can_look = region.node_local_pointer(target) != nullptr;
  const std::uint64_t rounds = runtime.size() > 4 ? 100 : 1000;  // processors are scarce there
  if (runtime.rank() == 0 && can_look) {
    std::atomic<bool> over{false};
    std::thread other([&] {
      while (!over) runtime.fence(target);
    });
    std::uint64_t missing = 0;
    for (std::uint64_t round = 1; round <= rounds; ++round) {
      put_value(region, {.target = target}, round);
      runtime.fence(target);
      missing += look(region, target) == round ? 0 : 1;
    }
    over = true;
    other.join();
    EXPECT_EQ(missing, 0U) << "puts that were not there after a fence";
  }
  runtime.barrier();
  if (!can_look) GTEST_SKIP() << not_seen;
}

TEST(OnesidedThreads, AFenceEndsWhileAnotherThreadKeepsSending) {
  Runtime runtime(MPI_COMM_WORLD, by_message);
  constexpr std::size_t size =
      32 << 10;  // eight times what the buffers hold, so the next ones are always unsent
  Region region(runtime, 8 + size);
  const int target = runtime.size() - 1;
  const bool can_look = region.node_local_pointer(target) != nullptr;
  if (runtime.rank() == 0 && can_look) {
    std::atomic<bool> over{false};
    std::thread other([&] {
      const std::vector<std::byte> data(size);
      std::array<Handle, 4> handles;
      for (std::size_t i = 0; !over; i = (i + 1) % handles.size()) {
        runtime.wait(handles[i]);
        handles[i] = nonblocking::put(region, {.target = target, .offset = 8}, data);
      }
      runtime.wait_all(handles);
    });
    for (std::uint64_t round = 1; round <= (runtime.size() > 4 ? 5U : 30U); ++round) {
      put_value(region, {.target = target}, round);
      runtime.fence(target);
      EXPECT_EQ(look(region, target), round);
    }
    over = true;
    other.join();
  }
  runtime.barrier();
  if (!can_look) GTEST_SKIP() << not_seen;
}

// With a context for each, and with fewer: threads then share some.
TEST(OnesidedThreads, ThreadsWithTargetsOfTheirOwnReachThem) {
  for (const int contexts : {2, 64}) {
    Options options = by_message;
    options.contexts = contexts;
    Runtime runtime(MPI_COMM_WORLD, options);
    EXPECT_EQ(runtime.options().contexts, contexts);
    const auto ranks = static_cast<std::size_t>(runtime.size());
    constexpr std::size_t size = 3000;
    Region region(runtime, ranks * (size + 8));
    const std::size_t own = static_cast<std::size_t>(runtime.rank()) * (size + 8);
    std::vector<int> wrong(ranks, 0);
    std::vector<std::thread> all;
    for (int target = 0; target < runtime.size(); ++target) {
      all.emplace_back([&, target] {
        for (unsigned round = 0; round < 20; ++round) {
          const auto data = patterned(target, size, round);
          Handle handle = nonblocking::put_signal(region, {.target = target, .offset = own}, data,
                                                  {.offset = own + size});
          runtime.wait(handle);
          implicit::put(region, {.target = target, .offset = own}, Source(data.data(), 8));
          runtime.wait_implicit(target);
          runtime.fence(target);
          std::vector<std::byte> got(size);
          get(region, {.target = target, .offset = own}, got);
          wrong[static_cast<std::size_t>(target)] += got == data ? 0 : 1;
        }
      });
    }
    for (std::thread& one : all) one.join();
    EXPECT_EQ(wrong, std::vector<int>(ranks, 0)) << contexts << " contexts";
    for (std::size_t source = 0; source < ranks; ++source)
      EXPECT_EQ(wait_signal(region, source * (size + 8) + size, 20), 20U);
    runtime.barrier();
  }
}

/// What one of several threads does with a lane of its own in every rank, and with counters that all share.
class BusyThread {
 public:
  BusyThread(Runtime& runtime, Region& region, Mutexes& mutexes, int thread)
      : runtime_(runtime), region_(region), mutexes_(mutexes), thread_(thread) {}

  static constexpr int threads = 3;
  static constexpr int rounds = 10;
  static constexpr int additions = 20;  // of a round, so that those of threads meet
  static constexpr std::size_t lane_bytes = 2048;
  static constexpr std::size_t added = 0;     // a double that all add to
  static constexpr std::size_t guarded = 8;   // a number a thread, changed under a mutex
  static constexpr std::size_t counted = 32;  // a number of atomics of all
  static constexpr std::size_t lanes = 64;
  static std::size_t region_bytes(int ranks) {
    return lanes + static_cast<std::size_t>(ranks) * threads * lane_bytes;
  }

  void run() {
    for (int round = 0; round < rounds; ++round) {
      const int target = (runtime_.rank() + round) % runtime_.size();
      const auto data = patterned(thread_ + 10 * runtime_.rank(), lane_bytes, static_cast<unsigned>(round));
      put_and_get(target,
                  patterned(thread_ - 10 * runtime_.rank(), lane_bytes, static_cast<unsigned>(round)));
      gather(target, data);
      add_and_count(target);
      reverse(target, data);
    }
  }
  [[nodiscard]] int wrong() const { return wrong_; }

 private:
  [[nodiscard]] std::size_t lane() const {
    return lanes + (static_cast<std::size_t>(runtime_.rank()) * threads + static_cast<std::size_t>(thread_)) *
                       lane_bytes;
  }

  void put_and_get(int target, const std::vector<std::byte>& data) {
    std::vector<std::byte> got(lane_bytes);
    Handle handle = nonblocking::put(region_, {.target = target, .offset = lane()}, data);
    runtime_.wait(handle);
    runtime_.fence(target);
    get(region_, {.target = target, .offset = lane()}, got);
    wrong_ += got == data ? 0 : 1;
  }

  /// An aggregate, while other threads fence the same target, and implicit gets of the same.
  void gather(int target, const std::vector<std::byte>& data) {
    constexpr std::size_t piece = 64;
    Aggregate puts(runtime_);
    for (std::size_t at = 0; at < lane_bytes; at += piece) {
      puts.put(region_, {.target = target, .offset = lane() + at}, Source(&data[at], piece));
    }
    runtime_.wait(puts);
    runtime_.fence(target);
    std::vector<std::byte> got(lane_bytes);
    for (std::size_t at = 0; at < lane_bytes; at += piece) {
      implicit::get(region_, {.target = target, .offset = lane() + at}, Sink(&got[at], piece));
    }
    runtime_.wait_implicit(target);
    wrong_ += got == data ? 0 : 1;
  }

  void add_and_count(int target) {
    const double one = 1;
    Handle handle = nonblocking::accumulate(region_, {.target = 0, .offset = added}, Source(&one, sizeof one),
                                            Scale::of(1.0));
    const std::size_t place = guarded + 8 * static_cast<std::size_t>(thread_);
    mutexes_.lock(target, static_cast<std::size_t>(thread_));
    const auto before = get_value<std::int64_t>(region_, {.target = target, .offset = place});
    put_value(region_, {.target = target, .offset = place}, before + 1);
    mutexes_.unlock(target, static_cast<std::size_t>(thread_));
    for (int i = 0; i < additions; ++i) {
      (void)fetch_add(region_, {.target = 0, .offset = counted}, std::int64_t{1});
    }
    while (!runtime_.test(handle)) {
    }
  }

  /// Every second word there and back by strides, a handle for each.
  void reverse(int target, const std::vector<std::byte>& data) {
    const std::array<std::size_t, 2> counts{8, lane_bytes / 16};
    const std::array<std::size_t, 1> stride{16};
    const Strided shape{.counts = counts, .local_strides = stride, .remote_strides = stride};
    std::vector<std::byte> got(lane_bytes);
    std::array<Handle, 2> handles{
        nonblocking::get(region_, {.target = target, .offset = lane()}, got.data(), shape),
        nonblocking::get(region_, {.target = target, .offset = lane() + 8}, &got[8], shape)};
    (void)runtime_.wait_any(handles);
    runtime_.wait_all(handles);
    wrong_ += got == data ? 0 : 1;
    wrong_ += runtime_.counters(target)[Path::direct].operations +
                          runtime_.counters(target)[Path::message].operations >
                      0
                  ? 0
                  : 1;
  }

  Runtime& runtime_;
  Region& region_;
  Mutexes& mutexes_;
  int thread_;
  int wrong_ = 0;
};

TEST(OnesidedThreads, ThreadsUseEveryKindOfOperation) {
  for (const Setting& setting : settings()) {
    if (setting.options.progress != Progress::thread) continue;
    Runtime runtime(MPI_COMM_WORLD, setting.options);
    Region region(runtime, BusyThread::region_bytes(runtime.size()));
    Mutexes mutexes(runtime, BusyThread::threads);
    std::vector<BusyThread> work;
    for (int thread = 0; thread < BusyThread::threads; ++thread) {
      work.emplace_back(runtime, region, mutexes, thread);
    }
    std::vector<std::thread> all;
    for (BusyThread& one : work) all.emplace_back([&one] { one.run(); });
    for (std::thread& one : all) one.join();
    runtime.barrier();
    for (const BusyThread& one : work) EXPECT_EQ(one.wrong(), 0) << setting.name;
    for (std::size_t thread = 0; thread < BusyThread::threads; ++thread) {
      EXPECT_EQ(region.local_as<std::int64_t>()[BusyThread::guarded / 8 + thread], BusyThread::rounds)
          << setting.name;
    }
    if (runtime.rank() == 0) {
      const int updates = BusyThread::threads * BusyThread::rounds * runtime.size();
      EXPECT_EQ(region.local_as<double>()[BusyThread::added / 8], updates) << setting.name;
      EXPECT_EQ(region.local_as<std::int64_t>()[BusyThread::counted / 8], updates * BusyThread::additions)
          << setting.name;
    }
    runtime.barrier();
    mutexes.free();
  }
}

}  // namespace
}  // namespace stretto::testing

#endif
