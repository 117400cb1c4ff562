// SPDX-License-Identifier: BSD-3-Clause
// Put and get of every shape, blocking, nonblocking and implicit: the right bytes, at the right place, when
// the completion says so; and no other bytes.
#include <array>
#include <numeric>
#include <stretto/region.hpp>
#include <stretto/runtime.hpp>
#include <stretto/transfer.hpp>

#include "onesided_world.hpp"

namespace stretto::testing {
namespace {

class OnesidedTransfer : public EverySetting {};
INSTANTIATE_TEST_SUITE_P(Settings, OnesidedTransfer, ::testing::ValuesIn(settings()), name_of);

const std::vector<std::size_t> sizes{0, 1, 8, 13, 1000, 1024, 5000, 70000};

TEST_P(OnesidedTransfer, EachRankPutsToAllRanks) {
  Runtime runtime(MPI_COMM_WORLD, options());
  const auto ranks = static_cast<std::size_t>(runtime.size());
  unsigned seed = 0;
  for (const std::size_t size : sizes) {
    Region region(runtime, ranks * size + 1);
    const std::vector<std::byte> mine = patterned(runtime.rank(), size, ++seed);
    const std::size_t offset = static_cast<std::size_t>(runtime.rank()) * size;
    for (int target = 0; target < runtime.size(); ++target)
      put(region, {.target = target, .offset = offset}, mine);
    runtime.barrier();
    const auto got = region.local();
    for (std::size_t origin = 0; origin < ranks; ++origin) {
      const auto want = patterned(static_cast<int>(origin), size, seed);
      EXPECT_TRUE(
          std::equal(want.begin(), want.end(), got.begin() + static_cast<std::ptrdiff_t>(origin * size)))
          << size << " bytes from rank " << origin;
    }
    EXPECT_EQ(got.back(), std::byte{0}) << "written beyond the end";
    runtime.barrier();
  }
}

TEST_P(OnesidedTransfer, EachRankGetsFromAllRanks) {
  Runtime runtime(MPI_COMM_WORLD, options());
  for (const std::size_t size : sizes) {
    Region region(runtime, size + 64);
    const auto mine = patterned(runtime.rank(), size + 64, 3);
    std::copy(mine.begin(), mine.end(), region.local().begin());
    runtime.barrier();
    for (int target = 0; target < runtime.size(); ++target) {
      std::vector<std::byte> got(size);
      get(region, {.target = target, .offset = 5}, got);
      for (std::size_t i = 0; i < size; ++i) {
        if (got[i] != pattern(target, i + 5, 3)) {
          ADD_FAILURE() << size << " bytes from rank " << target << ", first wrong at " << i;
          break;
        }
      }
    }
    runtime.barrier();
  }
}

TEST_P(OnesidedTransfer, ManyNonblockingTransfersAreCompleteAfterWaiting) {
  Runtime runtime(MPI_COMM_WORLD, options());
  constexpr std::size_t count = 300;
  Region region(runtime, count * sizeof(double));
  Region source(runtime, count * sizeof(double));
  const int next = (runtime.rank() + 1) % runtime.size();
  const int previous = (runtime.rank() + runtime.size() - 1) % runtime.size();
  std::vector<double> values(count);
  std::iota(values.begin(), values.end(), 1000.0 * runtime.rank());
  std::copy(values.begin(), values.end(), source.local_as<double>().begin());
  runtime.barrier();
  std::vector<Handle> handles;
  std::vector<double> got(count, -1);
  for (std::size_t i = 0; i < count; ++i) {
    const Place place{.target = next, .offset = i * sizeof(double)};
    handles.push_back(nonblocking::put(region, place, std::span{&values[i], 1}));
    handles.push_back(nonblocking::get(source, place, std::span{&got[i], 1}));
    EXPECT_TRUE(handles.back().pending());
  }
  for (std::size_t left = handles.size(); left > handles.size() / 2; --left) {
    const std::size_t done = runtime.wait_any(handles);
    EXPECT_LT(done, handles.size());
    EXPECT_FALSE(handles[done].pending());
  }
  runtime.wait_all(handles);
  for (std::size_t i = 0; i < count; ++i) EXPECT_EQ(got[i], 1000.0 * next + static_cast<double>(i));
  runtime.barrier();
  for (std::size_t i = 0; i < count; ++i) {
    EXPECT_EQ(region.local_as<double>()[i], 1000.0 * previous + static_cast<double>(i));
  }
  runtime.barrier();
}

TEST_P(OnesidedTransfer, ATestCompletesATransfer) {
  Runtime runtime(MPI_COMM_WORLD, options());
  Region region(runtime, 1 << 16);
  const auto mine = patterned(runtime.rank(), 1 << 16, 9);
  std::copy(mine.begin(), mine.end(), region.local().begin());
  runtime.barrier();
  const int target = runtime.size() - 1;
  std::vector<std::byte> got(1 << 16);
  Handle handle = nonblocking::get(region, {.target = target}, got);
  while (!runtime.test(handle)) {
  }
  EXPECT_FALSE(handle.pending());
  EXPECT_EQ(got, patterned(target, 1 << 16, 9));
  runtime.barrier();
}

TEST_P(OnesidedTransfer, ImplicitTransfersAreCompletedByTargetOrAll) {
  Runtime runtime(MPI_COMM_WORLD, options());
  const auto ranks = static_cast<std::size_t>(runtime.size());
  constexpr std::size_t count = 200;
  Region region(runtime, ranks * count * sizeof(int));
  std::vector<int> values(count, runtime.rank() + 1);
  for (int target = 0; target < runtime.size(); ++target) {
    for (std::size_t i = 0; i < count; ++i) {
      const std::size_t place = (static_cast<std::size_t>(runtime.rank()) * count + i) * sizeof(int);
      implicit::put(region, {.target = target, .offset = place}, std::span{&values[i], 1});
    }
  }
  runtime.wait_implicit(0);
  runtime.wait_implicit();
  std::fill(values.begin(), values.end(), -1);  // sources are free now
  runtime.barrier();
  for (std::size_t i = 0; i < ranks * count; ++i) {
    EXPECT_EQ(region.local_as<int>()[i], static_cast<int>(i / count) + 1) << i;
  }
  std::vector<int> got(ranks * count);
  for (int target = 0; target < runtime.size(); ++target) {
    implicit::get(region, {.target = target},
                  std::span{got}.subspan(static_cast<std::size_t>(target) * count, count));
  }
  runtime.wait_implicit();
  for (std::size_t i = 0; i < ranks * count; ++i) EXPECT_EQ(got[i], 1) << i;
  runtime.barrier();
}

TEST_P(OnesidedTransfer, StridedTransfersMoveTheirBlocksOnly) {
  Runtime runtime(MPI_COMM_WORLD, options());
  constexpr std::size_t bytes = 20000;
  Region region(runtime, bytes);
  const std::array<std::size_t, 4> counts{24, 5, 7, 3};
  const std::array<std::size_t, 3> here{30, 200, 2000};
  const std::array<std::size_t, 3> there{100, 600, 6000};
  const Strided shape{.counts = counts, .local_strides = here, .remote_strides = there};
  const int next = (runtime.rank() + 1) % runtime.size();
  const int previous = (runtime.rank() + runtime.size() - 1) % runtime.size();
  const auto source = patterned(runtime.rank(), 6000, 1);
  put(region, {.target = next, .offset = 11}, source.data(), shape);
  runtime.barrier();
  std::vector<std::byte> want(bytes);
  std::vector<std::byte> back(6000);
  for (std::size_t k = 0; k < 3; ++k) {
    for (std::size_t j = 0; j < 7; ++j) {
      for (std::size_t i = 0; i < 5; ++i) {
        for (std::size_t b = 0; b < 24; ++b) {
          const std::size_t local = 30 * i + 200 * j + 2000 * k + b;
          want[11 + 100 * i + 600 * j + 6000 * k + b] = pattern(previous, local, 1);
          back[local] = source[local];
        }
      }
    }
  }
  EXPECT_TRUE(std::equal(want.begin(), want.end(), region.local().begin()));
  std::vector<std::byte> got(6000);
  Handle handle = nonblocking::get(region, {.target = next, .offset = 11}, got.data(), shape);
  runtime.wait(handle);
  EXPECT_EQ(got, back);
  runtime.barrier();
}

TEST_P(OnesidedTransfer, VectorsMoveTheirPieces) {
  Runtime runtime(MPI_COMM_WORLD, options());
  constexpr std::size_t count = 200;
  Region region(runtime, count * count);
  const int next = (runtime.rank() + 1) % runtime.size();
  const auto source = patterned(runtime.rank(), 16 * count, 2);
  std::vector<PutPiece> out;
  std::vector<GetPiece> in;
  std::vector<std::byte> got(source.size());
  for (std::size_t i = 0; i < count; ++i) {
    const std::size_t offset = i * i;  // pieces of 0 to 15 bytes, farther and farther apart
    out.push_back({.from = &source[16 * i], .offset = offset, .size_bytes = std::min(i % 16, 2 * i)});
    in.push_back({.to = &got[16 * i], .offset = offset, .size_bytes = out.back().size_bytes});
  }
  put(region, next, std::span<const PutPiece>(out));
  get(region, next, std::span<const GetPiece>(in));
  for (std::size_t i = 0; i < count; ++i) {
    EXPECT_TRUE(std::equal(&got[16 * i], &got[16 * i] + out[i].size_bytes, &source[16 * i])) << "piece " << i;
  }
  runtime.barrier();
}

TEST_P(OnesidedTransfer, BlockingTransfersToOneTargetTakeEffectInOrder) {
  Runtime runtime(MPI_COMM_WORLD, options());
  Region region(runtime, static_cast<std::size_t>(runtime.size()) * 4096);
  const std::size_t mine = static_cast<std::size_t>(runtime.rank()) * 4096;
  const std::array<std::size_t, 2> counts{64, 64};  // strided: another path than contiguous ones
  const std::array<std::size_t, 1> strides{64};
  const Strided shape{.counts = counts, .local_strides = strides, .remote_strides = strides};
  for (int round = 0; round < 20; ++round) {
    for (int target = 0; target < runtime.size(); ++target) {
      std::vector<int> values(1024, 2 * round);
      put(region, {.target = target, .offset = mine}, values);
      std::fill(values.begin(), values.end(), 2 * round + 1);
      put(region, {.target = target, .offset = mine}, values.data(), shape);
      std::vector<int> got(1024);
      get(region, {.target = target, .offset = mine}, got);
      EXPECT_EQ(got, values) << "a get overtook a strided put";
      put_value(region, {.target = target, .offset = mine + 4}, -round);
      EXPECT_EQ(get_value<int>(region, {.target = target, .offset = mine + 4}), -round);
      get(region, {.target = target, .offset = mine}, got.data(), shape);
      EXPECT_EQ(got[1], -round) << "a strided get overtook a put";
    }
  }
  runtime.barrier();
}

}  // namespace
}  // namespace stretto::testing
