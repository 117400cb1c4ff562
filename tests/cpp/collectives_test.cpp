// SPDX-License-Identifier: BSD-3-Clause
// Collective operations are known while ranks make them, and communicators until all members have freed them.
#include "analysis/collectives.hpp"

#include <gtest/gtest.h>

#include <filesystem>
#include <vector>

#include "analysis/timed_calls.hpp"
#include "trace_writing.hpp"

namespace stretto::analysis {
namespace {

using namespace replay::trace_test;

void begin(Collectives& all, const replay::TracedContext& context, std::uint64_t number, double begin_s) {
  std::vector<std::uint64_t> woken;
  all.begin(&context,
            {.communicator = context.key, .number = number, .ranks = {.last_s = begin_s, .ranks = 1}}, woken);
}

TEST(Collectives, AreKnownUntilAllMembersHavePassedThem) {
  Collectives all(undivided);
  replay::TracedContext context{.key = 5, .members = {0, 1}};
  for (std::uint64_t number = 0; number < 3; ++number) begin(all, context, number, 1);
  for (std::uint64_t number = 0; number < 3; ++number) begin(all, context, number, 2);
  for (std::uint64_t number = 0; number < 3; ++number) all.leave(5, number);
  EXPECT_EQ(all.find(5, 1).begun.ranks, 2U);
  EXPECT_EQ(all.find(5, 1).begun.last_s, 2);
  for (std::uint64_t number = 0; number < 3; ++number) all.leave(5, number);
  EXPECT_EQ(all.find(5, 1).begun.ranks, 0U);
}

TEST(Collectives, CommunicatorsThatAllMembersHaveFreedAreForgotten) {
  Collectives all(undivided);
  replay::TracedContext context{.members = {0, 1}};
  for (context.key = 1; context.key <= 1000; ++context.key) {
    for (int rank = 0; rank < 2; ++rank) begin(all, context, 0, rank);
    all.drop(context.key);
    all.leave(context.key, 0);
    all.drop(context.key);
    EXPECT_EQ(all.size(), 1U);
    EXPECT_EQ(all.find(context.key, 0).begun.ranks, 2U);
    all.leave(context.key, 0);
    EXPECT_EQ(all.size(), 0U);
  }
}

/// Counts the collective operations of which all members are known.
struct WholeCollectives : CallUser {
  void begin(std::size_t, const Event&) override {}
  void message(std::size_t, const Event&, const MessageEnd&) override {}
  void end(const EndedCall& call, const Others& others) override {
    if (!call.call.traits->is_collective) return;
    found += others.collective(call).begun.ranks == call.members ? 1 : 0;
    last_number = call.number;
  }
  int found = 0;
  std::uint64_t last_number = 0;
};

TEST(Collectives, ANumberOfACommunicatorIsUsedAgain) {
  constexpr int communicators = 300;
  const TemporaryDirectory directory;
  const auto program = [](TraceWriter& trace) {
    for (int one = 0; one < communicators; ++one) {
      trace.define(record::communicator, 1 + one % 2);
      trace.records[trace.records.size() - 2].extra = 100 + static_cast<std::uint64_t>(one);
      for (int call = 0; call < 2; ++call) {
        record::Record& barrier_ = trace.call(barrier, 2000 + 1000 * std::uint64_t(one) + 300U * call, 100);
        barrier_.bytes_and_context = record::pack_field(0, 1 + std::uint64_t(one) % 2);
        barrier_.peer = record::no_peer;
      }
    }
  };
  const std::vector<std::filesystem::path> files = write_ranks(directory, ranks_that(2, program));
  for (const std::size_t piece : {3, 512}) {
    Alone alone;
    const Share share{alone, Division::blocks(files.size(), alone)};
    WholeCollectives user;
    TimedCalls(files, share, piece).pass_to(user);
    EXPECT_EQ(user.found, 2 * 2 * communicators);
    EXPECT_EQ(user.last_number, 1U);
  }
}

}  // namespace
}  // namespace stretto::analysis
