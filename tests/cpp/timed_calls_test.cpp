// SPDX-License-Identifier: BSD-3-Clause
// Random traces of known messages: each call learns the other ends of its messages, and what its partners did
// at the same time, whatever the order in which files are read. Clocks of ranks differ.
#include "analysis/timed_calls.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <map>
#include <random>
#include <string>
#include <vector>

#include "analysis_team.hpp"
#include "refusal.hpp"
#include "replay/trace_file.hpp"
#include "trace_writing.hpp"

namespace stretto::analysis {
namespace {

using namespace replay::trace_test;

constexpr int anybody_tag = 9;  // messages with this tag are received from anybody
constexpr std::uint64_t cancelled_bytes = 1'000'000;

struct Known {
  double sent_s = unknown_s;
  double posted_s = unknown_s;
};

/// Ranks that send each other messages, which their numbers of bytes identify.
class RandomTraces {
 public:
  RandomTraces(unsigned seed, std::uint32_t ranks) : random_(seed), clocks_(ranks), open_(ranks) {
    for (std::uint32_t rank = 0; rank < ranks; ++rank) {
      writers_.emplace_back(rank, ranks);
      clocks_[rank] = 1000 + below(3000);
    }
    calls_.resize(ranks);
    for (int i = 0; i < 60; ++i) add_message();
    for (std::uint32_t rank = 0; rank < ranks; ++rank) {
      while (!open_[rank].empty()) wait_for_one(rank);
      add(rank, finalize);
      // Each call is made by one of three threads, which finish each other's requests.
      if (seed % 3 == 0)
        divide_among_threads(writers_[rank], [this](std::uint64_t end) { return below(end); });
    }
  }

  std::vector<TraceWriter> writers_;
  std::map<std::uint64_t, Known> messages;    // by bytes
  std::vector<std::vector<CallTime>> calls_;  // by rank

 private:
  struct Request {
    std::uint32_t number;
    int tag;
    int source;
    std::uint64_t bytes;
  };

  std::uint64_t below(std::uint64_t end) { return random_() % end; }

  record::Record& add(std::uint32_t rank, TestCall what) {
    const std::uint64_t begin_ns = clocks_[rank] + below(400);
    const std::uint64_t duration_ns = below(900);
    clocks_[rank] = begin_ns + duration_ns + 1;
    calls_[rank].push_back({static_cast<double>(begin_ns) * 1e-9,
                            static_cast<double>(begin_ns) * 1e-9 + static_cast<double>(duration_ns) * 1e-9});
    return writers_[rank].call(what, begin_ns, duration_ns);
  }

  record::Record& add(std::uint32_t rank, TestCall what, std::uint32_t peer, int tag, std::uint64_t bytes) {
    record::Record& record = add(rank, what);
    record.bytes_and_context = record::pack_field(bytes, 0);
    record.peer = static_cast<std::int32_t>(peer);
    record.tag = tag;
    if (what == isend || what == irecv) record.request = ++requests_;
    return record;
  }

  void add_message() {
    const auto ranks = static_cast<std::uint32_t>(writers_.size());
    const auto source = static_cast<std::uint32_t>(below(ranks));
    const auto target = static_cast<std::uint32_t>(below(ranks));
    const std::uint64_t bytes = messages.size() + 1;
    const int tag = below(3) == 0 ? anybody_tag : static_cast<int>(below(2));
    const bool starts = below(2) == 0;
    const auto send_it = [&] {
      add(source, starts ? isend : send, target, tag, bytes);
      messages[bytes].sent_s = calls_[source].back().begin_s;
      if (starts) open_[source].push_back({requests_, 0, record::no_peer, bytes});
    };
    const auto receive_it = [&] {
      const bool posts = tag == anybody_tag || below(2) == 0;
      record::Record& record = add(target, posts ? irecv : receive, source, tag, bytes);
      if (tag == anybody_tag) record.peer = record.tag = record::any_peer;
      messages[bytes].posted_s = calls_[target].back().begin_s;
      if (posts) open_[target].push_back({requests_, tag, static_cast<int>(source), bytes});
    };
    if (below(5) == 0) cancel_a_receive(source, target, tag);
    if (below(2) == 0) {
      send_it();
      receive_it();
    } else {
      receive_it();
      send_it();
    }
    const auto rank = static_cast<std::uint32_t>(below(ranks));
    if (!open_[rank].empty() && below(2) == 0) wait_for_one(rank);
  }

