// SPDX-License-Identifier: BSD-3-Clause
// Polls that found nothing: those of a loop are few records, with the time of all. Both formats have the same
// records.
#include "trace/stream.hpp"

#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <vector>

#include "replay/trace_blocks.hpp"
#include "temporary_path.hpp"

namespace stretto::trace {
namespace {

constexpr std::uint16_t test_call = 40;
constexpr std::uint16_t iprobe_call = 41;

record::Record call(std::uint16_t number, std::uint64_t begin_ns, std::uint64_t duration_ns,
                    std::uint16_t site = 1) {
  record::Record record;
  record.begin_and_call = record::pack_field(begin_ns, number);
  record.duration_and_site = record::pack_field(duration_ns, site);
  return record;
}

/// In files of both versions.
class PollStream : public ::testing::TestWithParam<std::uint16_t> {
 protected:
  void SetUp() override {
    record::TraceHeader header;
    header.major = GetParam();
    header.ranks = 1;
    ASSERT_TRUE(file_.open(path_.get().string(), header, ""));
    stream_ = std::make_unique<Stream>(file_, 0);
  }

  Stream& stream() { return *stream_; }
  /// The records that are in the file.
  std::vector<record::Record> records() {
    std::vector<record::Record> found;
    replay::TraceBlocks blocks(path_.get());
    replay::TracePiece piece;
    while (blocks.next(piece, 100)) found.insert(found.end(), piece.records.begin(), piece.records.end());
    blocks_ = blocks.blocks().size();
    return found;
  }
  /// Of the file when `records` has read it.
  [[nodiscard]] std::size_t blocks() const { return blocks_; }
  TraceFile& file() { return file_; }

