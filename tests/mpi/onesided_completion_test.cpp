// SPDX-License-Identifier: BSD-3-Clause
// Fences with nothing before them, waits for several flags, and atomics of every kind. The promises have the
// completion of one operation.
#include <array>
#include <stretto/atomic.hpp>
#include <stretto/completion.hpp>
#include <stretto/error.hpp>
#include <stretto/region.hpp>
#include <stretto/runtime.hpp>
#include <stretto/signal.hpp>
#include <stretto/transfer.hpp>

#include "onesided_world.hpp"

namespace stretto::testing {
namespace {

class OnesidedCompletion : public EverySetting {};
INSTANTIATE_TEST_SUITE_P(Settings, OnesidedCompletion, ::testing::ValuesIn(settings()), name_of);

TEST_P(OnesidedCompletion, AFenceWithNothingBeforeItIsDone) {
  Runtime runtime(MPI_COMM_WORLD, options());
  EXPECT_FALSE(nonblocking::fence(runtime, 0).pending());
  EXPECT_TRUE(nonblocking::fence(runtime).empty());
  EXPECT_THROW((void)nonblocking::fence(runtime, runtime.size()), ArgumentError);
  Handle none;
  wait_remote(none);
  EXPECT_TRUE(test_remote(none));
  EXPECT_TRUE(test_source(none));
  runtime.barrier();
}

TEST_P(OnesidedCompletion, SeveralFlagsAreWaitedFor) {
  Runtime runtime(MPI_COMM_WORLD, options());
  Region region(runtime, 4 * 8);
  const int right = (runtime.rank() + 1) % runtime.size();
  raise_signal(region, right, {.offset = 0, .value = 3});
  raise_signal(region, right, {.offset = 8, .value = 10, .add = false});
  Handle handle = nonblocking::raise_signal(region, right, {.offset = 16});
  const std::array<SignalCondition, 3> all{{{.offset = 0, .value = 3, .comparison = Comparison::equal},
                                            {.offset = 8, .value = 9, .comparison = Comparison::greater},
                                            {.offset = 16, .value = 0, .comparison = Comparison::not_equal}}};
  wait_all_signals(region, all);
  const std::array<SignalCondition, 3> some{{{.offset = 24},
                                             {.offset = 8, .value = 10, .comparison = Comparison::less_equal},
                                             {.offset = 0, .value = 4, .comparison = Comparison::less}}};
  EXPECT_EQ(wait_any_signal(region, some), 1U);
  EXPECT_EQ(wait_some_signals(region, some), (std::vector<std::size_t>{1, 2}));
  EXPECT_EQ(test_any_signal(region, some), std::optional<std::size_t>(1));
  EXPECT_EQ(test_any_signal(region, std::span(some).first(1)), std::nullopt);
  EXPECT_FALSE(test_signal(region, some.front()));
  EXPECT_EQ(wait_signal(region, all.front()), 3U);
  EXPECT_THROW((void)wait_any_signal(region, {}), ArgumentError);
  EXPECT_THROW((void)test_signal(region, SignalCondition{.offset = 32}), ArgumentError);
  runtime.wait(handle);
  runtime.barrier();
}

// Over MPI_Put the flag follows by message when the data is at the target.
TEST(OnesidedPutSignal, LargeDataTakesTheRmaPathAndTheFlagFollows) {
  Runtime runtime(MPI_COMM_WORLD, {.progress = Progress::poll,
                                   .contiguous = Path::rma,
                                   .segment_bytes = 1024,
                                   .outstanding = 4,
                                   .node_ranks = 1});
  constexpr std::size_t size = 20000;
  Region region(runtime, size + 8);
  const int right = (runtime.rank() + 1) % runtime.size();
  const int left = (runtime.rank() + runtime.size() - 1) % runtime.size();
  for (unsigned round = 1; round <= 4; ++round) {
    const auto data = patterned(runtime.rank(), size, round);
    Handle handle;
    if (round % 2 == 0) {
      put_signal(region, {.target = right}, data, {.offset = size});
    } else {
      handle = nonblocking::put_signal(region, {.target = right}, data, {.offset = size});
    }
    EXPECT_EQ(wait_signal(region, size, round), round);
    const auto expected = patterned(left, size, round);
    EXPECT_TRUE(std::equal(expected.begin(), expected.end(), region.local().begin())) << "round " << round;
    runtime.wait(handle);
    runtime.barrier();
  }
  if (region.node_local_pointer(right) == nullptr) {
    EXPECT_EQ(runtime.counters(right)[Path::rma].bytes, 4 * size);
    EXPECT_EQ(runtime.counters(right)[Path::message].copied_bytes, 0U);
  }
  runtime.barrier();
}

/// A word that this rank alone updates, at its right neighbour: each update and the value that it finds.
template <typename T>
void update_bits(const Region& region, Place place) {
  EXPECT_EQ(fetch_or(region, place, T{9}), T{0});
  EXPECT_EQ(fetch_xor(region, place, T{3}), T{9});
  EXPECT_EQ(fetch_and(region, place, T{14}), T{10});
  atomic_or(region, place, T{1});
  atomic_xor(region, place, T{2});
  EXPECT_EQ(atomic_fetch<T>(region, place), T{9});
  atomic_and(region, place, T{8});
  atomic_set(region, place, static_cast<T>(atomic_fetch<T>(region, place) - 9));  // -1: all bits
  EXPECT_EQ(swap(region, place, T{0}), static_cast<T>(-1));
}

template <typename T>
void update_later(Runtime& runtime, const Region& region, Place place) {
  T before{7};
  const auto complete = [&](Handle handle) {
    runtime.wait(handle);
    return before;
  };
  EXPECT_EQ(complete(nonblocking::fetch_add(region, place, T{5}, before)), T{0});
  EXPECT_EQ(complete(nonblocking::swap(region, place, T{2}, before)), T{5});
  EXPECT_EQ(complete(nonblocking::atomic_fetch(region, place, before)), T{2});
  Handle added = nonblocking::atomic_add(region, place, T{-4});
  wait_remote(added);
  EXPECT_EQ(atomic_fetch<T>(region, place), T{-2});
  Handle set = nonblocking::atomic_set(region, place, T{6});
  wait_remote(set);
  if constexpr (AtomicInteger<T>) {
    EXPECT_EQ(complete(nonblocking::fetch_or(region, place, T{1}, before)), T{6});
    EXPECT_EQ(complete(nonblocking::fetch_xor(region, place, T{3}, before)), T{7});
    EXPECT_EQ(complete(nonblocking::fetch_and(region, place, T{5}, before)), T{4});
    EXPECT_EQ(complete(nonblocking::compare_swap(region, place, T{4}, T{-1}, before)), T{4});
    for (Handle& one : std::array{nonblocking::atomic_and(region, place, T{12}),
                                  nonblocking::atomic_or(region, place, T{12}),
                                  nonblocking::atomic_xor(region, place, T{0})})
      wait_remote(one);
    EXPECT_EQ(atomic_fetch<T>(region, place), T{12});
  }
  atomic_set(region, place, T{0});
}

TEST_P(OnesidedCompletion, AtomicsOfEveryKindAndType) {
  Runtime runtime(MPI_COMM_WORLD, options());
  const auto ranks = static_cast<std::size_t>(runtime.size());
  Region region(runtime, 8 * (ranks + 8));
  const int right = (runtime.rank() + 1) % runtime.size();
  const Place own{.target = right, .offset = 8 * static_cast<std::size_t>(runtime.rank())};
  update_bits<std::int32_t>(region, own);
  update_bits<std::int64_t>(region, own);
  update_later<std::int32_t>(runtime, region, own);
  update_later<std::int64_t>(runtime, region, own);
  update_later<float>(runtime, region, own);
  update_later<double>(runtime, region, own);

  // Words that all ranks add to.
  const auto common = [&](std::size_t word) { return Place{.target = 0, .offset = 8 * (ranks + word)}; };
  for (int i = 0; i < 20; ++i) {
    atomic_add(region, common(0), 1.5);
    atomic_add(region, common(1), 0.25F);
    atomic_add(region, common(2), std::int32_t{-1});
    atomic_add(region, common(3), std::uint64_t{1} << 40U);
    (void)fetch_add(region, common(0), 0.5);
  }
  atomic_or(region, common(4), std::uint64_t{1} << static_cast<unsigned>(runtime.rank()));
  runtime.barrier();
  EXPECT_EQ(get_value<double>(region, common(0)), 40.0 * runtime.size());
  EXPECT_EQ(get_value<float>(region, common(1)), 5.0F * static_cast<float>(runtime.size()));
  EXPECT_EQ(get_value<std::int32_t>(region, common(2)), -20 * runtime.size());
  EXPECT_EQ(get_value<std::uint64_t>(region, common(3)), (20 * ranks) << 40U);
  EXPECT_EQ(get_value<std::uint64_t>(region, common(4)), (std::uint64_t{1} << ranks) - 1);
  EXPECT_THROW(atomic_add(region, {.target = 0, .offset = 4}, 1.0), ArgumentError);
  EXPECT_THROW(atomic_or(region, {.target = 0, .offset = 8 * (ranks + 8)}, 1), ArgumentError);
  runtime.barrier();
}

}  // namespace
}  // namespace stretto::testing
