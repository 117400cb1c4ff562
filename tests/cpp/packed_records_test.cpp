// SPDX-License-Identifier: BSD-3-Clause
// Packed records are read as they were written, in pieces of any size; damage is refused.
#include <gtest/gtest.h>

#include <cstring>
#include <iterator>
#include <limits>
#include <random>
#include <sstream>
#include <string>

#include "analysis/analyse.hpp"
#include "record/rank_runs.hpp"
#include "record/record_packer.hpp"
#include "record/record_unpacker.hpp"
#include "replay/plain_trace.hpp"
#include "replay/trace_blocks.hpp"
#include "trace_writing.hpp"

namespace stretto::record {
namespace {

using Bytes = std::vector<std::byte>;

Bytes packed(const std::vector<Record>& records) {
  RecordPacker packer;
  Bytes bytes(records.size() * packed::max_record_bytes);
  std::byte* end = bytes.data();
  for (const Record& record : records) {
    std::byte* const begin = end;
    end = packer.pack(record, begin);
    EXPECT_LE(static_cast<std::size_t>(end - begin), packed::max_record_bytes);
  }
  bytes.resize(static_cast<std::size_t>(end - bytes.data()));
  return bytes;
}

/// Reads `chunk` bytes more at a time. Returns what is wrong; empty: nothing.
std::string unpack(const Bytes& bytes, std::size_t chunk, std::size_t most, std::vector<Record>& records) {
  RecordUnpacker unpacker;
  unpacker.begin_block();
  std::size_t begin = 0;
  std::size_t end = 0;
  while (begin < bytes.size()) {
    std::vector<Record> some;
    const auto [read, wrong] =
        unpacker.unpack({bytes.data() + begin, end - begin}, end == bytes.size(), most, some);
    if (wrong != nullptr) return wrong;
    records.insert(records.end(), some.begin(), some.end());
    begin += read;
    if (read == 0) end = std::min(end + chunk, bytes.size());
  }
  return {};
}

bool are_equal(const std::vector<Record>& some, const std::vector<Record>& others) {
  return some.size() == others.size() &&
         std::memcmp(some.data(), others.data(), some.size() * sizeof some[0]) == 0;
}

/// A step of a program: calls that recur, with requests that ascend.
std::vector<Record> steps(int count, std::mt19937_64& random) {
  std::vector<Record> records;
  std::uint64_t now_ns = 1'000'000;
  std::uint32_t request = 0;
  for (int step = 0; step < count; ++step) {
    for (int call = 0; call < 7; ++call) {
      Record record;
      record.begin_and_call = pack_field(now_ns, 16U + static_cast<unsigned>(call % 3));
      record.duration_and_site = pack_field(100 + random() % 400, static_cast<unsigned>(call));
      record.bytes_and_context = pack_field(std::uint64_t{800} * static_cast<unsigned>(call), 0);
      record.peer = call % 2;
      record.tag = call;
      record.request = call < 4 ? ++request : 0;
      record.extra = 0x7F0012345678 + std::int64_t{4096} * call;
      now_ns += 500 + random() % 5000;
      records.push_back(record);
    }
  }
  return records;
}

TEST(PackedRecords, StepsTakeFewBytes) {
  std::mt19937_64 random(1);
  const std::vector<Record> records = steps(1000, random);
  const Bytes bytes = packed(records);
  EXPECT_LT(bytes.size(), 6 * records.size());
  for (const std::size_t chunk : {std::size_t{1}, std::size_t{100}, bytes.size()}) {
    std::vector<Record> found;
    EXPECT_EQ(unpack(bytes, chunk, 50, found), "");
    EXPECT_TRUE(are_equal(found, records)) << chunk;
  }
}

TEST(PackedRecords, AnyRecordIsReadAsItWasWritten) {
  std::mt19937_64 random(2);
  std::vector<Record> records;
  for (int i = 0; i < 20'000; ++i) {
    Record record = records.empty() || random() % 4 == 0 ? Record{} : records[random() % records.size()];
    const auto any = [&] { return random() >> random() % 64; };
    for (std::uint64_t* field :
         {&record.begin_and_call, &record.duration_and_site, &record.bytes_and_context, &record.extra}) {
      if (random() % 3 == 0) *field = any();
    }
    if (random() % 5 == 0) record.peer = static_cast<std::int32_t>(any());
    if (random() % 5 == 0) record.tag = static_cast<std::int32_t>(any());
    if (random() % 3 == 0) record.request = static_cast<std::uint32_t>(any());
    if (random() % 5 == 0) record.count = static_cast<std::uint32_t>(any());
    if (high_field(record.begin_and_call) == definition) continue;  // is written with its payload
    records.push_back(record);
  }
  std::vector<Record> found;
  EXPECT_EQ(unpack(packed(records), 4096, 1000, found), "");
  EXPECT_TRUE(are_equal(found, records));
}

TEST(PackedRecords, ABlockKnowsNothingOfTheOneBefore) {
  std::mt19937_64 random(3);
  const std::vector<Record> records = steps(3, random);
  RecordPacker packer;
  Bytes bytes(records.size() * packed::max_record_bytes);
  for (int block = 0; block < 2; ++block) {
    packer.begin_block();
    std::byte* end = bytes.data();
    for (const Record& record : records) end = packer.pack(record, end);
    Bytes own(bytes.data(), end);
    std::vector<Record> found;
    EXPECT_EQ(unpack(own, 64, 10, found), "");
    EXPECT_TRUE(are_equal(found, records)) << block;
  }
}

TEST(PackedRecords, AReferenceEndsWithItsBlock) {
  const Bytes before_the_block = {std::byte{packed::has_distance}, std::byte{2}};
  std::vector<Record> found;
  EXPECT_EQ(unpack(before_the_block, 1, 1, found), "a record that refers to one before its block");
}

TEST(PackedRecords, APayloadThatIsNotThereTakesNoMemory) {
  Record module;
  module.begin_and_call = pack_field(0, definition);
  Bytes bytes(packed::max_record_bytes);
  std::byte* end = RecordPacker::pack_definition(module, nullptr, bytes.data());
  bytes.resize(static_cast<std::size_t>(end - bytes.data()));
  std::vector<Record> found;
  EXPECT_EQ(unpack(bytes, 1, 1, found), "");
  ASSERT_EQ(found.size(), 1U);
  // The set of the third word, bytes_and_context, and that word: 2^47 bytes.
  const std::ptrdiff_t third_word = 2 + 2 + 1;
  bytes[third_word] = std::byte{0x20};
  bytes.insert(bytes.begin() + third_word + 1, std::byte{0x80});
  found.clear();
  EXPECT_EQ(unpack(bytes, 1, 1, found), "a definition that is longer than its block");
  EXPECT_TRUE(found.empty());
}

TEST(PackedRecords, DamageIsReadOrRefused) {
  std::mt19937_64 random(4);
  const Bytes whole = packed(steps(20, random));
  int refused = 0;
  for (int i = 0; i < 2000; ++i) {
    Bytes bytes = whole;
    bytes[random() % bytes.size()] = static_cast<std::byte>(random());
    bytes.resize(1 + random() % bytes.size());
    std::vector<Record> found;
    refused += unpack(bytes, 1 + random() % 300, 1 + random() % 100, found).empty() ? 0 : 1;
    EXPECT_LE(found.size(), 49 * bytes.size());
  }
  EXPECT_GT(refused, 100);
}

TEST(RankRuns, HaveTheRanksThatTheyWereMadeOfAndNoOthers) {
  const std::vector<std::int32_t> members{5, 3, 1, 0, 4};
  EXPECT_EQ(ranks_in(runs_of(members), 6), members);
  constexpr std::int32_t far = std::numeric_limits<std::int32_t>::max();
  const std::vector<RankRun> damaged{{.first = -1, .stride = 2, .count = 3},
                                     {.first = far, .stride = far, .count = 9}};
  EXPECT_EQ(ranks_in(damaged, 3), std::vector<std::int32_t>{1});
}

}  // namespace
}  // namespace stretto::record

