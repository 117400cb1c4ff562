// SPDX-License-Identifier: BSD-3-Clause
#include <fmt/format.h>

#include <algorithm>
#include <deque>
#include <initializer_list>
#include <limits>
#include <map>
#include <string>
#include <unordered_map>
#include <utility>

#include "foreign/call_writer.hpp"
#include "foreign/conversion.hpp"
#include "foreign/damaged.hpp"
#include "foreign/paraver_program.hpp"
#include "foreign/text.hpp"

namespace stretto::foreign {
namespace {

bool is_any_of(std::string_view operation, std::initializer_list<std::string_view> all) {
  return std::ranges::find(all, operation) != all.end();
}

/// The bytes of so many blocks of a size that an event has. Throws Damaged.
std::uint64_t bytes_of(std::int64_t value, std::size_t blocks = 1) {
  if (value < 0 || std::cmp_greater(value, record::field_mask / blocks))
    throw Damaged("a size that no record can hold");
  return static_cast<std::uint64_t>(value) * blocks;
}

/// The events have the vector of a collective, one block of it, or all that the rank moves.
void set_bytes(Transfer& collective, std::string_view operation, std::int64_t sent, std::int64_t received) {
  const std::size_t members = collective.comm->members.size();
  if (is_any_of(operation, {"bcast", "reduce", "allreduce", "scan", "exscan"})) {
    collective.bytes = bytes_of(sent != 0 ? sent : received);
  } else if (operation == "reduce_scatter_block") {
    collective.bytes = bytes_of(received != 0 ? received : sent);
  } else if (is_any_of(operation, {"allgather", "alltoall"})) {
    collective.bytes = bytes_of(sent, operation == "alltoall" ? members : 1);
    collective.extra = bytes_of(sent, members);
  } else {
    collective.bytes = bytes_of(sent);
    collective.extra = bytes_of(received);
  }
}

/// One task of a Paraver trace: the calls of its threads, and its open requests. A communication says where
/// its receive was posted and ended, but no record says where sends and nonblocking collectives ended: an
/// MPI_Waitall ends all that are open, an MPI_Wait that ends no receive the oldest of them.
class ParaverRank {
 public:
  /// `program` must outlive this object.
  ParaverRank(ParaverProgram& program, const std::filesystem::path& directory, std::int32_t rank)
      : program_(program),
        out_(directory, rank, static_cast<std::size_t>(program.tasks()), program.left_out) {}

  /// An event of this task. Throws Damaged.
  void take(const ParaverEvent& event) {
    const auto [found, is_new] = threads_.try_emplace(event.thread);
    Thread& thread = found->second;
    if (is_new) thread.queues = &program_.threads[{event.task, event.thread}];
    if (!paraver::is_call(event.type)) {
      if (thread.function != nullptr && thread.begin == event.time) thread.about[event.type] = event.value;
      return;
    }
    const bool begins = event.value != 0;
    if (thread.function != nullptr) {
      if (begins) count("", "call without an end");
      end(thread, event);
    } else if (!begins) {
      count("", "end of a call without its begin");
    }
    if (!begins) return;
    thread = {thread.queues, &program_.names.function(event.type, event.value), event.type, event.time};
  }

  /// Counts what has no end, and writes all that is left. False: there was no call.
  bool finish(const Origin& origin) {
    const auto is_open = [](const auto& one) { return one.second.function != nullptr; };
    count("", "call without an end", static_cast<std::size_t>(std::ranges::count_if(threads_, is_open)));
    count("", "request without an end", receives_.size() + others_.size());
    out_.finish(origin);
    return out_.has_begun();
  }

 private:
  /// A thread, and its call that has begun.
  struct Thread {
    ParaverQueues* queues = nullptr;
    const ParaverFunction* function = nullptr;  ///< null: no call has begun
    std::int64_t kind = 0;
    std::int64_t begin = 0;
    std::map<std::int64_t, std::int64_t> about;  ///< values of the events at its begin, by type

    [[nodiscard]] std::int64_t value(std::int64_t type, std::int64_t absent = 0) const {
      const auto found = about.find(type);
      return found == about.end() ? absent : found->second;
    }
  };
  struct OwnComm {
    const Comm* comm = nullptr;  ///< null: it is not known
    std::size_t calls = 0;
  };

  void end(Thread& thread, const ParaverEvent& event) {
    const ParaverFunction& function = *thread.function;
    const std::string& name = function.mpi->name;
    call_.begin(function.mpi, program_.ns(thread.begin),
                program_.names.place(thread.value(paraver::caller), thread.value(paraver::caller_line)));
    if (!name.starts_with("MPI_")) count(name.substr(4), " without a name of MPI");
    if (thread.kind == paraver::collective_call) add_collective(thread);
    add_messages(thread, event.time);
    if (name == "MPI_Probe" || name == "MPI_Mprobe") count(name, " without its message");
    const bool may_move =
        thread.kind == paraver::point_to_point && (function.sends > 0 || function.receives > 0);
    if (may_move && call_.done.empty() && call_.started.empty()) count(name, " without a message");
    out_.add(static_cast<std::uint32_t>(event.thread - 1), call_, program_.ns(event.time));
    thread.function = nullptr;
  }

