// SPDX-License-Identifier: BSD-3-Clause
// Put and get of every shape: the right bytes, at the right place, and no other bytes. The promises have when
// they are there, and in which order.
#include <array>
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

}  // namespace
}  // namespace stretto::testing
