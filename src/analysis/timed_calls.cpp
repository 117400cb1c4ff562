// SPDX-License-Identifier: BSD-3-Clause
#include "analysis/timed_calls.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "analysis/timed_calls_state.hpp"

namespace stretto::analysis {
namespace {

/// More ranks than this would have more open files than a process may have.
constexpr std::size_t max_open = 256;
/// Records of all ranks, and of one of them, that are read ahead.
constexpr std::size_t all_ahead = std::size_t{1} << 21U;
constexpr std::size_t min_piece = 64;
constexpr std::size_t max_piece = 512;
/// Calls that wait for an end of a message; more of them do without.
constexpr std::size_t max_waiting_calls = std::size_t{1} << 16U;
/// Calls of all ranks, and of one of them, that are remembered.
constexpr std::size_t all_past = std::size_t{1} << 24U;
constexpr std::size_t min_past = 1024;
constexpr std::size_t forget_after = std::size_t{1} << 16U;

}  // namespace

TimedCalls::TimedCalls(const std::vector<std::filesystem::path>& files, const Share& share, std::size_t piece,
                       std::size_t round)
    : share_(share),
      piece_(piece),
      round_(round),
      ranks_(files.size()),
      messages_(share.division),
      collectives_(share.division),
      remote_(share.team.size() > 1 ? files.size() : 0) {
  const std::size_t own = share.division.owned();
  if (piece_ == 0) piece_ = std::clamp(all_ahead / std::max<std::size_t>(own, 1), min_piece, max_piece);
  SharedTraits shared;
  std::uint64_t begin_ns = 0;  // of the run, by the first file
  for (std::size_t rank = 0; rank < files.size(); ++rank) {
    if (!share.division.owns(rank)) continue;
    ranks_[rank] = std::make_unique<Rank>(rank, files[rank], piece_, own <= max_open, shared, messages_);
    if (shared == nullptr) begin_ns = reader(rank).begin_ns();
    shared = ranks_[rank]->records.traits();
    turns_.emplace(ranks_[rank]->records.next_s(), rank);
  }
  const std::vector<std::uint64_t> begins_ns = said_by_all(share.team, begin_ns);
  for (std::size_t rank = 0; rank < files.size(); ++rank) {
    if (ranks_[rank] != nullptr) reader(rank).refuse_other_run(begins_ns[share.division.owner(0)]);
  }
  max_past_ = std::max(all_past / std::max<std::size_t>(own, 1), min_past);
}

TimedCalls::~TimedCalls() = default;

const replay::TraceReader& TimedCalls::reader(std::size_t rank) const {
  return ranks_[rank]->records.reader();
}

void TimedCalls::pass_to(CallUser& user) {
  user_ = &user;
  if (share_.team.size() > 1) {
    pass_in_rounds();
  } else {
    while (!turns_.empty() && !user.has_enough()) read(piece_);
  }
  if (user.has_enough()) return;
  pass_the_rest();
  while (!waiting_.empty()) give_waiting(waiting_.begin());
}

/// Reads about that many records. The rank that is furthest behind takes a piece at a time, because its
/// tables are in the processor's cache then. No call that is left begins before the next one of that rank.
void TimedCalls::read(std::size_t most) {
  for (std::size_t taken = 0; taken < most && !turns_.empty();) {
    const auto [now_s, number] = turns_.top();
    Rank& rank = *ranks_[number];
    turns_.pop();
    pass_before(rank, now_s);
    for (std::size_t i = 0; i < piece_ && !rank.records.at_end(); ++i, ++taken) take(rank);
    rank.past.put_in_order(max_past_);
    if (past_ >= forget_at_ && remote_.empty()) forget(needed_s(now_s));
    messages_.forget_idle();
    if (!rank.records.at_end()) {
      turns_.emplace(rank.records.next_s(), number);
      continue;
    }
    for (auto& [of, thread] : rank.threads) thread.close();
  }
}

/// Passes all calls on when all records have been read.
void TimedCalls::pass_the_rest() {
  for (const auto& rank : ranks_) {
    if (rank) pass_before(*rank, std::numeric_limits<double>::infinity());
  }
}

double TimedCalls::other_threads_s(std::size_t rank) const {
  double all_s = 0;
  double first_s = std::numeric_limits<double>::infinity();
  double its_s = 0;
  for (const auto& [number, thread] : ranks_[rank]->threads) {
    if (std::isnan(thread.first_s)) continue;
    const double time_s = thread.last_s - thread.first_s;
    all_s += time_s;
    if (thread.first_s >= first_s) continue;
    first_s = thread.first_s;
    its_s = time_s;
  }
  return all_s - its_s;
}

/// Passes the calls of a rank on that ended before a time.
void TimedCalls::pass_before(Rank& rank, double now_s) {
  for (auto& [number, thread] : rank.threads) {
    for (; !thread.ended.empty() && thread.ended.front().call.end_s() < now_s; thread.ended.pop()) {
      pass(thread.ended.front());
    }
  }
}

void TimedCalls::take(Rank& rank) {
  const Event event(rank.records.next(), *rank.records.traits());
  if (event.traits->role != Role::data && event.traits->role != Role::region) {
    Rank::Thread& thread = rank.threads[rank.records.thread()].first;
    if (event.traits->is_call()) {
      thread.close();
      if (std::isnan(thread.first_s)) thread.first_s = event.begin_s;
      thread.last_s = std::max(thread.last_s, event.end_s());
      thread.in_call = true;
      thread.last.rank = rank.number;
      thread.last.call = event;
      thread.last.received.clear();
      thread.last.sent.clear();
      if (event.traits->is_collective) begin_collective(rank, thread.last);
      rank.past.add({event.begin_s, event.end_s()});
      user_->begin(rank.number, event);
      ++past_;
    }
    take_ends(rank, thread.in_call ? &thread.last : nullptr, event);
    wake();
  }
  rank.records.advance();
}

/// Takes the message ends of a record. `call`: the last one of its thread, or null.
void TimedCalls::take_ends(Rank& rank, EndedCall* call, const Event& event) {
  const Event& within = call != nullptr ? call->call : event;
  rank.messages.take(event, within, rank.ends);
  const bool starts = event.traits->matching == Matching::starts_send || event.traits->role == Role::started;
  for (const MessageEnd& end : rank.ends) {
    user_->message(rank.number, within, end);
    if (call == nullptr) {
      end.done();
    } else if (!end.sends) {
      add_end(call->received, end);
    } else if (!starts) {
      add_end(call->sent, end);
    } else {
      if (const auto before = rank.sends.take(end.request)) before->done();
      rank.sends.add(end.request, end);
    }
  }
  rank.ends.clear();
  const bool frees = event.traits->role == Role::free_request;
  const bool completes = event.traits->role == Role::completion;
  if (call == nullptr || (!frees && !completes)) return;
  const auto found = rank.sends.take(event.request);
  if (!found) return;
  if (frees) {
    found->done();
  } else {
    add_end(call->sent, *found);
  }
}

void TimedCalls::add_end(std::vector<MessageEnd>& to, const MessageEnd& end) {
  if (to.capacity() == 0 && !spare_ends_.empty()) {
    to.swap(spare_ends_.back());
    spare_ends_.pop_back();
  }
  to.push_back(end);
}

/// Keeps the memory of ends that are not needed any more.
void TimedCalls::recycle(std::vector<MessageEnd>& ends) {
  if (ends.capacity() == 0) return;
  ends.clear();
  spare_ends_.emplace_back().swap(ends);
}

/// Counts a collective operation of a rank. A number of a communicator that has another key now was freed.
std::uint64_t TimedCalls::number_of_collective(Rank& rank, std::uint16_t context,
                                               std::uint64_t communicator) {
  Rank::Begun& begun = rank.begun[communicator];
  const auto [known, is_new] = rank.keys.try_emplace(context, communicator);
  const std::uint64_t before = std::exchange(known->second, communicator);
  if (is_new || before != communicator) ++begun.contexts;
  const std::uint64_t number = begun.collectives++;
  if (before == communicator) return number;
  if (const auto freed = rank.begun.find(before); --freed->second.contexts == 0) {
    rank.begun.erase(freed);
    collectives_.drop(before);
  }
  return number;
}

void TimedCalls::begin_collective(Rank& rank, EndedCall& call) {
  const replay::TracedContext* context = rank.records.reader().context(call.call.context);
  call.communicator = context != nullptr ? context->key : 0;
  call.members = context != nullptr ? context->members.size() + context->remote.size() : 0;
  call.own_members = context != nullptr ? context->members.size() : 0;
  call.number = number_of_collective(rank, context != nullptr ? call.call.context : record::no_context,
                                     call.communicator);
  const bool is_root = call.call.peer == static_cast<std::int32_t>(rank.number);
  const double begin_s = call.call.begin_s;
  const Begun begun{.communicator = call.communicator,
                    .number = call.number,
                    .ranks = {.last_s = begin_s, .root_s = is_root ? begin_s : unknown_s, .ranks = 1},
                    .wakes = call.call.traits->waits_for != WaitsFor::root || is_root};
  collectives_.begin(context, begun, messages_.woken);
}

void TimedCalls::pass(EndedCall& call) {
  if (!remote_.empty() && needs_other_processes(call)) {
    remember(deferred_.emplace_back(std::move(call), *this));
  } else if (lacks_an_end(call)) {
    Waiting one(std::move(call), *this);
    remember(one);
    wait(std::move(one));
  } else {
    give(call, Present(*this));
  }
}

const TimedCalls::Rank* TimedCalls::own(std::int32_t number) const {
  const bool is_rank = number >= 0 && static_cast<std::size_t>(number) < ranks_.size();
  return is_rank ? ranks_[static_cast<std::size_t>(number)].get() : nullptr;
}

bool TimedCalls::is_running(std::int32_t number) const {
  if (share_.division.is_remote(number)) return !remote_[static_cast<std::size_t>(number)].at_end;
  const Rank* const rank = own(number);
  return rank != nullptr && !rank->records.at_end();
}

bool TimedCalls::may_receive_from_anybody(std::int32_t number) const {
  const Rank* const rank = own(number);
  return rank != nullptr ? rank->messages.from_anybody() > 0
                         : remote_[static_cast<std::size_t>(number)].from_anybody;
}

bool TimedCalls::lacks_send(const MessageEnd& end) const {
  return std::isnan(end.message().sent_s) && is_running(end.peer());
}

bool TimedCalls::lacks_receive(const MessageEnd& end) const {
  return std::isnan(end.message().posted_s) && is_running(end.peer()) && may_receive_from_anybody(end.peer());
}

/// Whether a rank for which a collective operation waits has not begun it.
bool TimedCalls::lacks_member(const EndedCall& ended) {
  const Event& call = ended.call;
  if (!call.traits->is_collective || call.traits->spends != Spends::waiting) return false;
  const Collective& operation = collectives_.find(ended.communicator, ended.number);
  const bool is_root = call.peer == static_cast<std::int32_t>(ended.rank);
  if (call.traits->waits_for == WaitsFor::root) {
    return std::isnan(operation.begun.root_s) && is_running(call.peer);
  }
  const bool waits = call.traits->waits_for == WaitsFor::all || is_root || call.peer == record::no_peer;
  return waits && operation.begun.ranks < (ended.members > 0 ? ended.members : ranks_.size());
}

bool TimedCalls::lacks_an_end(const EndedCall& call) {
  const auto lacks_its_send = [&](const MessageEnd& end) { return lacks_send(end); };
  const auto lacks_its_receive = [&](const MessageEnd& end) { return lacks_receive(end); };
  return lacks_member(call) || std::ranges::any_of(call.received, lacks_its_send) ||
         std::ranges::any_of(call.sent, lacks_its_receive);
}

/// Keeps what the other ranks of a call's messages, of this process, did at its time.
void TimedCalls::remember(Waiting& one) const {
  for (const auto* ends : {&one.call.received, &one.call.sent}) {
    for (const MessageEnd& end : *ends) {
      const Rank* const of = own(end.peer());
      if (of == nullptr || one.others.contains(end.peer())) continue;
      one.others.emplace(end.peer(), of->past.between(one.call.call.begin_s, one.call.call.end_s()));
    }
  }
}

void TimedCalls::wait(Waiting&& waits) {
  const Number number = next_++;
  Waiting& one = waiting_.try_emplace(number, std::move(waits)).first->second;
  const EndedCall& call = one.call;
  // A send or a member that is not there yet began later than the call ended: the first of them decides.
  bool lacks_a_begin = lacks_member(call);
  if (lacks_a_begin) collectives_.find(call.communicator, call.number).waiting.push_back(number);
  for (const MessageEnd& end : call.received) {
    if (!lacks_send(end)) continue;
    end.message().waiting = number;
    lacks_a_begin = true;
  }
  for (const MessageEnd& end : call.sent) {
    if (lacks_a_begin || !lacks_receive(end)) continue;
    end.message().waiting = number;
    ++one.receives;
  }
  if (waiting_.size() > max_waiting_calls) give_waiting(waiting_.begin());
}

/// Gives the calls that waited for what the last record has told.
void TimedCalls::wake() {
  for (const Number number : messages_.woken) {
    const auto found = waiting_.find(number);
    if (found == waiting_.end()) continue;
    if (found->second.receives <= 1) {
      give_waiting(found);
    } else {
      --found->second.receives;
    }
  }
  messages_.woken.clear();
}

void TimedCalls::give_waiting(std::map<Number, Waiting>::iterator found) {
  auto node = waiting_.extract(found);
  EndedCall& call = node.mapped().call;
  for (const auto* ends : {&call.received, &call.sent}) {
    for (const MessageEnd& end : *ends) {
      Message& message = end.message();
      if (message.waiting == node.key()) message.waiting = 0;
    }
  }
  give(call, node.mapped());
}

void TimedCalls::give(EndedCall& call, const Others& others) {
  user_->end(call, others);
  for (const MessageEnd& end : call.received) end.done();
  for (const MessageEnd& end : call.sent) end.done();
  recycle(call.received);
  recycle(call.sent);
  if (call.call.traits->is_collective) collectives_.leave(call.communicator, call.number);
}

/// From when on calls are needed that other ranks made during a call that has not been passed on.
double TimedCalls::needed_s(double now_s) const {
  double needed_s = now_s;
  for (const auto& rank : ranks_) {
    if (!rank) continue;
    for (auto& [number, thread] : rank->threads) {
      if (thread.in_call) needed_s = std::min(needed_s, thread.last.call.begin_s);
      if (!thread.ended.empty()) needed_s = std::min(needed_s, thread.ended.front().call.begin_s);
    }
  }
  for (const Waiting& one : deferred_) needed_s = std::min(needed_s, one.call.call.begin_s);
  return needed_s;
}

void TimedCalls::forget(double needed_s) {
  std::size_t left = 0;
  for (const auto& rank : ranks_) {
    if (!rank) continue;
    rank->past.forget_before(needed_s);
    left += rank->past.calls.size();
  }
  past_ = 0;
  forget_at_ = forget_after + left;
}

}  // namespace stretto::analysis