 private:
  stretto::testing::TemporaryPath path_;
  TraceFile file_;
  std::unique_ptr<Stream> stream_;
  std::size_t blocks_ = 0;
};

INSTANTIATE_TEST_SUITE_P(Formats, PollStream, ::testing::Values(record::trace_major, record::packed_major));

std::uint64_t begin_of(const record::Record& one) { return record::low_field(one.begin_and_call); }
std::uint64_t duration_of(const record::Record& one) { return record::low_field(one.duration_and_site); }

TEST_P(PollStream, ThoseOfOneLoopAreOneRecordWithTheTimeOfAll) {
  for (std::uint64_t i = 0; i < 100; ++i) stream().append_poll(call(test_call, 1000 + 150 * i, 50));
  const auto found = records();
  ASSERT_EQ(found.size(), 1U);
  EXPECT_EQ(begin_of(found[0]), 1000U);
  EXPECT_EQ(duration_of(found[0]), 100 * 50U);
  EXPECT_EQ(found[0].extra, 99U);
}

TEST_P(PollStream, ASpanEnds) {
  for (std::uint64_t i = 0; i < 100; ++i) stream().append_poll(call(test_call, 1000 * i, 50));
  const auto found = records();
  ASSERT_EQ(found.size(), 5U);  // 20 us each
  EXPECT_EQ(begin_of(found[1]), 20'000U);
  EXPECT_EQ(duration_of(found[4]), 20 * 50U);
}

TEST_P(PollStream, TwoCallsInOneLoopAreTwoRecordsThatDoNotOverlap) {
  for (std::uint64_t i = 0; i < 10; ++i) {
    stream().append_poll(call(test_call, 200 * i, 90));
    stream().append_poll(call(iprobe_call, 200 * i + 100, 60));
  }
  const auto found = records();
  ASSERT_EQ(found.size(), 2U);
  EXPECT_EQ(duration_of(found[0]), 900U);
  EXPECT_EQ(begin_of(found[1]), 900U);
  EXPECT_EQ(duration_of(found[1]), 600U);
}

TEST_P(PollStream, PollsWithoutATimeTakeTheirPartLater) {
  stream().append_poll(call(test_call, 1000, 50));
  stream().append_poll(call(iprobe_call, 1060, 40));
  for (int i = 0; i < 3; ++i) EXPECT_TRUE(stream().count_poll(test_call, 1));
  EXPECT_TRUE(stream().count_poll(call(iprobe_call, 0, 0)));
  EXPECT_FALSE(stream().count_poll(test_call, 2)) << "another call site";
  stream().time_counted(240);
  const auto found = records();
  ASSERT_EQ(found.size(), 2U);
  EXPECT_EQ(found[0].extra, 3U);
  EXPECT_EQ(duration_of(found[0]), 50 + 180U);
  EXPECT_EQ(found[1].extra, 1U);
  EXPECT_EQ(duration_of(found[1]), 40 + 60U);
  EXPECT_EQ(begin_of(found[1]), 1000 + 230U);
}

constexpr std::uint64_t more_than_a_block = 6000;

TEST_P(PollStream, AFullBlockEndsTheCounting) {
  for (std::uint64_t i = 0; i < more_than_a_block; ++i) {
    const std::uint64_t begin_ns = 30'000 * i;
    stream().append_poll(call(test_call, begin_ns, 50));
    EXPECT_TRUE(stream().count_poll(test_call, 1));
    stream().time_counted(40);
  }
  EXPECT_EQ(stream().lost(), 0U);
  const auto found = records();
  EXPECT_EQ(found.size(), more_than_a_block);
  EXPECT_GT(blocks(), 1U);
  for (const record::Record& one : found) EXPECT_EQ(duration_of(one), 90U);
}

TEST_P(PollStream, AnotherRecordEndsTheCounting) {
  stream().append_poll(call(test_call, 1000, 50));
  EXPECT_TRUE(stream().is_polling());
  EXPECT_TRUE(stream().count_poll(test_call, 1));
  stream().append(call(test_call, 1200, 10));  // it found something
  EXPECT_FALSE(stream().is_polling());
  EXPECT_FALSE(stream().count_poll(test_call, 1));
  stream().time_counted(100);
  const auto found = records();
  ASSERT_EQ(found.size(), 2U);
  EXPECT_EQ(duration_of(found[0]), 50U);
  EXPECT_EQ(duration_of(found[1]), 10U);
}

TEST_P(PollStream, WhatDiffersIsNotMerged) {
  stream().append_poll(call(test_call, 0, 10));
  stream().append_poll(call(test_call, 20, 10, 2));  // another call site
  record::Record other_tag = call(test_call, 40, 10);
  other_tag.tag = 7;
  stream().append_poll(other_tag);
  stream().append(call(test_call, 60, 10));  // it found something
  stream().append_poll(call(test_call, 80, 10));
  EXPECT_EQ(records().size(), 5U);
}

TEST_P(PollStream, AFullBlockBeginsASpan) {
  for (std::uint64_t i = 0; i < more_than_a_block; ++i) {
    stream().append_poll(call(test_call, 10 * i, 10, static_cast<std::uint16_t>(i)));
  }
  EXPECT_EQ(stream().lost(), 0U);
  const auto found = records();
  EXPECT_GT(blocks(), 1U);
  ASSERT_EQ(found.size(), more_than_a_block);
  for (std::uint64_t i = 0; i < more_than_a_block; ++i) EXPECT_EQ(begin_of(found[i]), 10 * i);
}

TEST_P(PollStream, OtherRecordsFollowPolls) {
  for (std::uint64_t i = 0; i < more_than_a_block; ++i) {
    stream().append_poll(call(test_call, 1000 * i, 10));
    stream().append_poll(call(iprobe_call, 1000 * i + 20, 10));
    stream().append(call(test_call, 1000 * i + 900, 20));
  }
  const auto found = records();
  ASSERT_EQ(found.size(), 3 * more_than_a_block);
  for (std::uint64_t i = 0; i < more_than_a_block; ++i) {
    EXPECT_EQ(begin_of(found[3 * i + 1]), 1000 * i + 20);
    EXPECT_EQ(begin_of(found[3 * i + 2]), 1000 * i + 900);
  }
}

TEST_P(PollStream, ADefinitionIsWhole) {
  const std::string name(3000, 'x');
  record::Record module = call(record::definition, 0, 0, 0);
  module.request = record::module;
  for (int i = 0; i < 20; ++i) {
    stream().append_poll(call(test_call, 100 * static_cast<std::uint64_t>(i), 10));
    stream().append(module, name.data(), name.size());
  }
  const auto found = records();
  const std::size_t payload = (name.size() + sizeof(record::Record) - 1) / sizeof(record::Record);
  ASSERT_EQ(found.size(), 20 * (2 + payload));
  EXPECT_EQ(record::low_field(found[1].bytes_and_context), name.size());
  EXPECT_EQ(std::string(reinterpret_cast<const char*>(&found[2]), name.size()), name);
}

TEST_P(PollStream, TheIndexCountsRecords) {
  stream().append(call(test_call, 0, 10));
  stream().append_poll(call(test_call, 100, 10));
  file().finish(1000, 0);
  EXPECT_EQ(records().size(), 2U);
}

}  // namespace
}  // namespace stretto::trace
