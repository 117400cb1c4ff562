// SPDX-License-Identifier: BSD-3-Clause
// The rounds of a team: in each, a process reads some records, tells the others the halves of messages and
// the begins of collective operations that are theirs, too, and asks what their ranks did during its calls.
//
// A call with a rank of another process in it is deferred until all processes have read what began before its
// end: then what is not there is later.
#include <algorithm>
#include <concepts>
#include <iterator>
#include <limits>

#include "analysis/timed_calls_state.hpp"

namespace stretto::analysis {
namespace {

constexpr double at_end_s = std::numeric_limits<double>::infinity();
/// Calls that a process keeps for others that are behind, before it waits for them.
constexpr std::size_t max_deferred = std::size_t{1} << 18U;

/// Asks what a rank did between two times. `call`: the number of the call that asks.
struct Question {
  std::uint64_t call = 0;
  std::int32_t rank = 0;
  double begin_s = 0;
  double end_s = 0;
};

struct Answer {
  std::uint64_t call = 0;
  std::int32_t rank = 0;
  std::vector<CallTime> calls;
};

void fields(auto& archive, std::same_as<Answer> auto& one) { archive(one.call, one.rank, one.calls); }

}  // namespace

struct TimedCalls::Round {
  struct Status {
    std::int32_t rank = 0;
    Remote is;
  };

  /// Where a process is.
  struct Position {
    double now_s = 0;     // no call that it has not read begins before
    double needed_s = 0;  // from when on it needs what others did
    bool has_enough = false;
  };

  /// What a process tells another one.
  struct Told {
    Position position;
    std::vector<Status> changed;
    std::vector<Half> halves;
    std::vector<Begun> begun;

    friend void fields(auto& archive, std::same_as<Told> auto& one) {
      archive(one.position, one.changed, one.halves, one.begun);
    }
  };

  explicit Round(std::size_t ranks) : told(ranks) {}

  Position all;              // the earliest of all processes
  std::vector<Remote> told;  // by rank of this process, what the others know of it
};

void TimedCalls::pass_in_rounds() {
  Round round(ranks_.size());
  while (round.all.now_s < at_end_s && !round.all.has_enough) {
    const bool is_last = !turns_.empty() && turns_.top().first <= round.all.now_s;
    if (is_last || deferred_.size() < max_deferred) read(round_);
    if (turns_.empty()) pass_the_rest();
    tell(round);
    ask(round);
    if (past_ >= forget_at_) forget(round.all.needed_s);
  }
}

/// Whether a rank of another process sends to it, receives from it, or begins what it waits for.
bool TimedCalls::needs_other_processes(const EndedCall& call) {
  const auto is_remote = [&](const MessageEnd& end) { return share_.division.is_remote(end.peer()); };
  return std::ranges::any_of(call.received, is_remote) || std::ranges::any_of(call.sent, is_remote) ||
         lacks_member(call);
}

void TimedCalls::tell(Round& round) {
  Round::Told mine;
  mine.position.now_s = turns_.empty() ? at_end_s : turns_.top().first;
  mine.position.needed_s = needed_s(mine.position.now_s);
  mine.position.has_enough = user_->has_enough();
  for (std::size_t rank = 0; rank < ranks_.size(); ++rank) {
    if (!owns(rank)) continue;
    const Remote now{.at_end = ranks_[rank]->records.at_end(),
                     .from_anybody = ranks_[rank]->messages.from_anybody() > 0};
    Remote& told = round.told[rank];
    if (now.at_end == told.at_end && now.from_anybody == told.from_anybody) continue;
    told = now;
    mine.changed.push_back({static_cast<std::int32_t>(rank), now});
  }
  std::vector<Round::Told> to(share_.team.size(), mine);
  for (auto& [process, halves] : messages_.outgoing) to[process].halves = std::move(halves);
  for (auto& [process, begun] : collectives_.outgoing) to[process].begun = std::move(begun);
  messages_.outgoing.clear();
  collectives_.outgoing.clear();
  round.all = {.now_s = at_end_s, .needed_s = at_end_s, .has_enough = true};
  for (const Round::Told& told : exchanged(share_.team, std::move(to))) {
    const Round::Position& its = told.position;
    round.all.now_s = std::min(round.all.now_s, its.now_s);
    round.all.needed_s = std::min(round.all.needed_s, its.needed_s);
    round.all.has_enough = round.all.has_enough && its.has_enough;
    for (const Round::Status& one : told.changed) remote_[static_cast<std::size_t>(one.rank)] = one.is;
    for (const Half& one : told.halves) messages_.take(one);
    for (const Begun& one : told.begun) collectives_.take(one, messages_.woken);
  }
  wake();
}

/// Passes the deferred calls on that ended before the position of all processes.
void TimedCalls::ask(const Round& round) {
  const auto is_later = [&](const Waiting& one) { return !(one.call.call.end_s() < round.all.now_s); };
  const auto first = std::stable_partition(deferred_.begin(), deferred_.end(), is_later);
  std::vector<Waiting> ready(std::make_move_iterator(first), std::make_move_iterator(deferred_.end()));
  deferred_.erase(first, deferred_.end());

  std::vector<std::vector<Question>> questions(share_.team.size());
  for (std::size_t number = 0; number < ready.size(); ++number) {
    Waiting& one = ready[number];
    for (const auto* ends : {&one.call.received, &one.call.sent}) {
      for (const MessageEnd& end : *ends) {
        const std::int32_t rank = end.peer();
        if (!share_.division.is_remote(rank) || !one.others.try_emplace(rank).second) continue;
        questions[share_.division.owner(static_cast<std::size_t>(rank))].push_back(
            {number, rank, one.call.call.begin_s, one.call.call.end_s()});
      }
    }
  }
  std::vector<std::vector<Answer>> answers;
  for (const std::vector<Question>& asked : exchanged(share_.team, std::move(questions))) {
    std::vector<Answer>& all = answers.emplace_back();
    for (const Question& one : asked) {
      SomePast past = own(one.rank)->past.between(one.begin_s, one.end_s);
      all.push_back({one.call, one.rank, std::move(past.calls)});
    }
  }
  for (std::vector<Answer>& all : exchanged(share_.team, std::move(answers))) {
    for (Answer& one : all) ready[one.call].others.at(one.rank).calls = std::move(one.calls);
  }
  for (Waiting& one : ready) {
    if (lacks_an_end(one.call)) {
      wait(std::move(one));
    } else {
      give(one.call, one);
    }
  }
}

}  // namespace stretto::analysis
