// SPDX-License-Identifier: BSD-3-Clause
// Polls that found nothing: those of a loop are few records, with the time of all.
#include "trace/stream.hpp"

#include <gtest/gtest.h>

#include <cstring>
#include <fstream>
#include <iterator>
#include <vector>

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

class PollStream : public ::testing::Test {
 protected:
  void SetUp() override { ASSERT_TRUE(file_.open(path_.get().string(), {}, "")); }

  /// The records that are in the file.
  std::vector<record::Record> records() {
    file_.finish(0, stream.lost());
    std::ifstream file(path_.get().string(), std::ios::binary);
    const std::vector<char> bytes{std::istreambuf_iterator<char>(file), {}};
    std::vector<record::Record> found;
    std::uint64_t at = record::trace_page_bytes;
    record::BlockHeader header;
    std::memcpy(&header, bytes.data() + at, sizeof header);
    found.resize(header.used_bytes / sizeof(record::Record));
    std::memcpy(found.data(), bytes.data() + at + sizeof header, header.used_bytes);
    return found;
  }

 private:
  stretto::testing::TemporaryPath path_;
  TraceFile file_;

 protected:
  Stream stream{file_, 0};
};

std::uint64_t begin_of(const record::Record& one) { return record::low_field(one.begin_and_call); }
std::uint64_t duration_of(const record::Record& one) { return record::low_field(one.duration_and_site); }

TEST_F(PollStream, ThoseOfOneLoopAreOneRecordWithTheTimeOfAll) {
  for (std::uint64_t i = 0; i < 100; ++i) stream.append_poll(call(test_call, 1000 + 150 * i, 50));
  const auto found = records();
  ASSERT_EQ(found.size(), 1U);
  EXPECT_EQ(begin_of(found[0]), 1000U);
  EXPECT_EQ(duration_of(found[0]), 100 * 50U);
  EXPECT_EQ(found[0].extra, 99U);
}

TEST_F(PollStream, ASpanEnds) {
  for (std::uint64_t i = 0; i < 100; ++i) stream.append_poll(call(test_call, 1000 * i, 50));
  const auto found = records();
  ASSERT_EQ(found.size(), 5U);  // 20 us each
  EXPECT_EQ(begin_of(found[1]), 20'000U);
  EXPECT_EQ(duration_of(found[4]), 20 * 50U);
}

TEST_F(PollStream, TwoCallsInOneLoopAreTwoRecordsThatDoNotOverlap) {
  for (std::uint64_t i = 0; i < 10; ++i) {
    stream.append_poll(call(test_call, 200 * i, 90));
    stream.append_poll(call(iprobe_call, 200 * i + 100, 60));
  }
  const auto found = records();
  ASSERT_EQ(found.size(), 2U);
  EXPECT_EQ(duration_of(found[0]), 900U);
  EXPECT_EQ(begin_of(found[1]), 900U);
  EXPECT_EQ(duration_of(found[1]), 600U);
}

TEST_F(PollStream, PollsWithoutATimeTakeTheirPartLater) {
  stream.append_poll(call(test_call, 1000, 50));
  stream.append_poll(call(iprobe_call, 1060, 40));
  for (int i = 0; i < 3; ++i) EXPECT_TRUE(stream.count_poll(test_call, 1));
  EXPECT_TRUE(stream.count_poll(call(iprobe_call, 0, 0)));
  EXPECT_FALSE(stream.count_poll(test_call, 2)) << "another call site";
  stream.time_counted(240);
  const auto found = records();
  ASSERT_EQ(found.size(), 2U);
  EXPECT_EQ(found[0].extra, 3U);
  EXPECT_EQ(duration_of(found[0]), 50 + 180U);
  EXPECT_EQ(found[1].extra, 1U);
  EXPECT_EQ(duration_of(found[1]), 40 + 60U);
  EXPECT_EQ(begin_of(found[1]), 1000 + 230U);
}

TEST_F(PollStream, AFullBlockEndsTheCounting) {
  for (std::uint64_t i = 0; i < 400; ++i) {  // more than a block has
    const std::uint64_t begin_ns = 30'000 * i;
    stream.append_poll(call(test_call, begin_ns, 50));
    EXPECT_TRUE(stream.count_poll(test_call, 1));
    stream.time_counted(40);
  }
  EXPECT_EQ(stream.lost(), 0U);
  for (const record::Record& one : records()) EXPECT_EQ(duration_of(one), 90U);
}

TEST_F(PollStream, AnotherRecordEndsTheCounting) {
  stream.append_poll(call(test_call, 1000, 50));
  EXPECT_TRUE(stream.is_polling());
  EXPECT_TRUE(stream.count_poll(test_call, 1));
  stream.append(call(test_call, 1200, 10));  // it found something
  EXPECT_FALSE(stream.is_polling());
  EXPECT_FALSE(stream.count_poll(test_call, 1));
  stream.time_counted(100);
  const auto found = records();
  ASSERT_EQ(found.size(), 2U);
  EXPECT_EQ(duration_of(found[0]), 50U);
  EXPECT_EQ(duration_of(found[1]), 10U);
}

TEST_F(PollStream, WhatDiffersIsNotMerged) {
  stream.append_poll(call(test_call, 0, 10));
  stream.append_poll(call(test_call, 20, 10, 2));  // another call site
  record::Record other_tag = call(test_call, 40, 10);
  other_tag.tag = 7;
  stream.append_poll(other_tag);
  stream.append(call(test_call, 60, 10));  // it found something
  stream.append_poll(call(test_call, 80, 10));
  EXPECT_EQ(records().size(), 5U);
}

TEST_F(PollStream, AFullBlockBeginsASpan) {
  const std::size_t more_than_a_block = 400;
  for (std::uint64_t i = 0; i < more_than_a_block; ++i) {
    stream.append_poll(call(test_call, 10 * i, 10, static_cast<std::uint16_t>(i)));
  }
  stream.append_poll(call(test_call, 10 * more_than_a_block, 10, more_than_a_block - 1));
  EXPECT_EQ(stream.lost(), 0U);
  EXPECT_LT(records().size(), more_than_a_block);  // the rest is in the next block
}

}  // namespace
}  // namespace stretto::trace
