// SPDX-License-Identifier: BSD-3-Clause
// Damaged traces. Random damage to bytes and records: each trace is read, replayed and analysed, or refused
// with one line. Traces that exceed a bound by one are refused. Under the sanitizers this shows that no input
// causes an access out of bounds. STRETTO_FUZZ_INPUTS is the number of random inputs.
#include <gtest/gtest.h>

#include <cstddef>
#include <cstring>
#include <optional>
#include <string>
#include <utility>

#include "analysis/analyse.hpp"
#include "analysis/cut.hpp"
#include "analysis/timeline.hpp"
#include "mutator.hpp"
#include "refusal.hpp"
#include "replay/streamed_trace.hpp"
#include "replay/trace_file.hpp"
#include "replay/trace_schedule.hpp"
#include "replayable.hpp"
#include "trace_writing.hpp"

namespace stretto::replay::trace_test {
namespace {

using record::Record;
using testing::has;

/// Two ranks with calls of every kind and known data times.
std::vector<TraceWriter> some_of_everything() {
  std::vector<TraceWriter> ranks = produced_and_consumed();
  for (TraceWriter& one : ranks) {
    const int other = one.rank == 0 ? 1 : 0;
    one.message(irecv, 400'000, record::any_peer, 64, 11);
    one.records.back().tag = record::any_tag;
    one.message(isend, 400'500, other, 64, 12);
    for (const std::uint32_t request : {11U, 12U}) {
      one.waited(401'000, 500, request);
      one.records.back().peer = other;
      one.records.back().count = request == 11 ? record::has_source : record::nothing_more;
    }
    one.message(irecv, 402'000, other, 8, 13);
    one.waited(402'500, 10, 13);
    one.records.back().count = record::cancelled;
    one.message(isend, 403'000, other, 32, 14);
    one.message(mprobe, 404'000, other, 32, 15);
    one.records.back().count = 1;
    one.message(mrecv, 404'500, other, 32, 15);
    one.waited(405'000, 10, 14);
    one.call(barrier, 406'000, 100).peer = record::no_peer;
    one.call(put, 407'000, 100);
    one.call(record::started, 408'000).request = 16;
    one.call(finalize, 409'000);
  }
  return ranks;
}

/// Changes one member of one record.
void confuse(TraceWriter& trace, testing::Mutator& mutator) {
  constexpr std::uint64_t odd[] = {0, 1, 2, 3, 7, 8, 16, 0xFFFF, 0x7FFFFFFF, 0xFFFFFFFF, record::field_mask};
  const std::uint64_t value = odd[mutator.below(std::size(odd))];
  const std::uint64_t call = mutator.below(28);
  Record& one = trace.records[mutator.below(trace.records.size())];
  std::uint64_t* const packed[] = {&one.begin_and_call, &one.duration_and_site, &one.bytes_and_context};
  switch (mutator.below(9)) {
    case 0:
      one.begin_and_call = record::pack_field(record::low_field(one.begin_and_call), call);
      break;
    case 1:
      one.peer = static_cast<std::int32_t>(value);
      break;
    case 2:
      one.tag = static_cast<std::int32_t>(value);
      break;
    case 3:
      one.request = static_cast<std::uint32_t>(value);
      break;
    case 4:
      one.count = static_cast<std::uint32_t>(value);
      break;
    case 5:
      one.extra = value;
      break;
    case 6:
      std::swap(one, trace.records[mutator.below(trace.records.size())]);
      break;
    default:
      std::uint64_t& field = *packed[mutator.below(3)];
      field = record::pack_field(value, record::high_field(field));
  }
}

bool accepted(const std::vector<std::filesystem::path>& files, Level level) {
  static const network::Network network = network::network_from("L=1us,G=1ns");
  return is_accepted([&] { replay_or_tell(schedule_of_trace(files, {.level = level}).schedule, network); });
}

bool is_analysed(const std::vector<std::filesystem::path>& files, bool by_data) {
  const analysis::AnalysisOptions options{
      .cost = {.latency_s = 1e-6, .gap_s_per_byte = 1e-9}, .by_data = by_data, .threads = 1};
  return is_accepted([&] {
    analysis::Alone alone;
    const analysis::Share share{alone, analysis::Division::blocks(files.size(), alone)};
    static_cast<void>(analysis::potential_of(files, share, options));
    static_cast<void>(analysis::timeline_of(files, 100));
    static_cast<void>(analysis::shown_network(files, share));
    static_cast<void>(analysis::time_use(files, share, options.cost, {false, true}));
  });
}

/// The end of a replay; negative: it does not end.
double end_of(Replayer&& replayer) {
  static const network::Network network = network::network_from("L=1us,G=1ns,S=32");
  try {
    return replayer.run(network).makespan_s;
  } catch (const Stuck&) {
    return -1;
  }
}

/// Whether a replay that reads the trace as it goes gives what its schedule gives, or leaves it to that.
bool is_streamed_alike(const std::vector<std::filesystem::path>& files) {
  std::optional<StreamedTrace> streamed;
  std::optional<TracedSchedule> traced;
  const bool is_read = is_accepted([&] { traced = schedule_of_trace(files, {}); });
  const bool is_counted = is_accepted([&] { streamed = streamed_trace(files, {}); });
  if (is_read && !is_counted) return false;
  if (!is_read || !streamed) return true;
  const double found_s = end_of(Replayer(*streamed));
  const CompiledSchedule compiled(traced->schedule);
  return found_s < 0 || found_s == end_of(Replayer(traced->schedule, compiled));
}

TEST(TraceMutations, AreReadOrRefused) {
  constexpr Level levels[] = {Level::traced, Level::independent, Level::consumer, Level::producer_consumer};
  const int inputs = testing::fuzz_inputs(500);
  const TemporaryDirectory directory;
  const std::vector<TraceWriter> ranks = some_of_everything();
  const auto whole = write_bytes(directory.file("rank-0.trace"), ranks[0].bytes());
  testing::Mutator mutator(
      {"sblk", "strailer", "null", "[]", "\"isend\"", std::string(48, '\xFF'), "\"\\u0000\""});
  int read = 0;
  int analysed = 0;
  for (int i = 0; i < inputs; ++i) {
    TraceWriter other = ranks[1];
    if (i % 3 == 0) divide_among_threads(other, [&](std::size_t end) { return mutator.below(end); });
    if (i % 4 != 0) {
      for (std::size_t left = 1 + mutator.below(4); left > 0; --left) confuse(other, mutator);
    }
    const std::string whole_bytes = other.bytes(i % 8 < 4 ? record::trace_major : record::packed_major);
    const std::string bytes = i % 4 == 0 ? mutator.mutate(whole_bytes) : whole_bytes;
    const auto damaged = write_bytes(directory.file("rank-1.trace"), bytes);
    read += accepted({whole, damaged}, levels[static_cast<std::size_t>(i) % 7 % std::size(levels)]) ? 1 : 0;
    analysed += is_analysed({whole, damaged}, i % 2 == 0) ? 1 : 0;
    EXPECT_TRUE(is_streamed_alike({whole, damaged})) << i;
  }
  // Some inputs are read and some refused; otherwise the mutations test nothing.
  EXPECT_GT(read, inputs / 4);
  EXPECT_LT(read, inputs - inputs / 20);
  EXPECT_GE(analysed, read);  // it needs no other rank
  EXPECT_LT(analysed, inputs - inputs / 20);
}

bool is_cut(const std::filesystem::path& directory) {
  return is_accepted([&] {
    try {
      static_cast<void>(analysis::cut_trace(directory));
    } catch (const std::runtime_error& error) {  // its messages cannot be matched
      throw std::invalid_argument(error.what());
    }
    static_cast<void>(schedule_of_trace(trace_files(directory), {}));
  });
}

TEST(TraceMutations, WhatALimitKeptIsCutOrRefused) {
  const int inputs = testing::fuzz_inputs(500);
  const TemporaryDirectory directory;
  std::vector<TraceWriter> ranks = some_of_everything();
  for (TraceWriter& one : ranks) {  // a started send would have no receive
    std::erase_if(one.records, [](const Record& record) {
      return record::high_field(record.begin_and_call) == record::started;
    });
    write_bytes(directory.file("rank-00000" + std::to_string(one.rank) + ".trace"),
                one.bytes(record::limited_major));
  }
  ASSERT_NO_THROW(static_cast<void>(analysis::cut_trace(directory.file(""))));
  testing::Mutator mutator({"sblk", "strailer", "null", "1048576", "{}", std::string(24, '\xFF')});
  int cut = 0;
  for (int i = 0; i < inputs; ++i) {
    TraceWriter other = ranks[1];
    if (i % 2 == 0) divide_among_threads(other, [&](std::size_t end) { return mutator.below(end); });
    for (std::size_t left = i % 4 == 1 ? 0 : mutator.below(3); left > 0; --left) confuse(other, mutator);
    const std::string whole = other.bytes(record::limited_major);
    write_bytes(directory.file("rank-000000.trace"), ranks[0].bytes(record::limited_major));
    write_bytes(directory.file("rank-000001.trace"), i % 4 == 1 ? mutator.mutate(whole) : whole);
    cut += is_cut(directory.file("")) ? 1 : 0;
  }
  EXPECT_GT(cut, inputs / 20);
  EXPECT_LT(cut, inputs - inputs / 20);
}

/// A trace of rank 0 alone whose block has three pages: they hold 255 records and not a byte more.
constexpr std::size_t full_block_records = 255;

TraceWriter full_block() {
  TraceWriter trace(0, 1);
  while (trace.records.size() < full_block_records) trace.call(send, 1000 * trace.records.size());
  return trace;
}

/// Reads the whole trace; returns the reader's error, or an empty text.
std::string refused(const std::string& bytes) {
  const TemporaryDirectory directory;
  return testing::refusal_of<TraceError>([&] {
    TraceReader reader(write_bytes(directory.file("rank-0.trace"), bytes));
    reader.for_each([](std::uint32_t, const Record&) {});
  });
}

std::string with_used_bytes(std::string bytes, std::uint64_t used) {
  std::memcpy(bytes.data() + record::trace_page_bytes + offsetof(record::BlockHeader, used_bytes), &used,
              sizeof used);
  return bytes +
         std::string(record::trace_page_bytes, '\0');  // the file is long enough for bytes after the block
}

TEST(TraceBounds, RecordsEndWithTheirBlock) {
  const std::string bytes = full_block().bytes();
  ASSERT_EQ(bytes.size(), record::trace_page_bytes + (1 + full_block_records) * sizeof(Record));
  EXPECT_EQ(refused(with_used_bytes(bytes, full_block_records * sizeof(Record))), "");
  EXPECT_TRUE(has(refused(with_used_bytes(bytes, (full_block_records + 1) * sizeof(Record))),
                  "a block is longer than"));
  EXPECT_TRUE(has(refused(with_used_bytes(bytes, full_block_records * sizeof(Record) - 24)),
                  "a block is longer than"));
}

/// The records of a packed block as `use` says, in a file that is long enough for more.
std::string refused_use(const record::PackedUse& use) {
  const std::string bytes = full_block().bytes(record::packed_major);
  return refused(with_used_bytes(
      bytes, use.bytes + use.records * record::one_packed_record + use.polls * record::one_open_poll));
}

TEST(TraceBounds, PackedRecordsEndWithTheirBlock) {
  const std::string bytes = full_block().bytes(record::packed_major);
  const std::uint64_t space = bytes.size() - record::trace_page_bytes - record::packed_header_bytes;
  EXPECT_EQ(refused_use({.bytes = space}), "");  // zeros are records that only repeat
  EXPECT_TRUE(has(refused_use({.bytes = space + 1}), "a block is longer than"));
  EXPECT_EQ(refused_use({.bytes = 0, .polls = 0}), "");
  EXPECT_TRUE(has(refused_use({.bytes = 0, .polls = record::max_open_polls + 1}), "a block is longer than"));
  std::uint64_t used = 0;
  std::memcpy(&used, bytes.data() + record::trace_page_bytes + offsetof(record::BlockHeader, used_bytes),
              sizeof used);
  EXPECT_TRUE(has(refused_use({.bytes = record::packed_use(used).bytes - 1}),
                  "a record that is longer than its block"));
}

TEST(TraceBounds, AProcessMayEndBeforeItsTrailerIsWritten) {
  const std::string bytes = full_block().bytes();
  const std::vector<record::BlockIndex> index(3, {.offset = record::trace_page_bytes});
  const std::string entries(reinterpret_cast<const char*>(index.data()), index.size() * sizeof index[0]);
  for (std::size_t length = 0; length <= entries.size(); ++length) {
    EXPECT_EQ(refused(bytes + entries.substr(0, length)), "") << length;
  }
  EXPECT_TRUE(has(refused(bytes + "other" + entries), "there is no block where one should begin"));
}

/// The last definition of the block is a call site with a payload of `payload_bytes`, of which `there`
/// records are present.
TraceWriter last_defines(std::uint64_t payload_bytes, std::size_t there) {
  TraceWriter trace(0, 1);
  Record& site = trace.call(record::definition, 0);
  site.request = record::site;
  site.bytes_and_context = record::pack_field(payload_bytes, 0);
  trace.records.resize(trace.records.size() + there);
  return trace;
}

TEST(TraceBounds, APayloadEndsWithItsBlock) {
  EXPECT_EQ(refused(last_defines(2 * sizeof(Record), 2).bytes()), "");
  EXPECT_EQ(refused(last_defines(sizeof(Record) + 1, 2).bytes()), "");
  EXPECT_EQ(refused(last_defines(0, 0).bytes()), "");
  for (const std::uint64_t bytes : {2 * sizeof(Record) + 1, 3 * sizeof(Record)}) {
    EXPECT_TRUE(has(refused(last_defines(bytes, 2).bytes()), "a definition that is longer than its block"));
  }
}

std::string with_block_bytes(std::string bytes, std::uint64_t block_bytes) {
  std::memcpy(bytes.data() + record::trace_page_bytes + offsetof(record::BlockHeader, block_bytes),
              &block_bytes, sizeof block_bytes);
  return bytes;
}

TEST(TraceBounds, ABlockHasWholePages) {
  const std::string bytes = full_block().bytes();
  const std::uint64_t own_bytes = bytes.size() - record::trace_page_bytes;
  EXPECT_EQ(refused(with_block_bytes(bytes, own_bytes)), "");
  for (const std::uint64_t wrong : {std::uint64_t{0}, own_bytes + 1, std::uint64_t{1} << 40U}) {
    EXPECT_TRUE(has(refused(with_block_bytes(bytes, wrong)), "a block is longer than")) << wrong;
  }
}

TEST(TraceBounds, ABlockOfACompleteFileEndsBeforeItsIndex) {
  const std::string bytes = full_block().bytes();
  const std::uint64_t own_bytes = bytes.size() - record::trace_page_bytes;
  const record::BlockIndex index{.offset = record::trace_page_bytes};
  const record::TraceTrailer trailer{.blocks = 1, .index_offset = bytes.size()};
  const std::string end = std::string(reinterpret_cast<const char*>(&index), sizeof index) +
                          std::string(reinterpret_cast<const char*>(&trailer), sizeof trailer);
  EXPECT_EQ(refused(with_block_bytes(bytes, own_bytes) + end), "");
  EXPECT_TRUE(has(refused(with_block_bytes(bytes, own_bytes + record::trace_page_bytes) + end),
                  "a block is longer than"));
}

/// The records of a trace that can be read.
std::size_t records_in(const std::string& bytes) {
  const TemporaryDirectory directory;
  TraceReader reader(write_bytes(directory.file("rank-0.trace"), bytes));
  std::size_t count = 0;
  reader.for_each([&](std::uint32_t, const Record&) { ++count; });
  return count;
}

TEST(TraceBounds, BlocksBeforeACutAreRead) {
  TraceWriter trace(0, 1);
  trace.call(send, 2'000);
  trace.more_threads = {{trace.records.back()}, {trace.records.back()}};
  for (const std::uint16_t major : {record::trace_major, record::packed_major}) {
    const std::string bytes = trace.bytes(major);
    constexpr std::size_t page = record::trace_page_bytes;  // of each block, and of the header
    ASSERT_EQ(bytes.size(), 4 * page);
    for (std::size_t length = page; length <= bytes.size(); length += length % page < 300 ? 1 : 379) {
      const std::size_t blocks = length / page - 1;
      const std::size_t expected = blocks == 0 ? 0 : 1 + blocks;  // two calls in the first one
      EXPECT_EQ(records_in(bytes.substr(0, length)), expected) << major << " " << length;
    }
  }
}

TEST(TraceBounds, MembersAreRanks) {
  TraceWriter trace(0, 2);
  const auto refused_with = [&](const record::RankRun& run) {
    std::memcpy(static_cast<void*>(&trace.records[1]), &run, sizeof run);
    return refused(trace.bytes());
  };
  EXPECT_EQ(refused_with({.first = 0, .stride = 1, .count = 2}), "");
  for (const record::RankRun& run : {record::RankRun{.first = 1, .stride = 1, .count = 2},
                                     record::RankRun{.first = 2, .stride = 1, .count = 1}}) {
    EXPECT_TRUE(has(refused_with(run), "a communicator with members that are no ranks"));
  }
}

/// The world communicator of one rank, defined with `runs` runs in `payload_bytes`.
TraceWriter world_of(std::uint32_t runs, std::uint64_t payload_bytes) {
  TraceWriter trace(0, 1);
  trace.records[0].count = runs;
  trace.records[0].bytes_and_context = record::pack_field(payload_bytes, 0);
  return trace;
}

TEST(TraceBounds, RunsOfMembersEndWithThePayload) {
  EXPECT_EQ(refused(world_of(1, sizeof(record::RankRun)).bytes()), "");
  const std::pair<std::uint32_t, std::uint64_t> wrong[] = {
      {2, sizeof(record::RankRun)},      // one run more than the payload has
      {1, sizeof(record::RankRun) - 1},  // less than a run
      {1, sizeof(record::RankRun) + 1},
  };
  for (const auto& [runs, bytes] : wrong) {
    EXPECT_TRUE(
        has(refused(world_of(runs, bytes).bytes()), "a communicator with members that cannot be read"));
  }
}

}  // namespace
}  // namespace stretto::replay::trace_test