  /// Before the source sends anything more: the receive gets no message.
  void cancel_a_receive(std::uint32_t source, std::uint32_t target, int tag) {
    const bool frees = below(2) == 0;
    add(target, irecv, source, tag, cancelled_bytes);
    if (tag == anybody_tag) writers_[target].records.back().tag = record::any_tag;
    const std::uint32_t request = requests_;
    record::Record& ends = add(target, frees ? request_free : wait);
    ends.request = frees ? request : 0;
    ends.count = 1;
    record::Record& completion = writers_[target].call(record::completion, 0);
    completion.request = request;
    completion.count = record::cancelled;
    clocks_[source] = std::max(clocks_[source], clocks_[target]);
  }

  /// Requests complete in their order: receives from anybody get their messages in the order of completion.
  void wait_for_one(std::uint32_t rank) {
    const Request one = open_[rank].front();
    open_[rank].erase(open_[rank].begin());
    add(rank, wait).count = 1;
    record::Record& completion = writers_[rank].call(record::completion, 0);
    completion.request = one.number;
    completion.peer = one.source;
    completion.tag = one.tag;
    completion.count = one.source >= 0 ? record::has_source : record::nothing_more;
    completion.bytes_and_context = record::pack_field(one.bytes, 0);
  }

  std::mt19937 random_;
  std::vector<std::uint64_t> clocks_;
  std::vector<std::vector<Request>> open_;
  std::uint32_t requests_ = 0;
};

class Check : public CallUser {
 public:
  explicit Check(const RandomTraces& traces) : traces_(traces) {}

  void begin(std::size_t, const Event&) override { ++begun; }
  void message(std::size_t, const Event&, const MessageEnd&) override { ++messages; }
  void end(const EndedCall& call, const Others& others) override {
    ++ended;
    const double end_s = call.call.end_s();
    for (const MessageEnd& one : call.received) {
      EXPECT_EQ(one.message().sent_s, traces_.messages.at(one.size_bytes).sent_s);
      EXPECT_EQ(one.message().posted_s, traces_.messages.at(one.size_bytes).posted_s);
      if (one.message().sent_s <= end_s) check_past(call, one.peer(), others);
    }
    for (const MessageEnd& one : call.sent) {
      const double posted_s = traces_.messages.at(one.size_bytes).posted_s;
      // Of a receive that is posted later it does not matter when.
      if (posted_s <= end_s) {
        EXPECT_EQ(one.message().posted_s, posted_s);
      }
      check_past(call, one.peer(), others);
    }
  }

  int begun = 0;
  int ended = 0;
  int messages = 0;

 private:
  void check_past(const EndedCall& call, std::int32_t rank, const Others& others) const {
    const double end_s = call.call.end_s();
    for (const double share : {0.0, 0.3, 0.9, 1.0}) {
      const double time_s = call.call.begin_s + share * call.call.duration_s;
      const SomePast all{traces_.calls_[static_cast<std::size_t>(rank)]};
      const double expected_s = all.return_s(time_s);
      const double found_s = others.return_s(rank, time_s);
      EXPECT_TRUE(found_s == expected_s || (found_s > end_s && expected_s > end_s) ||
                  (found_s == time_s && expected_s > end_s))
          << found_s << " instead of " << expected_s << " at " << time_s;
      EXPECT_EQ(others.needs_partner(rank, time_s, end_s), all.needs_partner(time_s, end_s));
    }
  }

