// SPDX-License-Identifier: BSD-3-Clause
// OTF2 archives as traces: what the library of OTF2 writes on other machines, in other versions or not at
// all. tests/system/test_otf2.py converts archives of the library.
#include <gtest/gtest.h>

#include <string>
#include <tuple>
#include <vector>

#include "foreign/conversion.hpp"
#include "foreign/damaged.hpp"
#include "otf2_writing.hpp"
#include "refusal.hpp"
#include "replay/trace_file.hpp"

namespace stretto::foreign::otf2_test {
namespace {

using record::Record;
using replay::trace_test::TemporaryDirectory;
using testing::has;

/// A record: thread, kind, begin and duration in ns, peer, tag, bytes, request.
using Seen = std::tuple<std::uint32_t, std::string, std::uint64_t, std::uint64_t, int, int, std::uint64_t,
                        std::uint32_t>;

std::vector<Seen> records_of(replay::TraceReader& trace) {
  std::vector<Seen> all;
  trace.for_each([&](std::uint32_t thread, const Record& one) {
    const std::uint16_t call = record::high_field(one.begin_and_call);
    const std::string kind = call == record::completion ? "completion" : trace.call(call).kind;
    all.emplace_back(thread, kind, record::low_field(one.begin_and_call),
                     record::low_field(one.duration_and_site), one.peer, one.tag,
                     record::low_field(one.bytes_and_context), one.request);
  });
  return all;
}

/// What an archive becomes.
struct Converted {
  std::vector<std::vector<Seen>> ranks;
  LeftOut left_out;
};

Converted converted(const Files& files) {
  const TemporaryDirectory directory;
  Converted result;
  result.left_out = convert_otf2(write_files(directory, files), directory.file(""));
  for (const auto& file : replay::trace_files(directory.file(""))) {
    replay::TraceReader trace(file);
    result.ranks.push_back(records_of(trace));
  }
  return result;
}

const std::vector<std::vector<Seen>> two_ranks{
    {{0, "plain", 0, 100, -2, 0, 0, 0}, {0, "send", 300, 100, 1, 3, 1000, 0}},
    {{0, "plain", 0, 100, -2, 0, 0, 0},
     {0, "irecv", 200, 50, 0, 3, 1000, 1},
     {0, "wait", 300, 310, -2, 0, 0, 0},
     {0, "completion", 300, 0, -2, 0, 0, 1}}};

TEST(Otf2Conversion, ByteOrderChunksAndVersionsGiveOneTrace) {
  for (const TwoRanks& one :
       {TwoRanks{}, TwoRanks{.is_big_endian = true}, TwoRanks{.chunk_bytes = 80},
        TwoRanks{.world = otf2::comm_location_groups}, TwoRanks{.has_group_types = false}}) {
    const Converted result = converted(one.files());
    EXPECT_EQ(result.ranks, two_ranks);
    EXPECT_TRUE(result.left_out.empty());
  }
}

TEST(Otf2Conversion, CallSitesAreTheCallersOrUnknown) {
  const TemporaryDirectory directory;
  (void)convert_otf2(write_files(directory, TwoRanks{}.files()), directory.file(""));
  replay::TraceReader trace(directory.file("rank-000000.trace"));
  trace.for_each([](std::uint32_t, const Record&) {});
  EXPECT_EQ(trace.definitions().modules, (std::map<std::int32_t, std::string>{
                                             {0, "unknown caller of MPI_Init"}, {1, "solve solver.f90:7"}}));
}

TEST(Otf2Conversion, NumbersAndClockOfALocationAreMapped) {
  const TwoRanks archive;
  Files files = archive.files();
  File local = archive.file();
  constexpr std::uint8_t dense = 0;
  constexpr std::uint8_t sparse = 1;
  // Its region 0 is MPI_Init as before; 1 is solve and 4 MPI_Send. Its communicator 9 is number 5.
  local.add(otf2::mapping_table, byte(otf2::of_regions) + local.number(5) + byte(dense) +
                                     local.numbers(0, TwoRanks::solve, 2, 3, TwoRanks::send));
  local.add(otf2::mapping_table, byte(otf2::of_comms) + local.number(1) + byte(sparse) + local.numbers(9, 5));
  // Its clock is 1000 behind at 100, and 1010 at 600; before and behind, it goes on so.
  for (const auto& [time, offset] : {std::pair(100, 1000), std::pair(600, 1010)})
    local.add(otf2::clock_offset, local.full(time) + local.number(offset) + local.full(0));
  files["run/0.def"] = local.bytes();
  File events = archive.file();
  events.event(100, otf2::enter, events.number(0)).event(200, otf2::leave, events.number(0));
  events.event(300, otf2::enter, events.number(1)).event(350, otf2::enter, events.number(4));
  events.event(360, otf2::send, events.numbers(1, 9, 3, 1000));
  files["run/0.evt"] = events.event(1100, otf2::leave, events.number(4)).bytes();
  const std::vector<Seen> expected{{0, "plain", 1000, 102, -2, 0, 0, 0},
                                   {0, "send", 1255, 765, 1, 3, 1000, 0}};
  EXPECT_EQ(converted(files).ranks[0], expected);
}

TEST(Otf2Conversion, UnknownEventsAreCountedAndAttributesSkipped) {
  const TwoRanks archive;
  Files files = archive.files();
  File events = archive.sender();
  events.add(otf2::attributes, std::string(300, '\x05'));
  events.event(800, otf2::enter, events.number(TwoRanks::barrier));
  events.event(810, 200, std::string(7, '\x07')).event(820, otf2::rma_win_create, events.number(0));
  events.event(830, 83, events.numbers(0, 0));  // ProgramBegin
  events.event(900, otf2::leave, events.number(TwoRanks::barrier));
  files["run/0.evt"] = events.event(950, otf2::collective_end, byte(0) + events.numbers(5, 0, 0, 0)).bytes();
  const Converted result = converted(files);
  EXPECT_EQ(
      result.left_out,
      (LeftOut{{"MpiCollectiveEnd outside of a call", 1}, {"RmaWinCreate", 1}, {"event of type 200", 1}}));
  EXPECT_EQ(result.ranks[0].back(), Seen(0, "without_message", 700, 100, -2, 0, 0, 0));
}

/// The first call in the order of time ends last, so that it is written behind the other thread's.
TEST(Otf2Conversion, CommunicatorsPrecedeTheirUseInEveryThread) {
  const TwoRanks archive;
  Files files = archive.files();
  File definitions = archive.definitions();
  definitions.add(otf2::location, definitions.numbers(7, 0) + byte(1) + definitions.numbers(9, 0));
  files["run.def"] = definitions.bytes();
  const auto thread = [&](std::uint64_t begin, std::uint64_t end, std::uint64_t tag) {
    File out = archive.file();
    out.event(begin, otf2::enter, out.number(TwoRanks::send));
    out.event(begin, otf2::send, out.numbers(1, 5, tag, 8));
    return out.event(end, otf2::leave, out.number(TwoRanks::send)).bytes();
  };
  files["run/0.evt"] = thread(300, 900, 1);
  files["run/7.evt"] = thread(400, 500, 2);
  const TemporaryDirectory directory;
  (void)convert_otf2(write_files(directory, files), directory.file(""));
  replay::TraceReader trace(directory.file("rank-000000.trace"));
  std::vector<std::pair<std::uint32_t, int>> sends;
  trace.for_each([&](std::uint32_t thread_number, const Record& one) {
    if (trace.call(record::high_field(one.begin_and_call)).kind != "send") return;
    EXPECT_NE(trace.context(record::high_field(one.bytes_and_context)), nullptr);
    sends.emplace_back(thread_number, one.tag);
  });
  EXPECT_EQ(sends, (std::vector<std::pair<std::uint32_t, int>>{{0, 1}, {1, 2}}));
}

TEST(Otf2Conversion, CallsThatAreNestedOrNeverLeftAreOne) {
  const TwoRanks archive;
  Files files = archive.files();
  File events = archive.file();
  for (int depth = 0; depth < 1000; ++depth) {
    events.event(200, otf2::enter, events.number(TwoRanks::solve));
    events.event(200, otf2::enter, events.number(TwoRanks::barrier));
  }
  for (int depth = 0; depth < 1001; ++depth) events.event(300, otf2::leave, events.number(TwoRanks::barrier));
  files["run/0.evt"] = events.event(400, otf2::enter, events.number(TwoRanks::finalize)).bytes();
  const std::vector<Seen> expected{{0, "plain", 100, 0, -2, 0, 0, 0},
                                   {0, "without_message", 100, 100, -2, 0, 0, 0}};
  EXPECT_EQ(converted(files).ranks[0], expected);
}

std::string refusal(const Files& files) {
  const TemporaryDirectory directory;
  return testing::refusal_of<std::invalid_argument>(
      [&] { return convert_otf2(write_files(directory, files), directory.file("")); });
}

TEST(Otf2Conversion, WhatCannotBeReadIsNamed) {
  const TwoRanks archive;
  const Values of;
  const auto with = [&](const std::string& name, const std::string& bytes) {
    Files files = archive.files();
    files[name] = bytes;
    return refusal(files);
  };
  const auto defined = [&](std::uint8_t type, const std::string& content) {
    return with("run.def", archive.definitions().add(type, content).bytes());
  };
  const auto event = [&](std::uint64_t time, std::uint8_t type, const std::string& content) {
    File events = archive.file();
    events.event(100, otf2::enter, of.number(TwoRanks::send));
    return with("run/0.evt", events.event(time, type, content).bytes());
  };
  const std::string whole = archive.sender().bytes();
  const std::vector<std::pair<std::string, std::string>> refused{
      {with("run.otf2", ""), "no part of an OTF2 archive begins here"},
      {with("run.otf2", "hello"), "no part of an OTF2 archive begins here"},
      {with("run.otf2",
            "\x03"
            "BOTF3" +
                std::string(60, '\0')),
       "is no anchor file of OTF2"},
      {with("run.otf2", archive.anchor(2)), "SIONlib"},
      {with("run.otf2", archive.anchor(1, 2)), "compressed"},
      {with("run.otf2", TwoRanks{.chunk_bytes = 0}.anchor()), "chunks without space"},
      {with("run/0.evt", ""), "ends without its end mark"},
      {with("run/0.evt", whole.substr(0, whole.size() - 1)),
       "0.evt: byte 108: the file ends without its end mark"},
      {with("run/0.evt", whole.substr(0, whole.size() - 2)), "a record is longer than its space"},
      {with("run/0.evt", TwoRanks{.is_big_endian = true}.receiver().bytes().replace(1, 1, "?")),
       "no part of an OTF2 archive begins here"},
      {defined(otf2::string, of.number(1) + "again" + std::string(1, '\0')), "defined twice"},
      {defined(otf2::string, of.number(99) + "endless"), "a text without an end"},
      {defined(otf2::region, of.numbers(3, 0, 0) + byte(0) + of.numbers(0, 0, 0)),
       "region 3 is defined twice"},
      {defined(otf2::region, of.numbers(9, 99, 0) + byte(0) + of.numbers(0, 0, 0)), "text 99 is not defined"},
      {defined(otf2::comm, of.numbers(8, 0, 99, 0)), "group 99 is not defined"},
      {defined(otf2::group, of.numbers(7, 0) + byte(0) + of.number(0xFFFFFFFE)), "longer than its space"},
      {defined(otf2::group, archive.group(1, otf2::comm_group, 4)), "defined twice"},
      {defined(otf2::clock_properties, of.numbers(0, 0, 0)), "a clock that does not run"},
      {event(300, otf2::leave, of.number(99)), "0.evt: byte 39: region 99 is not defined"},
      {event(300, otf2::leave, byte(9) + std::string(9, '\1')), "a number is too long"},
      {event(300, otf2::send, of.numbers(1, 6, 3, 8)), "communicator 6 is not defined"},
      {event(300, otf2::send, of.numbers(2, 5, 3, 8)), "a message with rank 2 of a communicator of 2"},
      {event(300, otf2::send, of.numbers(1, 5, 3)), "a record is longer than its space"},
      {event(undefined, otf2::leave, of.number(TwoRanks::send)), "a time that no record can hold"},
  };
  for (const auto& [said, expected] : refused) EXPECT_TRUE(has(said, expected));
  Files files = archive.files();
  files.erase("run/1.evt");
  EXPECT_TRUE(has(refusal(files), "1.evt: No such file"));
  files.erase("run.def");
  EXPECT_TRUE(has(refusal(files), "run.def: No such file"));
}

TEST(Otf2Conversion, BetweenTwoGroupsIsRefusedWhereItIsUsed) {
  const TwoRanks archive;
  Files files = archive.files();
  File definitions = archive.definitions();
  files["run.def"] = definitions.add(otf2::inter_comm, definitions.numbers(6, 0, 0, 1, 5, 0)).bytes();
  EXPECT_EQ(converted(files).ranks, two_ranks);
  File events = archive.sender();
  files["run/0.evt"] = events.event(900, otf2::send, events.numbers(1, 6, 3, 8)).bytes();
  EXPECT_TRUE(has(refusal(files), "a communicator between two groups"));
}

/// An anchor file alone does not say how many locations there are.
TEST(Otf2Conversion, WithoutAProcessOrACallThereIsNoMpi) {
  const TwoRanks archive;
  Files files = archive.files();
  File clock = archive.file();
  files["run.def"] = clock.add(otf2::clock_properties, clock.numbers(1000, 0, 0)).bytes();
  EXPECT_EQ(refusal(files), "no MPI process is in it");
  files = archive.files();
  files["run/0.evt"] = files["run/1.evt"] = archive.file().bytes();
  EXPECT_EQ(refusal(files), "no MPI call is in it");
}

}  // namespace
}  // namespace stretto::foreign::otf2_test
