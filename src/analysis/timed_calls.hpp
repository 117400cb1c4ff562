// SPDX-License-Identifier: BSD-3-Clause
// The calls of all ranks in the order of their time, each with the other ends of its messages.
//
// A call is passed on when all calls that began before its end have been read, of all ranks. One that still
// lacks an end waits: for a send or a member of a collective operation with a later begin, because clocks
// differ, or for a receive from anybody: its channel is known only when it completes. Needs memory for open
// requests, for messages of which one end is not analysed, and for the calls of other ranks during calls that
// have not ended.
#pragma once

#include <cstdint>
#include <deque>
#include <filesystem>
#include <map>
#include <memory>
#include <unordered_map>
#include <utility>
#include <vector>

#include "analysis/call_past.hpp"
#include "analysis/event.hpp"
#include "analysis/message_table.hpp"
#include "analysis/rank_messages.hpp"
#include "analysis/rank_records.hpp"

namespace stretto::analysis {

/// A collective operation: when its ranks began it.
struct Collective {
  double last_s = unknown_s;
  double root_s = unknown_s;
  std::size_t begun = 0;  ///< ranks that have begun it
  std::size_t left = 0;   ///< members that have not passed it
  bool is_done = false;
  std::vector<std::uint64_t> waiting = {};  ///< the numbers of calls that wait for another rank to begin it
};

/// A call that has ended, with the messages that it completed.
struct EndedCall {
  std::size_t rank = 0;
  Event call;
  std::vector<MessageEnd> received;
  std::vector<MessageEnd> sent;
  std::uint64_t communicator = 0;  ///< its key, of a collective
  std::uint64_t number = 0;        ///< of a collective, from 0
  std::size_t members = 0;         ///< of its communicator, with the remote group; 0: not known
  std::size_t own_members = 0;     ///< without the remote group
};

/// Reads off what other ranks did during a call.
class Others {
 public:
  virtual ~Others() = default;
  [[nodiscard]] virtual double return_s(std::int32_t rank, double time_s) const = 0;
  [[nodiscard]] virtual bool needs_partner(std::int32_t rank, double begin_s, double end_s) const = 0;
  [[nodiscard]] virtual const Collective& collective(const EndedCall& call) const = 0;
};

/// Receives calls and messages.
class CallUser {
 public:
  virtual ~CallUser() = default;
  /// A call of a rank, in the order of its file.
  virtual void begin(std::size_t rank, const Event& call) = 0;
  /// An end of a message in a call, in the order of the file.
  virtual void message(std::size_t rank, const Event& call, const MessageEnd& end) = 0;
  /// A call with its messages, as far as the trace has them.
  virtual void end(const EndedCall& call, const Others& others) = 0;
  /// Whether the rest of the trace is of no use.
  [[nodiscard]] virtual bool has_enough() const { return false; }
};

class TimedCalls {
 public:
  /// Opens the files, one per rank, in the order of the ranks. Throws TraceError. `piece`: the records of a
  /// rank that are read at a time. More need more memory; with fewer, ranks take the processor's cache from
  /// each other more often.
  explicit TimedCalls(const std::vector<std::filesystem::path>& files, std::size_t piece = 512);
  ~TimedCalls();

  /// Passes all calls to the user. Once. Throws TraceError.
  void pass_to(CallUser& user);
  [[nodiscard]] const replay::TraceReader& reader(std::size_t rank) const;

 private:
  struct Rank;
  struct Waiting;
  class Present;
  using Number = std::uint64_t;

  void take(Rank& rank);
  void take_ends(Rank& rank, EndedCall* call, const Event& event);
  void begin_collective(Rank& rank, EndedCall& call);
  void pass_before(Rank& rank, double now_s);
  void pass(EndedCall& call);
  [[nodiscard]] bool lacks_send(const MessageEnd& end) const;
  [[nodiscard]] bool lacks_receive(const MessageEnd& end) const;
  [[nodiscard]] bool lacks_member(const EndedCall& ended);
  [[nodiscard]] bool lacks_an_end(const EndedCall& call);
  void wait(EndedCall&& ended);
  void wake();
  void give(EndedCall& call, const Others& others);
  void give_waiting(std::map<Number, Waiting>::iterator found);
  Collective& collective(const EndedCall& call);
  void leave_collective(const EndedCall& call);
  void forget(double now_s);
  /// The rank that still has records; null: none of that number.
  [[nodiscard]] const Rank* running(std::int32_t number) const;

  std::size_t piece_;
  std::vector<std::unique_ptr<Rank>> ranks_;
  MessageTable messages_;
  struct Collectives {
    std::uint64_t first = 0;
    std::deque<Collective> open;
    Collective gone;
  };
  std::unordered_map<std::uint64_t, Collectives> collectives_;  // by communicator
  std::map<Number, Waiting> waiting_;
  Number next_ = 1;
  std::size_t past_ = 0;       // calls since `forget`
  std::size_t forget_at_ = 0;  // of them
  std::size_t max_past_ = 0;   // of one rank
  CallUser* user_ = nullptr;
};

}  // namespace stretto::analysis
