// SPDX-License-Identifier: BSD-3-Clause
// A trace that is replayed as it is read gives bitwise what its schedule gives, in memory that does not grow
// with its records.
#include <gtest/gtest.h>
#include <unistd.h>

#include <fstream>
#include <random>

#include "replay/batch.hpp"
#include "replay/open_channels.hpp"
#include "replay/streamed_trace.hpp"
#include "traced_schedules.hpp"

namespace stretto::replay::trace_test {
namespace {

/// Ranks that make the same calls at different times: exchanges in a ring, pairs, collective operations.
class RandomProgram {
 public:
  RandomProgram(unsigned seed, std::uint32_t ranks, int steps) : random_(seed), now_ns_(ranks, 2000) {
    for (std::uint32_t rank = 0; rank < ranks; ++rank) writers_.emplace_back(rank, ranks);
    for (int step = 0; step < steps; ++step) add(step);
    for (TraceWriter& one : writers_) one.call(finalize, now_ns_[one.rank], 10);
  }

  std::vector<TraceWriter> writers_;

 private:
  std::uint64_t below(std::uint64_t end) { return random_() % end; }
  /// Computes for a while; returns when the next call begins.
  std::uint64_t next(const TraceWriter& of) { return now_ns_[of.rank] += 150 + below(3) * below(4000); }

  void add(int step) {
    const std::uint64_t what = below(7);
    const std::uint64_t bytes = std::uint64_t{1} << below(18);
    for (TraceWriter& one : writers_) {
      const auto ranks = static_cast<int>(one.ranks);
      const auto own = static_cast<int>(one.rank);
      const int right = (own + 1) % ranks;
      const int left = (own + ranks - 1) % ranks;
      switch (what) {
        case 0:
        case 1:
          exchange(one, left, right, bytes, step);
          break;
        case 2:
          if (own % 2 == 0 && own + 1 < ranks) one.message(send, next(one), own + 1, bytes);
          if (own % 2 == 1) one.message(receive, next(one), own - 1, bytes);
          break;
        case 3:
          one.message(isendrecv, next(one), right, bytes, ++requests_);
          one.message(static_cast<TestCall>(record::receive_half), now_ns_[one.rank], left, bytes, requests_);
          one.waited(next(one), 100, requests_);
          break;
        case 4:
          one.call(barrier, next(one), 50).peer = record::no_peer;
          break;
        case 5:
          reduce_while_computing(one, bytes);
          break;
        default:
          next(one);
      }
    }
  }

  void exchange(TraceWriter& one, int left, int right, std::uint64_t bytes, int step) {
    const std::uint32_t first = requests_ + 1;
    const bool waits_later = step % 3 == 0;
    for (const auto& [call, peer] :
         {std::pair(irecv, left), std::pair(irecv, right), std::pair(isend, right), std::pair(isend, left)})
      one.message(call, next(one), peer, bytes, ++requests_);
    std::vector<std::uint32_t>& late = late_[one.rank];
    if (waits_later) late.insert(late.end(), {first, first + 1, first + 2, first + 3});
    one.call(wait, next(one), 100).count = waits_later ? 0 : 4;
    for (std::uint32_t request = first; !waits_later && request <= requests_; ++request)
      one.call(record::completion, now_ns_[one.rank], 100).request = request;
    if (step % 50 != 49) return;
    for (const std::uint32_t request : late) one.waited(next(one), 100, request);
    late.clear();
  }

  void reduce_while_computing(TraceWriter& one, std::uint64_t bytes) {
    one.call(start, next(one), 50).count = 1;
    record::Record& started = one.call(record::started, now_ns_[one.rank]);
    started.count = 2;
    started.request = ++requests_;
    started.peer = record::no_peer;
    started.tag = 1;
    started.bytes_and_context = record::pack_field(bytes, 0);
    started.extra = allreduce_init | bytes << 16U;
    one.waited(next(one), 100, requests_);
  }