namespace stretto::replay::trace_test {
namespace {

std::vector<record::Record> all_records(const std::filesystem::path& file, std::size_t most) {
  std::vector<record::Record> found;
  TraceBlocks blocks(file);
  TracePiece piece;
  while (blocks.next(piece, most)) found.insert(found.end(), piece.records.begin(), piece.records.end());
  return found;
}

TEST(PackedTrace, HasTheRecordsOfAPlainOne) {
  const TemporaryDirectory directory;
  for (const TraceWriter& one : produced_and_consumed()) {
    const auto plain = write_bytes(directory.file("plain.trace"), one.bytes());
    const auto packed = write_bytes(directory.file("packed.trace"), one.bytes(record::packed_major));
    for (const std::size_t most : {1, 3, 1000}) {
      const auto found = all_records(packed, most);
      ASSERT_EQ(found.size(), one.records.size());
      EXPECT_EQ(std::memcmp(found.data(), one.records.data(), found.size() * sizeof found[0]), 0);
    }
    std::ostringstream text;
    write_plain_trace(packed, text);
    const auto again = write_bytes(directory.file("again.trace"), text.str());
    EXPECT_FALSE(TraceBlocks(again).is_packed());
    EXPECT_EQ(text.str(), one.bytes());
  }
}

TEST(PackedTrace, IsAnalysedAsAPlainOne) {
  const TemporaryDirectory directory;
  std::vector<std::filesystem::path> plain;
  std::vector<std::filesystem::path> packed;
  for (const TraceWriter& one : produced_and_consumed()) {
    const std::string rank = std::to_string(one.rank);
    plain.push_back(write_bytes(directory.file("plain-" + rank), one.bytes()));
    packed.push_back(write_bytes(directory.file("packed-" + rank), one.bytes(record::packed_major)));
  }
  const analysis::AnalysisOptions options{.cost = {.latency_s = 1e-6, .gap_s_per_byte = 1e-9}, .threads = 1};
  analysis::Alone alone;
  const analysis::Share share{alone, analysis::Division::blocks(plain.size(), alone)};
  const analysis::PotentialAndProgram one = analysis::potential_of(plain, share, options);
  const analysis::PotentialAndProgram other = analysis::potential_of(packed, share, options);
  const analysis::Sites& sites = one.potential.sites;
  const analysis::Sites& others = other.potential.sites;
  ASSERT_EQ(std::distance(sites.begin(), sites.end()), std::distance(others.begin(), others.end()));
  EXPECT_NE(sites.begin(), sites.end());
  for (auto a = sites.begin(), b = others.begin(); a != sites.end(); ++a, ++b) {
    EXPECT_EQ(a->first, b->first);
    EXPECT_EQ(a->second.count, b->second.count);
    EXPECT_EQ(a->second.blocked_s, b->second.blocked_s);
    EXPECT_EQ(a->second.data_window_s, b->second.data_window_s);
  }
}

}  // namespace
}  // namespace stretto::replay::trace_test
