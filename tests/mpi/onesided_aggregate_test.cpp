// SPDX-License-Identifier: BSD-3-Clause
// Aggregates: the data, when it is sent, and one message for each filled buffer.
#include <numeric>
#include <stretto/aggregate.hpp>
#include <stretto/error.hpp>
#include <stretto/region.hpp>
#include <stretto/runtime.hpp>
#include <stretto/transfer.hpp>

#include "onesided_world.hpp"

namespace stretto::testing {
namespace {

class OnesidedAggregate : public EverySetting {};
INSTANTIATE_TEST_SUITE_P(Settings, OnesidedAggregate, ::testing::ValuesIn(settings()), name_of);

constexpr std::size_t count = 1000;
std::size_t place(std::size_t i) { return 24 * i; }

TEST_P(OnesidedAggregate, AThousandScatteredElementsArrive) {
  Runtime runtime(MPI_COMM_WORLD, options());
  Region region(runtime, place(count));
  const int next = (runtime.rank() + 1) % runtime.size();
  const int previous = (runtime.rank() + runtime.size() - 1) % runtime.size();
  std::vector<double> values(count);
  std::iota(values.begin(), values.end(), 1e6 * runtime.rank());
  Aggregate puts(runtime);
  for (std::size_t i = 0; i < count; ++i)
    puts.put(region, {.target = next, .offset = place(i)}, std::span{&values[i], 1});
  EXPECT_TRUE(puts.pending());
  runtime.wait(puts);
  EXPECT_FALSE(puts.pending());
  runtime.barrier();
  for (std::size_t i = 0; i < count; ++i) {
    EXPECT_EQ(region.local_as<double>()[3 * i], 1e6 * previous + static_cast<double>(i));
  }
  Aggregate gets(runtime);
  std::vector<double> got(count);
  for (std::size_t i = 0; i < count; ++i)
    gets.get(region, {.target = next, .offset = place(i)}, std::span{&got[i], 1});
  while (!runtime.test(gets)) {
  }
  EXPECT_EQ(got, values);
  runtime.barrier();
}

TEST_P(OnesidedAggregate, ShapesAndRegionsMix) {
  Runtime runtime(MPI_COMM_WORLD, options());
  Region one(runtime, 5000);
  Region other(runtime, 5000);
  const int next = (runtime.rank() + 1) % runtime.size();
  const int previous = (runtime.rank() + runtime.size() - 1) % runtime.size();
  const auto data = patterned(runtime.rank(), 5000, 4);
  const std::size_t counts[] = {30, 20};
  const std::size_t strides[] = {60};
  const PutPiece pieces[] = {{&data[3000], 3000, 500}, {&data[4000], 4000, 1}, {&data[4500], 4500, 0}};
  Aggregate aggregate(runtime);
  aggregate.put(one, {.target = next, .offset = 100}, std::span{data}.subspan(100, 2000));
  aggregate.put(other, {.target = next}, data.data(), {counts, strides, strides});
  aggregate.put(one, next, pieces);
  runtime.fence(next);  // sends it, and waits until it is done there
  runtime.notify(next);
  (void)runtime.wait_notify(previous);
  for (std::size_t i = 0; i < 5000; ++i) {
    const bool in_one = (i >= 100 && i < 2100) || (i >= 3000 && i < 3500) || i == 4000;
    const bool in_other = i < 1200 && i % 60 < 30;
    const std::byte want = pattern(previous, i, 4);
    if (one.local()[i] != (in_one ? want : std::byte{0})) ADD_FAILURE() << "the one, byte " << i;
    if (other.local()[i] != (in_other ? want : std::byte{0})) ADD_FAILURE() << "the other, byte " << i;
  }
  runtime.wait(aggregate);
  runtime.barrier();
}

TEST_P(OnesidedAggregate, AGetReadsWhenItGoesOut) {
  Runtime runtime(MPI_COMM_WORLD, options());
  Region region(runtime, 64);
  const std::size_t own = 8 * static_cast<std::size_t>(runtime.rank());
  std::uint64_t got = 99;
  Aggregate aggregate(runtime);
  aggregate.get(region, {.target = 0, .offset = own}, std::span{&got, 1});
  put_value(region, {.target = 0, .offset = own}, std::uint64_t{7});
  runtime.wait(aggregate);
  EXPECT_EQ(got, 7U);
  runtime.barrier();
}

// The path is forced, so that one node behaves as several nodes do.
TEST(OnesidedAggregateMessages, EqualTheNumberOfFilledBuffers) {
  Runtime runtime(MPI_COMM_WORLD, {.progress = Progress::poll, .path = Path::message, .segment_bytes = 4096});
  Region region(runtime, place(count));
  const int next = (runtime.rank() + 1) % runtime.size();
  std::vector<double> values(count, 1.5);
  const auto messages = [&] { return runtime.counters(next)[Path::message].messages; };
  Aggregate puts(runtime);
  runtime.reset_counters();
  std::uint64_t last = 0;
  for (std::size_t i = 0; i < count; ++i) {
    puts.put(region, {.target = next, .offset = place(i)}, std::span{&values[i], 1});
    EXPECT_LE(messages() - last, 1U);
    last = messages();
  }
  EXPECT_EQ(last, 1U) << "8000 bytes at equal distances fill one buffer of 4096, and not a second";
  runtime.wait(puts);
  EXPECT_EQ(messages(), 2U);
  EXPECT_EQ(runtime.counters(next)[Path::message].operations, count);
  EXPECT_EQ(runtime.counters(next)[Path::message].bytes, 8 * count);

  runtime.reset_counters();
  std::vector<double> got(count);
  Aggregate gets(runtime);
  for (std::size_t i = 0; i < count; ++i)
    gets.get(region, {.target = next, .offset = place(i)}, std::span{&got[i], 1});
  runtime.wait(gets);
  EXPECT_EQ(messages(), 2U) << "the replies fill two";

  runtime.reset_counters();
  const std::size_t counts[] = {8, count};
  const std::size_t here[] = {8};
  const std::size_t there[] = {24};
  put(region, {.target = next}, values.data(), {counts, here, there});
  EXPECT_EQ(messages(), 2U) << "one strided operation takes as many";
  runtime.barrier();
}

TEST_P(OnesidedAggregate, IncompatibleOperationsAreRefused) {
  Runtime runtime(MPI_COMM_WORLD, options());
  Region region(runtime, 64);
  int value = 1;
  int fetched = 0;
  const Place own{.target = 0, .offset = 12 + 4 * static_cast<std::size_t>(runtime.rank())};
  Aggregate aggregate(runtime);
  aggregate.put(region, own, std::span{&value, 1});
  EXPECT_THROW(aggregate.get(region, {.target = 0, .offset = 8}, std::span{&fetched, 1}), HandleError);
  if (runtime.size() > 1) {
    EXPECT_THROW(aggregate.put(region, {.target = 1, .offset = 8}, std::span{&value, 1}), HandleError);
  }
  EXPECT_THROW(aggregate.put(region, {.target = 0, .offset = 61}, std::span{&value, 1}), ArgumentError);
  if (runtime.rank() == 0) {
    const auto itself = region.local().subspan(6, 4);
    EXPECT_THROW(aggregate.put(region, {.target = 0, .offset = 8}, itself), ArgumentError);
  }
  runtime.wait(aggregate);
  aggregate.get(region, {.target = runtime.size() - 1, .offset = 0}, std::span{&fetched, 1});  // empty again
  runtime.wait(aggregate);
  runtime.barrier();
  if (runtime.rank() == 0) {
    EXPECT_EQ(region.local_as<int>()[2], 0) << "a refused operation moved bytes";
  }
  runtime.barrier();
}

}  // namespace
}  // namespace stretto::testing
