// SPDX-License-Identifier: BSD-3-Clause
// Traces with accidents, many of them, in bytes and in what single records say: each is read or refused in
// one line, and what is read can be replayed. Under the sanitizers this says that no input leads out of
// bounds. STRETTO_FUZZ_INPUTS: how many.
#include <gtest/gtest.h>

#include "mutator.hpp"
#include "replay/trace_schedule.hpp"
#include "replayable.hpp"
#include "trace_writing.hpp"

namespace stretto::replay::trace_test {
namespace {

using record::Record;

/// Two ranks that do some of everything, with data that is known.
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
      one.records.back().count = request == 11 ? record::says_source : record::nothing_more;
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

/// One member of one record says something else.
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

TEST(TraceMutations, AreReadOrRefused) {
  constexpr Level levels[] = {Level::traced, Level::independent, Level::consumer, Level::producer_consumer};
  const int inputs = testing::fuzz_inputs(500);
  const TemporaryDirectory directory;
  const std::vector<TraceWriter> ranks = some_of_everything();
  const auto whole = write_bytes(directory.file("rank-0.trace"), ranks[0].bytes());
  testing::Mutator mutator(
      {"sblk", "strailer", "null", "[]", "\"isend\"", std::string(48, '\xFF'), "\"\\u0000\""});
  int read = 0;
  for (int i = 0; i < inputs; ++i) {
    TraceWriter other = ranks[1];
    if (i % 4 != 0) {
      for (std::size_t left = 1 + mutator.below(4); left > 0; --left) confuse(other, mutator);
    }
    const std::string bytes = i % 4 == 0 ? mutator.mutate(other.bytes()) : other.bytes();
    const auto damaged = write_bytes(directory.file("rank-1.trace"), bytes);
    read += accepted({whole, damaged}, levels[static_cast<std::size_t>(i) % 7 % std::size(levels)]) ? 1 : 0;
  }
  // Both happen, or the mutations are no test.
  EXPECT_GT(read, inputs / 4);
  EXPECT_LT(read, inputs - inputs / 20);
}

}  // namespace
}  // namespace stretto::replay::trace_test
