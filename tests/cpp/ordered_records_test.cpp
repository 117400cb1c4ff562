// SPDX-License-Identifier: BSD-3-Clause
// The records of several threads come in the order in which their calls begin.
#include "replay/ordered_records.hpp"

#include <gtest/gtest.h>

#include <random>
#include <utility>
#include <vector>

#include "trace_writing.hpp"

namespace stretto::replay::trace_test {
namespace {

/// The begin of a call, or the number of a request that it completes, by thread.
using Read = std::vector<std::pair<std::uint32_t, std::uint64_t>>;

Read all_of(OrderedRecords& records, std::size_t most) {
  Read found;
  TracePiece piece;
  while (records.next(piece, most)) {
    EXPECT_FALSE(piece.records.empty());
    for (std::size_t i = 0; i < piece.records.size();) {
      const record::Record& one = piece.records[i];
      const std::uint16_t call = record::high_field(one.begin_and_call);
      i += call == record::definition ? records_of_definition(one) : 1;
      if (call >= record::first_call) found.emplace_back(piece.thread, record::low_field(one.begin_and_call));
      if (call == record::completion) found.emplace_back(piece.thread, one.request);
    }
  }
  return found;
}

TEST(OrderedRecords, CallsComeInTheOrderOfTheirBegins) {
  std::mt19937 random(7);
  const TemporaryDirectory directory;
  for (const std::uint32_t threads : {1U, 2U, 5U}) {
    TraceWriter trace(0, 1);
    trace.more_threads.resize(threads - 1);
    Read expected{{0, 0}};
    for (std::uint64_t now_ns = 2000; now_ns < 400'000; now_ns += 100) {
      const auto thread = static_cast<std::uint32_t>(random() % threads);
      auto& own = thread == 0 ? trace.records : trace.more_threads[thread - 1];
      record::Record called;
      called.begin_and_call = record::pack_field(now_ns, wait);
      own.push_back(called);
      expected.emplace_back(thread, now_ns);
      for (std::uint32_t more = random() % 3; more > 0; --more) {
        called.begin_and_call = record::pack_field(0, record::completion);
        called.request = more;
        own.push_back(called);
        expected.emplace_back(thread, more);
      }
    }
    for (const std::uint16_t major : {record::trace_major, record::packed_major}) {
      TraceBlocks blocks(write_bytes(directory.file("rank-0.trace"), trace.bytes(major)));
      OrderedRecords records(blocks);
      for (const std::size_t most : {1, 7, 100'000}) {
        EXPECT_EQ(all_of(records, most), expected) << threads << " threads, pieces of " << most;
        records.rewind();
      }
    }
  }
}

}  // namespace
}  // namespace stretto::replay::trace_test