  /// A send's time is the begin of its call, a receive's that of a blocking call, but the end of MPI_Irecv.
  void add_messages(const Thread& thread, std::int64_t end) {
    const ParaverFunction& function = *thread.function;
    ParaverQueues& queues = *thread.queues;
    for (const std::uint32_t one : queues.sent.take(thread.begin, end, function.sends))
      add_message(Moved::sent, one, function.is_blocking);
    for (const std::uint32_t one : queues.posted.take(thread.begin, end, function.receives))
      add_message(Moved::received, one, function.is_blocking);
    for (const std::uint32_t one : queues.received.take(thread.begin, end)) {
      if (const auto found = receives_.extract(one)) call_.completed.push_back(found.mapped());
    }
    if (function.mpi->name == "MPI_Waitall") {
      call_.completed.insert(call_.completed.end(), others_.begin(), others_.end());
      others_.clear();
    } else if (function.mpi->name == "MPI_Wait" && call_.completed.empty() && !others_.empty()) {
      call_.completed.push_back(others_.front());
      others_.pop_front();
    }
  }

  void add_message(Moved moved, std::uint32_t number, bool is_over) {
    const ParaverMessage& message = program_.application.messages[number];
    add({.moved = moved,
         .comm = &program_.world(),
         .peer = (moved == Moved::sent ? message.receiver : message.sender) - 1,
         .tag = message.tag,
         .bytes = static_cast<std::uint64_t>(message.bytes)},
        is_over);
    if (moved == Moved::received && !is_over) receives_[number] = call_.started.back().request;
  }

  void add_collective(const Thread& thread) {
    const ParaverFunction& function = *thread.function;
    const std::int64_t comm = thread.value(paraver::communicator, -1);
    const auto [found, is_new] = comms_.try_emplace(comm);
    OwnComm& own = found->second;
    if (is_new) own.comm = program_.comm_of(out_.rank(), comm);
    if (own.comm == nullptr) {
      count(function.mpi->name, " of an unknown communicator");
      return;
    }
    const std::size_t number = own.calls++;
    Transfer transfer{.moved = Moved::by_all, .comm = own.comm, .peer = record::no_peer};
    if (is_any_of(function.operation, {"bcast", "reduce", "gather", "gatherv", "scatter", "scatterv"})) {
      transfer.peer = program_.root(comm, number);
      if (transfer.peer == record::no_peer) count(function.mpi->name, " without a root");
    }
    set_bytes(transfer, function.operation, thread.value(paraver::sent_bytes),
              thread.value(paraver::received_bytes));
    add(transfer, function.is_blocking);
  }

  void add(const Transfer& transfer, bool is_over) {
    if (is_over) {
      call_.done.push_back(transfer);
      return;
    }
    call_.started.push_back({out_.new_request(), transfer});
    if (transfer.moved != Moved::received) others_.push_back(call_.started.back().request);
  }

  void count(std::string_view name, std::string_view what, std::size_t times = 1) {
    if (times > 0) program_.left_out[std::string(name).append(what)] += times;
  }

  ParaverProgram& program_;
  CallWriter out_;
  std::unordered_map<std::int64_t, Thread> threads_;
  std::unordered_map<std::int64_t, OwnComm> comms_;
  Call call_;                                                  // that ends
  std::unordered_map<std::uint32_t, std::uint64_t> receives_;  // requests by message
  std::deque<std::uint64_t> others_;                           // requests of sends and collectives
};

}  // namespace

LeftOut convert_paraver(const std::filesystem::path& trace, const std::filesystem::path& records,
                        const std::filesystem::path& directory) {
  const MappedFile file(records);
  ParaverProgram program(trace, text_of(file));
  const std::int64_t tasks = program.tasks();
  allow_open_files(static_cast<std::size_t>(tasks));
  std::deque<ParaverRank> ranks;
  for (const std::int32_t rank : program.world().members) ranks.emplace_back(program, directory, rank);
  read_paraver(text_of(file), [&](const ParaverEvent& event) {
    const auto [application, task, thread, time, type, value] = event;
    if (application != program.number) return;
    const bool is_thread = thread >= 1 && thread <= std::numeric_limits<std::int32_t>::max();
    if (task < 1 || task > tasks || !is_thread || time < 0) {
      throw Damaged(fmt::format("an event of thread {} of task {} of {} at {}", thread, task, tasks, time));
    }
    ranks[static_cast<std::size_t>(task - 1)].take(event);
  });
  const Origin origin{.file = trace.filename().string(), .format = "Paraver trace"};
  bool has_begun = false;
  for (ParaverRank& one : ranks) has_begun = one.finish(origin) || has_begun;
  if (!has_begun) throw NoMpi("no MPI call is in it");
  std::size_t untaken = 0;
  for (const auto& [thread, of] : program.threads) untaken += of.sent.untaken() + of.posted.untaken();
  if (untaken > 0) program.left_out["send or receive outside of a call"] = untaken;
  const std::size_t overtaking = count_overtaking(program.application.messages);
  if (overtaking > 0) program.left_out["message that overtakes another of its ranks and tag"] = overtaking;
  return program.left_out;
}

}  // namespace stretto::foreign