  std::mt19937 random_;
  std::vector<std::uint64_t> now_ns_;
  std::map<std::uint32_t, std::vector<std::uint32_t>> late_;  // requests by rank
  std::uint32_t requests_ = 0;
};

class StreamedReplay : public TraceSchedule {
 protected:
  bool is_streamed(const std::vector<TraceWriter>& ranks, const TraceOptions& options = {}) {
    return streamed_trace(write_ranks(directory_, ranks), options).has_value();
  }
};

TEST_F(StreamedReplay, GivesWhatItsScheduleGives) {
  constexpr const char* offloaded[] = {"L=2us,o=300ns,g=100ns,G=1ns", "L=0,G=0",
                                       "L=3us,G=1ns;from=4096,L=4us,G=0.5ns",
                                       "L=2us,G=1ns,node=2,L_node=100ns"};
  constexpr const char* with_handshake[] = {"L=5us,G=0.2ns,S=4096", "L=1us,o=1us,G=3ns,S=1024,B=2048"};
  std::vector<network::Network> networks;
  for (const char* text : offloaded) networks.push_back(network::network_from(text));
  for (const char* text : with_handshake) {
    for (const char* model : {"offload", "eager-only", "inside-calls", "thread=20us"}) {
      networks.push_back(network::network_from(text));
      network::set_progress(networks.back(), model);
    }
  }
  for (unsigned seed = 0; seed < 6; ++seed) {
    const std::uint32_t ranks = 1 + 2 * (seed % 3);
    const auto files = write_ranks(directory_, RandomProgram(seed, ranks, 1500).writers_,
                                   seed % 2 == 0 ? record::trace_major : record::packed_major);
    const TracedSchedule traced = schedule_of_trace(files, {});
    const std::optional<StreamedTrace> streamed = streamed_trace(files, {});
    ASSERT_TRUE(streamed);
    EXPECT_EQ(streamed->first_operation, traced.schedule.first_operation);
    EXPECT_EQ(streamed->summary.messages, traced.summary.messages);
    EXPECT_EQ(streamed->summary.span_s, traced.summary.span_s);
    const auto expected = replay_all(traced.schedule, CompiledSchedule(traced.schedule), networks, 1);
    const auto found = replay_all(*streamed, networks, 1);
    for (std::size_t at = 0; at < networks.size(); ++at) {
      EXPECT_EQ(found[at].result.makespan_s, expected[at].result.makespan_s) << seed << " " << at;
      EXPECT_EQ(found[at].result.all_ranks_s, expected[at].result.all_ranks_s);
      EXPECT_EQ(found[at].result.operations, expected[at].result.operations);
      EXPECT_EQ(found[at].result.messages, expected[at].result.messages);
      EXPECT_EQ(found[at].result.unreceived, expected[at].result.unreceived);
    }
  }
}

TEST_F(StreamedReplay, EndsWhereRecordsWereLost) {
  std::vector<TraceWriter> ranks = RandomProgram(3, 3, 300).writers_;
  ranks[1].records.resize(ranks[1].records.size() / 2);
  const auto files = write_ranks(directory_, ranks, record::packed_major);
  const TracedSchedule traced = schedule_of_trace(files, {});
  const std::optional<StreamedTrace> streamed = streamed_trace(files, {});
  ASSERT_TRUE(streamed && streamed->is_truncated());
  const std::vector<network::Network> networks = {network::network_from("L=2us,G=1ns")};
  EXPECT_EQ(replay_all(*streamed, networks, 1)[0].result.makespan_s, makespan_s(traced, "L=2us,G=1ns"));
}

TEST_F(StreamedReplay, NeedsNoMemoryForRecords) {
#ifdef __SANITIZE_ADDRESS__
  GTEST_SKIP() << "A SANITIZER'S ALLOCATOR keeps what is freed: the test in build/mpich counts";
#endif
  const auto resident = [] {
    std::ifstream file("/proc/self/statm");
    std::size_t size = 0;
    std::size_t pages = 0;
    file >> size >> pages;
    return pages * static_cast<std::size_t>(::sysconf(_SC_PAGESIZE));
  };
  const auto files = write_ranks(directory_, RandomProgram(1, 2, 60'000).writers_, record::packed_major);
  const std::optional<StreamedTrace> streamed = streamed_trace(files, {});
  ASSERT_TRUE(streamed);
  ASSERT_GT(streamed->operations(), 300'000U);  // more than 20 MB
  Replayer replayer(*streamed);
  const std::size_t before = resident();
  EXPECT_GT(replayer.run(network::network_from("L=2us,G=1ns")).makespan_s, 0);
  EXPECT_LT(resident(), before + (std::size_t{6} << 20U));
}

TEST_F(StreamedReplay, IsNotForWhatNeedsAllOperations) {
  std::vector<TraceWriter> plain(1, TraceWriter(0, 1));
  plain[0].message(send, 2000, 0, 8);
  plain[0].message(receive, 3000, 0, 8);
  EXPECT_TRUE(is_streamed(plain));
  EXPECT_FALSE(is_streamed(plain, {.level = Level::consumer}));
  std::vector<TraceWriter> threads = plain;
  threads[0].more_threads = {{threads[0].records.back()}};
  EXPECT_FALSE(is_streamed(threads));
  std::vector<TraceWriter> windows = plain;
  windows[0].define(record::window, 1);
  windows[0].on_window(put, 4000, 0, 8);
  EXPECT_FALSE(is_streamed(windows));
  std::vector<TraceWriter> wild = plain;
  wild[0].message(isendrecv, 5000, 0, 8, 1);
  wild[0].message(static_cast<TestCall>(record::receive_half), 5000, record::any_peer, 8, 2);
  EXPECT_FALSE(is_streamed(wild));
}

TEST(OpenChannels, UseNumbersAgain) {
  OpenChannels channels;
  std::mt19937 random(1);
  std::map<std::uint32_t, std::uint32_t> open;  // by tag, the channel of a message of which an end is there
  for (int i = 0; i < 200'000; ++i) {
    const std::uint32_t tag = static_cast<std::uint32_t>(random()) % 3000;
    const std::uint32_t number = channels.add_end({.receiver = tag % 7, .source = tag % 5, .tag = tag});
    const auto [known, is_new] = open.try_emplace(tag, number);
    ASSERT_EQ(known->second, number);
    if (is_new) continue;
    EXPECT_TRUE(channels.match(number));
    open.erase(tag);
  }
  EXPECT_LE(channels.numbers(), 3000U);
  const std::uint32_t one = channels.add_end({});
  EXPECT_EQ(channels.add_end({}), one);
  EXPECT_EQ(channels.add_end({}), one);
  EXPECT_FALSE(channels.match(one));
}

}  // namespace
}  // namespace stretto::replay::trace_test
