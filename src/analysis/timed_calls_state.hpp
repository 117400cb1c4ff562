// SPDX-License-Identifier: BSD-3-Clause
// What TimedCalls keeps of a rank, and of a call that waits. Only its own files include this.
#pragma once

#include <map>
#include <memory>
#include <unordered_map>
#include <utility>
#include <vector>

#include "analysis/per_number.hpp"
#include "analysis/request_map.hpp"
#include "analysis/ring_queue.hpp"
#include "analysis/timed_calls.hpp"

namespace stretto::analysis {

struct TimedCalls::Rank {
  struct Thread {
    bool in_call = false;
    double first_s = unknown_s;  // when its first call begins
    double last_s = 0;           // when its last one ends
    EndedCall last;
    RingQueue<EndedCall> ended;  // other ranks may still begin calls before their end

    void close() {
      if (in_call) std::swap(ended.push(), last);
      in_call = false;
    }
  };

  Rank(std::size_t at, const std::filesystem::path& file, std::size_t piece, bool keeps_open,
       const SharedTraits& shared, MessageTable& table)
      : number(at), records(file, piece, keeps_open, shared), messages(records.reader(), table) {}

  std::size_t number;
  RankRecords records;
  RankMessages messages;
  CallPast past;
  PerNumber<Thread, std::map<std::uint64_t, Thread>> threads;
  RequestMap<MessageEnd> sends;  // nonblocking ones in progress
  struct Begun {
    std::uint64_t collectives = 0;  // so far
    std::uint64_t contexts = 0;     // numbers that the communicator has: 0 when it is freed
  };
  std::unordered_map<std::uint64_t, Begun> begun;         // by the key of a communicator
  std::unordered_map<std::uint16_t, std::uint64_t> keys;  // of the communicator that had a number last
  std::vector<MessageEnd> ends;
};

/// A call that lacks an end of a message, or what ranks of other processes did, with what other ranks did at
/// that time.
struct TimedCalls::Waiting : Others {
  Waiting(EndedCall one, TimedCalls& all) : call(std::move(one)), calls(&all) {}

  [[nodiscard]] double return_s(std::int32_t rank, double time_s) const override {
    const auto found = others.find(rank);
    return found == others.end() ? time_s : found->second.return_s(time_s);
  }
  [[nodiscard]] bool needs_partner(std::int32_t rank, double begin_s, double end_s) const override {
    const auto found = others.find(rank);
    return found != others.end() && found->second.needs_partner(begin_s, end_s);
  }
  [[nodiscard]] const Collective& collective(const EndedCall& one) const override {
    return calls->collectives_.find(one.communicator, one.number);
  }

  EndedCall call;
  TimedCalls* calls;
  std::map<std::int32_t, SomePast> others;
  std::size_t receives = 0;  // that it lacks and nothing else; 0: it lacks something else
};

/// What other ranks did during a call that ends now.
class TimedCalls::Present : public Others {
 public:
  explicit Present(TimedCalls& calls) : calls_(calls) {}

  [[nodiscard]] double return_s(std::int32_t rank, double time_s) const override {
    const Rank* const of = calls_.own(rank);
    return of != nullptr ? of->past.return_s(time_s) : time_s;
  }
  [[nodiscard]] bool needs_partner(std::int32_t rank, double begin_s, double end_s) const override {
    const Rank* const of = calls_.own(rank);
    return of != nullptr && of->past.needs_partner(begin_s, end_s);
  }
  [[nodiscard]] const Collective& collective(const EndedCall& call) const override {
    return calls_.collectives_.find(call.communicator, call.number);
  }

 private:
  TimedCalls& calls_;
};

}  // namespace stretto::analysis
