// SPDX-License-Identifier: BSD-3-Clause
#include "trace/block_ring.hpp"

#include <gtest/gtest.h>

#include "record/limited_size.hpp"

namespace stretto::trace {
namespace {

constexpr std::uint64_t kib = 1024;

BlockRing ring() { return BlockRing({.file_bytes = 100 * kib, .block_bytes = 8 * kib}); }

record::BlockIndex block(std::uint64_t offset, std::uint32_t thread = 0) {
  return {.offset = offset, .first_ns = offset, .records = 0, .thread = thread};
}

TEST(BlockRing, TheOldestThatNoThreadWritesToIsDropped) {
  BlockRing all = ring();
  all.add(block(4096), true);
  all.add(block(12288), false);
  all.add(block(20480, 1), false);
  all.add(block(28672), false);
  EXPECT_FALSE(all.drop_oldest()) << "threads write to all";
  all.release(4096, 10);
  all.release(28672, 40);
  all.release(20480, 50);
  EXPECT_EQ(all.drop_oldest(), 20480);
  EXPECT_EQ(all.index().front().first_ns, 50);
  EXPECT_EQ(all.drop_oldest(), 28672) << "of another thread, which left it earlier";
  EXPECT_EQ(all.index().front().first_ns, 50) << "from then on nothing is missing";
  EXPECT_FALSE(all.drop_oldest()) << "one is kept, and one in use";
}

TEST(BlockRing, ItsIndexIsInTheOrderOfTime) {
  BlockRing all = ring();
  EXPECT_EQ(all.index().size(), 1);
  EXPECT_EQ(all.index().front().offset, 0);
  EXPECT_EQ(all.index().front().first_ns, 0);
  all.add(block(4096), false);
  all.add(block(12288), false);
  all.release(4096, 7);
  const auto place = all.drop_oldest();
  ASSERT_TRUE(place);
  all.add(block(*place), false);
  const auto index = all.index();
  ASSERT_EQ(index.size(), 3);
  EXPECT_EQ(index[1].offset, 12288);
  EXPECT_EQ(index[2].offset, 4096);
}

TEST(LimitedSize, AllFilesAndACopyOfOneFit) {
  for (const std::uint64_t ranks : {1U, 2U, 7U, 1024U, 100000U}) {
    const std::uint64_t least = record::min_limit(ranks);
    EXPECT_FALSE(record::limited_size(least - 1, ranks)) << ranks;
    for (const std::uint64_t limit : {least, least + 5000, 100 * least}) {
      const auto size = record::limited_size(limit, ranks);
      ASSERT_TRUE(size) << ranks;
      EXPECT_LE(size->file_bytes * (ranks + 1), limit);
      EXPECT_EQ(size->block_bytes % record::trace_page_bytes, 0);
      EXPECT_LE(8 * size->block_bytes, size->file_bytes) << ranks << " ranks, " << limit;
    }
  }
}

}  // namespace
}  // namespace stretto::trace
