// SPDX-License-Identifier: BSD-3-Clause
// Columns that are too long for memory are in a file, with the same values. A full file system is an error.
#include "replay/spillable_column.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <cstdlib>
#include <numeric>
#include <string>

#include "temporary_path.hpp"

namespace stretto::replay {
namespace {

constexpr std::size_t long_length = detail::long_column_bytes / sizeof(std::uint32_t);

/// Allocates all memory that columns may use, without touching it.
SpillableColumn<std::uint8_t> all_of_memory() {
  SpillableColumn<std::uint8_t> all;
  all.reserve(column_memory_bytes);
  return all;
}

TEST(SpillableColumn, StaysInMemoryWhileTheTotalIsSmall) {
  const SpillableColumn<std::uint32_t> one(long_length, 7);
  EXPECT_EQ(spilled_bytes(), 0);
}

TEST(SpillableColumn, KeepsItsValuesWhenItSpillsToAFile) {
  const SpillableColumn<std::uint8_t> all = all_of_memory();
  SpillableColumn<std::uint32_t> grown(long_length / 2);
  std::iota(grown.begin(), grown.end(), 1U);
  EXPECT_EQ(spilled_bytes(), 0);
  grown.resize(2 * long_length, 5);
  EXPECT_EQ(spilled_bytes(), 2 * detail::long_column_bytes);
  for (std::size_t i = 0; i < grown.size(); i += 1021) {  // somewhere on each page
    ASSERT_EQ(grown[i], i < long_length / 2 ? i + 1 : 5);
  }
  SpillableColumn<std::uint32_t>().swap(grown);
  EXPECT_EQ(spilled_bytes(), 0);
}

TEST(SpillableColumn, AFullFileSystemIsAnError) {
  const testing::TemporaryPath nowhere;
  const char* before = std::getenv("TMPDIR");
  const std::string kept = before != nullptr ? before : "";
  ::setenv("TMPDIR", nowhere.get().c_str(), 1);
  const SpillableColumn<std::uint8_t> all = all_of_memory();
  EXPECT_THROW(SpillableColumn<std::uint32_t>().reserve(long_length), std::bad_alloc);
  before != nullptr ? ::setenv("TMPDIR", kept.c_str(), 1) : ::unsetenv("TMPDIR");
  EXPECT_EQ(spilled_bytes(), 0);
}

}  // namespace
}  // namespace stretto::replay
