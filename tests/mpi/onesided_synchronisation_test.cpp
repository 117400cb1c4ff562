// SPDX-License-Identifier: BSD-3-Clause
// Concurrent updates of one place, signals without data, notifications and mutexes. The promises have those
// with data.
#include <array>
#include <complex>
#include <stretto/accumulate.hpp>
#include <stretto/atomic.hpp>
#include <stretto/error.hpp>
#include <stretto/mutexes.hpp>
#include <stretto/region.hpp>
#include <stretto/runtime.hpp>
#include <stretto/signal.hpp>
#include <stretto/transfer.hpp>

#include "onesided_world.hpp"

namespace stretto::testing {
namespace {

class OnesidedSynchronisation : public EverySetting {};
INSTANTIATE_TEST_SUITE_P(Settings, OnesidedSynchronisation, ::testing::ValuesIn(settings()), name_of);

template <typename T>
void accumulate_from_every_rank(Runtime& runtime) {
  constexpr std::size_t count = 400;
  Region region(runtime, count * sizeof(T));
  const std::vector<T> values(count, T(static_cast<float>(runtime.rank() + 1)));
  const std::array<std::size_t, 2> counts{10 * sizeof(T), 40};
  const std::array<std::size_t, 1> strides{10 * sizeof(T)};
  const Strided shape{.counts = counts, .local_strides = strides, .remote_strides = strides};
  for (int target = 0; target < runtime.size(); ++target) {
    accumulate(region, {.target = target}, values, Scale::of(T(2)));
    accumulate(region, {.target = target}, values.data(), shape, Scale::of(T(3)));
    implicit::accumulate(region, {.target = target}, values, Scale::of(T(1)));
  }
  runtime.wait_implicit();
  runtime.barrier();
  const int sum = runtime.size() * (runtime.size() + 1) / 2;
  const T want(static_cast<float>(6 * sum));
  for (const T& value : region.local_as<T>()) EXPECT_EQ(value, want);
  runtime.barrier();
}

TEST_P(OnesidedSynchronisation, ConcurrentAccumulatesOfAllTypesAddUp) {
  Runtime runtime(MPI_COMM_WORLD, options());
  accumulate_from_every_rank<int>(runtime);
  accumulate_from_every_rank<std::int64_t>(runtime);
  accumulate_from_every_rank<float>(runtime);
  accumulate_from_every_rank<double>(runtime);
  accumulate_from_every_rank<std::complex<float>>(runtime);
  accumulate_from_every_rank<std::complex<double>>(runtime);
}

TEST_P(OnesidedSynchronisation, ContendedCountersLoseNoUpdate) {
  Runtime runtime(MPI_COMM_WORLD, options());
  Region region(runtime, 64);
  constexpr int rounds = 100;
  std::vector<bool> seen(static_cast<std::size_t>(runtime.size() * rounds), false);
  const std::vector<std::int64_t> one{1};
  for (int i = 0; i < rounds; ++i) {
    // The two ways of adding to one place, mixed.
    const auto before = fetch_add(region, {.target = 0, .offset = 0}, std::int64_t{1});
    EXPECT_GE(before, 0);
    accumulate(region, {.target = 0, .offset = 0}, one, Scale::of(std::int64_t{1}));
    const int ticket = fetch_add(region, {.target = 0, .offset = 12}, 1);
    if (ticket >= 0 && ticket < runtime.size() * rounds) {
      EXPECT_FALSE(seen[static_cast<std::size_t>(ticket)]) << "a ticket was given twice";
      seen[static_cast<std::size_t>(ticket)] = true;
    } else {
      ADD_FAILURE() << "ticket " << ticket;
    }
    for (int old = 0, now = 0;; old = now) {  // adds by compare and swap
      now = compare_swap(region, {.target = 0, .offset = 16}, old, old + 1);
      if (now == old) break;
    }
  }
  runtime.barrier();
  if (runtime.rank() == 0) {
    EXPECT_EQ(region.local_as<std::int64_t>()[0], 2 * rounds * runtime.size());
    EXPECT_EQ(region.local_as<int>()[2], 0) << "next to the counter";
    EXPECT_EQ(region.local_as<int>()[3], rounds * runtime.size());
    EXPECT_EQ(region.local_as<int>()[4], rounds * runtime.size());
  }
  const int before = swap(region, {.target = runtime.rank(), .offset = 24}, -5);
  EXPECT_EQ(before, 0);
  EXPECT_EQ(region.local_as<int>()[6], -5);
  runtime.barrier();
}

TEST_P(OnesidedSynchronisation, ASignalWithoutDataIsASignal) {
  Runtime runtime(MPI_COMM_WORLD, options());
  Region region(runtime, 8);
  for (int target = 0; target < runtime.size(); ++target) {
    put_signal(region, {.target = target}, std::span<const int>{}, {.offset = 0, .value = 3});
  }
  EXPECT_EQ(wait_signal(region, 0, 3U * static_cast<unsigned>(runtime.size())),
            3U * static_cast<unsigned>(runtime.size()));
  runtime.barrier();
}

TEST_P(OnesidedSynchronisation, NotificationsAreCountedBySource) {
  Runtime runtime(MPI_COMM_WORLD, options());
  for (int target = 0; target < runtime.size(); ++target) {
    for (int i = 0; i <= runtime.rank(); ++i) runtime.notify(target);
  }
  for (int source = runtime.size() - 1; source >= 0; --source) {
    for (int i = 0; i <= source; ++i) EXPECT_EQ(runtime.wait_notify(source), static_cast<unsigned>(i) + 1);
  }
  runtime.barrier();
}

TEST_P(OnesidedSynchronisation, AMutexAdmitsOneRankAtATime) {
  Runtime runtime(MPI_COMM_WORLD, options());
  Mutexes mutexes(runtime, runtime.rank() == 0 ? 0 : 2);
  Region region(runtime, 16);
  const int owner = runtime.size() - 1;
  if (owner > 0) {
    for (int i = 0; i < 20; ++i) {
      mutexes.lock(owner, 1);
      // Not atomic on purpose: only the mutex makes it one step.
      const int value = get_value<int>(region, {.target = 0, .offset = 4});
      put_value(region, {.target = 0, .offset = 4}, value + 1);
      mutexes.unlock(owner, 1);
    }
    mutexes.lock(owner, 0);
    EXPECT_THROW(mutexes.lock(owner, 0), ArgumentError);
    mutexes.unlock(owner, 0);
    EXPECT_THROW(mutexes.unlock(owner, 0), ArgumentError);
  }
  EXPECT_THROW(mutexes.lock(0, 0), ArgumentError);
  runtime.barrier();
  if (runtime.rank() == 0 && owner > 0) {
    EXPECT_EQ(region.local_as<int>()[1], 20 * runtime.size());
  }
  runtime.barrier();
  mutexes.free();
}

}  // namespace
}  // namespace stretto::testing
