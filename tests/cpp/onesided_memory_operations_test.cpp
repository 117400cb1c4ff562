// SPDX-License-Identifier: BSD-3-Clause
// Updates of every type, from unaligned sources, by several threads at once.
#include <gtest/gtest.h>

#include <bit>
#include <complex>
#include <cstring>
#include <limits>
#include <thread>
#include <vector>

#include "onesided/memory/memory_operations.hpp"

namespace stretto::onesided {
namespace {

template <typename T>
class MemoryOperations : public ::testing::Test {};
using Elements =
    ::testing::Types<std::int32_t, std::int64_t, float, double, std::complex<float>, std::complex<double>>;
TYPED_TEST_SUITE(MemoryOperations, Elements);

TYPED_TEST(MemoryOperations, AccumulateAddsTheScaledSource) {
  std::vector<TypeParam> target{TypeParam(1), TypeParam(2), TypeParam(3)};
  const std::vector<TypeParam> source{TypeParam(10), TypeParam(20), TypeParam(30)};
  int unused_lock = 0;
  std::vector<std::byte> unaligned(source.size() * sizeof(TypeParam) + 1);
  std::memcpy(unaligned.data() + 1, source.data(), unaligned.size() - 1);
  onesided::accumulate(reinterpret_cast<std::byte*>(target.data()), unaligned.data() + 1,
                       unaligned.size() - 1, Scale::of(TypeParam(3)), unused_lock);
  EXPECT_EQ(target, (std::vector<TypeParam>{TypeParam(31), TypeParam(62), TypeParam(93)}));
}

TYPED_TEST(MemoryOperations, NoUpdateIsLostBetweenThreads) {
  std::vector<TypeParam> target(4);
  const std::vector<TypeParam> ones(4, TypeParam(1));
  int lock = 0;
  const auto work = [&] {
    for (int i = 0; i < 20000; ++i) {
      onesided::accumulate(reinterpret_cast<std::byte*>(target.data()),
                           reinterpret_cast<const std::byte*>(ones.data()), 4 * sizeof(TypeParam),
                           Scale::of(TypeParam(2)), lock);
    }
  };
  std::thread other(work);
  work();
  other.join();
  EXPECT_EQ(target, std::vector<TypeParam>(4, TypeParam(80000)));
}

TYPED_TEST(MemoryOperations, NoUpdateOfUnalignedElementsIsLost) {
  std::vector<std::byte> target(4 * sizeof(TypeParam) + 1);
  const std::vector<TypeParam> ones(4, TypeParam(1));
  int lock = 0;
  const auto work = [&] {
    for (int i = 0; i < 2000; ++i) {
      onesided::accumulate(target.data() + 1, reinterpret_cast<const std::byte*>(ones.data()),
                           4 * sizeof(TypeParam), Scale::of(TypeParam(2)), lock);
    }
  };
  std::thread other(work);
  work();
  other.join();
  std::vector<TypeParam> sums(4);
  std::memcpy(sums.data(), target.data() + 1, target.size() - 1);
  EXPECT_EQ(sums, std::vector<TypeParam>(4, TypeParam(8000)));
  EXPECT_EQ(lock, 0);
}

TEST(MemoryOperationsUpdate, AtomicsReturnTheValueBefore) {
  using stretto::detail::AtomicOperation;
  std::uint64_t wide = 5;
  auto* place = reinterpret_cast<std::byte*>(&wide);
  EXPECT_EQ(update(place, AtomicOperation::fetch_add, std::numeric_limits<std::uint64_t>::max(), 0, 8), 5U);
  EXPECT_EQ(wide, 4U);
  EXPECT_EQ(update(place, AtomicOperation::swap, 9, 0, 8), 4U);
  EXPECT_EQ(update(place, AtomicOperation::compare_swap, 1, 8, 8), 9U);
  EXPECT_EQ(wide, 9U);
  EXPECT_EQ(update(place, AtomicOperation::compare_swap, 1, 9, 8), 9U);
  EXPECT_EQ(wide, 1U);
  std::uint32_t narrow[2] = {std::numeric_limits<std::uint32_t>::max(), 7};
  EXPECT_EQ(update(reinterpret_cast<std::byte*>(narrow), AtomicOperation::fetch_add, 1, 0, 4), 0xFFFFFFFFU);
  EXPECT_EQ(narrow[0], 0U);
  EXPECT_EQ(narrow[1], 7U) << "the neighbour was touched";
}

TEST(MemoryOperationsUpdate, AtomicsAreBitwiseAndFloatingToo) {
  using stretto::detail::AtomicOperation;
  std::uint64_t wide = 12;
  auto* place = reinterpret_cast<std::byte*>(&wide);
  EXPECT_EQ(update(place, AtomicOperation::fetch_or, 3, 0, 8), 12U);
  EXPECT_EQ(update(place, AtomicOperation::fetch_and, 6, 0, 8), 15U);
  EXPECT_EQ(update(place, AtomicOperation::fetch_xor, 5, 0, 8), 6U);
  EXPECT_EQ(update(place, AtomicOperation::fetch, 99, 99, 8), 3U);
  EXPECT_EQ(wide, 3U);
  double real = 1.5;
  place = reinterpret_cast<std::byte*>(&real);
  EXPECT_EQ(update(place, AtomicOperation::fetch_add_real, std::bit_cast<std::uint64_t>(0.25), 0, 8),
            std::bit_cast<std::uint64_t>(1.5));
  EXPECT_EQ(real, 1.75);
  float narrow[2] = {2.0F, 3.0F};
  place = reinterpret_cast<std::byte*>(narrow);
  EXPECT_EQ(update(place, AtomicOperation::fetch_add_real, std::bit_cast<std::uint32_t>(-0.5F), 0, 4),
            std::bit_cast<std::uint32_t>(2.0F));
  EXPECT_EQ(narrow[0], 1.5F);
  EXPECT_EQ(narrow[1], 3.0F) << "the neighbour was touched";
}

TEST(MemoryOperationsUpdate, AFlagIsAddedToOrSet) {
  std::uint64_t flag = 1;
  auto* place = reinterpret_cast<std::byte*>(&flag);
  raise_flag(place, 4, true);
  EXPECT_EQ(read_flag(place), 5U);
  raise_flag(place, 4, false);
  EXPECT_EQ(read_flag(place), 4U);
}

}  // namespace
}  // namespace stretto::onesided
