// SPDX-License-Identifier: BSD-3-Clause
// The calls of all ranks in the order of their time, each with the other ends of its messages.
//
// A call is passed on when all calls that began before its end have been read, of all ranks. One that still
// lacks an end waits: for a send or a member of a collective operation with a later begin, because clocks
// differ, or for a receive from anybody: its channel is known only when it completes. Needs memory for open
// requests, for messages of which one end is not analysed, and for the calls of other ranks during calls that
// have not ended.
//
// Processes of a team read the ranks that they own, in rounds (timed_calls_rounds.cpp). Each passes the calls
// of its own ranks on; one with a message to or from a rank of another process waits until all processes have
// read what began before its end.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <queue>
#include <unordered_map>
#include <utility>
#include <vector>

#include "analysis/call_past.hpp"
#include "analysis/collectives.hpp"
#include "analysis/event.hpp"
#include "analysis/message_table.hpp"
#include "analysis/rank_messages.hpp"
#include "analysis/rank_records.hpp"

namespace stretto::analysis {

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
  /// Opens the files of this process, of all files, one per rank, in the order of the ranks. `share` must
  /// outlive this object. Throws TraceError. `piece`: the records of a rank that are read at a time; 0: as
  /// many as fit the number of ranks. More need more memory; with fewer, ranks take the processor's cache
  /// from each other more often. `round`: the records that a process of a team reads before it hears of the
  /// others.
  TimedCalls(const std::vector<std::filesystem::path>& files, const Share& share, std::size_t piece = 0,
             std::size_t round = std::size_t{1} << 16U);
  ~TimedCalls();

  /// Passes all calls of this process's ranks to the user. Once. All processes of the team call it. Throws
  /// TraceError.
  void pass_to(CallUser& user);
  [[nodiscard]] bool owns(std::size_t rank) const { return ranks_[rank] != nullptr; }
  /// Of a rank that this process owns.
  [[nodiscard]] const replay::TraceReader& reader(std::size_t rank) const;
  /// The time of its threads, each from the begin of its first call to the end of its last one, but for the
  /// thread that called first: its time is that of the rank.
  [[nodiscard]] double other_threads_s(std::size_t rank) const;

 private:
  struct Rank;
  struct Waiting;
  class Present;
  struct Round;
  using Number = std::uint64_t;
  using Turn = std::pair<double, std::size_t>;  // when the next record of a rank begins
  using Turns = std::priority_queue<Turn, std::vector<Turn>, std::greater<>>;

  void read(std::size_t most);
  void take(Rank& rank);
  void take_ends(Rank& rank, EndedCall* call, const Event& event);
  void add_end(std::vector<MessageEnd>& to, const MessageEnd& end);
  void recycle(std::vector<MessageEnd>& ends);
  std::uint64_t number_of_collective(Rank& rank, std::uint16_t context, std::uint64_t communicator);
  void begin_collective(Rank& rank, EndedCall& call);
  void pass_before(Rank& rank, double now_s);
  void pass_the_rest();
  void pass(EndedCall& call);
  [[nodiscard]] bool lacks_send(const MessageEnd& end) const;
  [[nodiscard]] bool lacks_receive(const MessageEnd& end) const;
  [[nodiscard]] bool lacks_member(const EndedCall& ended);
  [[nodiscard]] bool lacks_an_end(const EndedCall& call);
  void remember(Waiting& one) const;
  void wait(Waiting&& waits);
  void wake();
  void give(EndedCall& call, const Others& others);
  void give_waiting(std::map<Number, Waiting>::iterator found);
  void forget(double needed_s);
  [[nodiscard]] double needed_s(double now_s) const;
  /// The rank of that number; null: this process owns none.
  [[nodiscard]] const Rank* own(std::int32_t number) const;
  /// Whether there is a rank of that number that still has records.
  [[nodiscard]] bool is_running(std::int32_t number) const;
  [[nodiscard]] bool may_receive_from_anybody(std::int32_t number) const;

  void pass_in_rounds();
  [[nodiscard]] bool needs_other_processes(const EndedCall& call);
  void tell(Round& round);
  void ask(const Round& round);

  const Share& share_;
  std::size_t piece_;
  std::size_t round_;
  std::vector<std::unique_ptr<Rank>> ranks_;  // null where another process owns it
  MessageTable messages_;
  Collectives collectives_;
  Turns turns_;
  std::map<Number, Waiting> waiting_;
  std::vector<Waiting> deferred_;  // for the end of a round
  /// What is known of a rank of another process.
  struct Remote {
    bool at_end = false;
    bool from_anybody = false;
  };
  std::vector<Remote> remote_;                       // by rank
  std::vector<std::vector<MessageEnd>> spare_ends_;  // empty, with their memory: most calls have no messages
  Number next_ = 1;
  std::size_t past_ = 0;       // calls since `forget`
  std::size_t forget_at_ = 0;  // of them
  std::size_t max_past_ = 0;   // of one rank
  CallUser* user_ = nullptr;
};

}  // namespace stretto::analysis