  const RandomTraces& traces_;
};

TEST(TimedCalls, LearnTheOtherEndsOfTheirMessages) {
  for (unsigned seed = 0; seed < 32; ++seed) {
    RandomTraces traces(seed, 1 + seed % 4);
    const TemporaryDirectory directory;
    const std::vector<std::filesystem::path> files = write_ranks(directory, traces.writers_);
    std::size_t calls = 0;
    for (std::size_t rank = 0; rank < traces.writers_.size(); ++rank) {
      // The first call of each writer is its MPI_Init, from 0 to 1000 ns.
      traces.calls_[rank].insert(traces.calls_[rank].begin(), CallTime{0, 1000 * 1e-9});
      calls += traces.calls_[rank].size();
    }
    for (const std::size_t piece : {1, 5, 512}) {
      for (const std::size_t processes : {1, 2, 3, 8}) {
        std::vector<Check> checks(processes, Check(traces));
        on_team(processes, [&](Team& team) {
          const Share share{team, Division::blocks(files.size(), team)};
          TimedCalls(files, share, piece, 7).pass_to(checks[team.number()]);
        });
        int begun = 0;
        int ended = 0;
        int messages = 0;
        for (const Check& one : checks) {
          begun += one.begun;
          ended += one.ended;
          messages += one.messages;
        }
        EXPECT_EQ(begun, static_cast<int>(calls));
        EXPECT_EQ(ended, static_cast<int>(calls));
        EXPECT_EQ(messages, 2 * static_cast<int>(traces.messages.size()));
        if (HasFailure()) FAIL() << "seed " << seed << ", " << processes << " processes, pieces of " << piece;
      }
    }
  }
}

TEST(TimedCalls, RefuseAFileOfAnotherRunHoweverTheRanksAreDivided) {
  const TemporaryDirectory directory;
  const std::vector<std::filesystem::path> files =
      write_ranks(directory, ranks_that(3, [](const TraceWriter&) {}));
  std::string bytes = TraceWriter(2, 3).bytes();
  record::TraceHeader header;
  std::memcpy(&header, bytes.data(), sizeof header);
  header.epoch_ns += 7;
  std::memcpy(bytes.data(), &header, sizeof header);
  write_bytes(files[2], bytes);
  for (const std::size_t processes : {1, 2, 3}) {
    std::vector<std::string> refusals(processes);
    on_team(processes, [&](Team& team) {
      refusals[team.number()] = stretto::testing::refusal_of<replay::TraceError>([&] {
        const TimedCalls calls(files, {team, Division::blocks(files.size(), team)});
      });
    });
    EXPECT_TRUE(refusals.back().starts_with(files[2].string() + ": is of another run")) << refusals.back();
    EXPECT_EQ(std::ranges::count(refusals, ""), static_cast<std::ptrdiff_t>(processes) - 1);
  }
}

TEST(CallPast, IsInOrderWhateverThreadsAreReadFirst) {
  CallPast past;
  for (const double begin_s : {1, 2, 6, 8}) past.add({begin_s, begin_s + 0.5});
  past.put_in_order(6);
  EXPECT_EQ(past.return_s(7), 8);
  for (const double begin_s : {3, 4, 7, 5}) past.add({begin_s, begin_s + 0.5});
  past.put_in_order(6);
  EXPECT_EQ(past.return_s(3.6), 4);
  EXPECT_EQ(past.return_s(6.7), 7);
  EXPECT_EQ(past.calls.size(), 6U);
  EXPECT_EQ(past.calls.front().begin_s, 3);
}

TEST(TimedCalls, ASendThatItsChannelNeverReceivesIsPassedOn) {
  TraceWriter one(0, 1);
  one.message(send, 2000, 0, 8);
  const TemporaryDirectory directory;
  Alone alone;
  const Share share{alone, Division::blocks(1, alone)};
  TimedCalls timed({write_bytes(directory.file("rank-0.trace"), one.bytes())}, share);
  struct Count : CallUser {
    void begin(std::size_t, const Event&) override {}
    void message(std::size_t, const Event&, const MessageEnd&) override {}
    void end(const EndedCall& call, const Others&) override { sent += call.sent.size(); }
    std::size_t sent = 0;
  } count;
  timed.pass_to(count);
  EXPECT_EQ(count.sent, 1U);
}

}  // namespace
}  // namespace stretto::analysis
