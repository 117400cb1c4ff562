// SPDX-License-Identifier: BSD-3-Clause
#include "analysis/timed_calls.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <queue>

#include "analysis/per_number.hpp"
#include "analysis/request_map.hpp"
#include "analysis/ring_queue.hpp"

namespace stretto::analysis {
namespace {

/// More ranks than this would have more open files than a process may have.
constexpr std::size_t max_open = 256;
/// Calls that wait for an end of a message; more of them do without.
constexpr std::size_t max_waiting_calls = std::size_t{1} << 16U;
/// Calls of all ranks, and of one of them, that are remembered.
constexpr std::size_t all_past = std::size_t{1} << 24U;
constexpr std::size_t min_past = 1024;
constexpr std::size_t forget_after = std::size_t{1} << 16U;

}  // namespace

struct TimedCalls::Rank {
  struct Thread {
    bool in_call = false;
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
  RequestMap<MessageEnd> sends;                                  // nonblocking ones in progress
  std::unordered_map<std::uint64_t, std::uint64_t> collectives;  // by communicator: how many so far
  std::vector<MessageEnd> ends;
};

/// A call that lacks an end of a message, with what other ranks did at that time.
struct TimedCalls::Waiting : Others {
  Waiting(EndedCall one, TimedCalls& all) : call(std::move(one)), calls(all) {}

  [[nodiscard]] double return_s(std::int32_t rank, double time_s) const override {
    const auto found = others.find(rank);
    return found == others.end() ? time_s : found->second.return_s(time_s);
  }
  [[nodiscard]] bool needs_partner(std::int32_t rank, double begin_s, double end_s) const override {
    const auto found = others.find(rank);
    return found != others.end() && found->second.needs_partner(begin_s, end_s);
  }
  [[nodiscard]] const Collective& collective(const EndedCall& one) const override {
    return calls.collective(one);
  }

  EndedCall call;
  TimedCalls& calls;
  std::map<std::int32_t, SomePast> others;
  std::size_t receives = 0;  // that it lacks and nothing else; 0: it lacks something else
};

/// What other ranks did during a call that ends now.
class TimedCalls::Present : public Others {
 public:
  explicit Present(TimedCalls& calls) : calls_(calls) {}

  [[nodiscard]] double return_s(std::int32_t rank, double time_s) const override {
    return knows(rank) ? past(rank).return_s(time_s) : time_s;
  }
  [[nodiscard]] bool needs_partner(std::int32_t rank, double begin_s, double end_s) const override {
    return knows(rank) && past(rank).needs_partner(begin_s, end_s);
  }
  [[nodiscard]] const Collective& collective(const EndedCall& call) const override {
    return calls_.collective(call);
  }
  [[nodiscard]] bool knows(std::int32_t rank) const {
    return rank >= 0 && static_cast<std::size_t>(rank) < calls_.ranks_.size();
  }
  [[nodiscard]] const CallPast& past(std::int32_t rank) const {
    return calls_.ranks_[static_cast<std::size_t>(rank)]->past;
  }

 private:
  TimedCalls& calls_;
};

TimedCalls::TimedCalls(const std::vector<std::filesystem::path>& files, std::size_t piece) : piece_(piece) {
  SharedTraits shared;
  ranks_.reserve(files.size());
  for (const std::filesystem::path& file : files) {
    ranks_.push_back(
        std::make_unique<Rank>(ranks_.size(), file, piece, files.size() <= max_open, shared, messages_));
    shared = ranks_.back()->records.traits();
  }
  max_past_ = std::max(all_past / std::max<std::size_t>(files.size(), 1), min_past);
}

TimedCalls::~TimedCalls() = default;

const replay::TraceReader& TimedCalls::reader(std::size_t rank) const {
  return ranks_[rank]->records.reader();
}

/// The rank that is furthest behind takes some records at a time, because its tables are in the processor's
/// cache then. No call that is left begins before the next one of that rank.
void TimedCalls::pass_to(CallUser& user) {
  user_ = &user;
  using Turn = std::pair<double, std::size_t>;
  std::priority_queue<Turn, std::vector<Turn>, std::greater<>> turns;
  for (const auto& rank : ranks_) turns.emplace(rank->records.next_s(), rank->number);
  while (!turns.empty() && !user.has_enough()) {
    const auto [now_s, number] = turns.top();
    Rank& rank = *ranks_[number];
    turns.pop();
    pass_before(rank, now_s);
    for (std::size_t i = 0; i < piece_ && !rank.records.at_end(); ++i) take(rank);
    if (past_ >= forget_at_) forget(now_s);
    if (!rank.records.at_end()) {
      turns.emplace(rank.records.next_s(), number);
      continue;
    }
    for (auto& [of, thread] : rank.threads) thread.close();
  }
  if (user.has_enough()) return;
  for (const auto& rank : ranks_) pass_before(*rank, std::numeric_limits<double>::infinity());
  while (!waiting_.empty()) give_waiting(waiting_.begin());
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
      thread.in_call = true;
      thread.last.rank = rank.number;
      thread.last.call = event;
      thread.last.received.clear();
      thread.last.sent.clear();
      if (event.traits->is_collective) begin_collective(rank, thread.last);
      rank.past.add({event.begin_s, event.end_s()}, max_past_);
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
      call->received.push_back(end);
    } else if (!starts) {
      call->sent.push_back(end);
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
    call->sent.push_back(*found);
  }
}

void TimedCalls::begin_collective(Rank& rank, EndedCall& call) {
  const replay::TracedContext* context = rank.records.reader().context(call.call.context);
  call.communicator = context != nullptr ? context->key : 0;
  call.members = context != nullptr ? context->members.size() + context->remote.size() : 0;
  call.own_members = context != nullptr ? context->members.size() : 0;
  call.number = rank.collectives[call.communicator]++;
  Collective& of = collective(call);
  if (std::isnan(of.last_s) || call.call.begin_s > of.last_s) of.last_s = call.call.begin_s;
  ++of.begun;
  const bool is_root = call.call.peer == static_cast<std::int32_t>(rank.number);
  if (is_root) of.root_s = call.call.begin_s;
  if (of.waiting.empty() || (call.call.traits->waits_for == WaitsFor::root && !is_root)) return;
  messages_.woken.insert(messages_.woken.end(), of.waiting.begin(), of.waiting.end());
  of.waiting.clear();
}

void TimedCalls::pass(EndedCall& call) {
  if (lacks_an_end(call)) {
    wait(std::move(call));
  } else {
    give(call, Present(*this));
  }
}

const TimedCalls::Rank* TimedCalls::running(std::int32_t number) const {
  if (number < 0 || static_cast<std::size_t>(number) >= ranks_.size()) return nullptr;
  const Rank& rank = *ranks_[static_cast<std::size_t>(number)];
  return rank.records.at_end() ? nullptr : &rank;
}

bool TimedCalls::lacks_send(const MessageEnd& end) const {
  return std::isnan(end.message().sent_s) && running(end.peer()) != nullptr;
}

bool TimedCalls::lacks_receive(const MessageEnd& end) const {
  const Rank* receiver = running(end.peer());
  return receiver != nullptr && receiver->messages.from_anybody() > 0 && std::isnan(end.message().posted_s);
}

/// Whether a rank for which a collective operation waits has not begun it.
bool TimedCalls::lacks_member(const EndedCall& ended) {
  const Event& call = ended.call;
  if (!call.traits->is_collective || call.traits->spends != Spends::waiting) return false;
  const Collective& operation = collective(ended);
  const bool is_root = call.peer == static_cast<std::int32_t>(ended.rank);
  if (call.traits->waits_for == WaitsFor::root) {
    return std::isnan(operation.root_s) && running(call.peer) != nullptr;
  }
  const bool waits = call.traits->waits_for == WaitsFor::all || is_root || call.peer == record::no_peer;
  return waits && operation.begun < (ended.members > 0 ? ended.members : ranks_.size());
}

bool TimedCalls::lacks_an_end(const EndedCall& call) {
  const auto lacks_its_send = [&](const MessageEnd& end) { return lacks_send(end); };
  const auto lacks_its_receive = [&](const MessageEnd& end) { return lacks_receive(end); };
  return lacks_member(call) || std::any_of(call.received.begin(), call.received.end(), lacks_its_send) ||
         std::any_of(call.sent.begin(), call.sent.end(), lacks_its_receive);
}

void TimedCalls::wait(EndedCall&& ended) {
  const Number number = next_++;
  Waiting& one = waiting_.try_emplace(number, std::move(ended), *this).first->second;
  const EndedCall& call = one.call;
  const Present present(*this);
  const auto remember = [&](std::int32_t rank) {
    if (!present.knows(rank) || one.others.contains(rank)) return;
    one.others.emplace(rank, present.past(rank).between(call.call.begin_s, call.call.end_s()));
  };
  // A send or a member that is not there yet began later than the call ended: the first of them decides.
  bool lacks_a_begin = lacks_member(call);
  if (lacks_a_begin) collective(call).waiting.push_back(number);
  for (const MessageEnd& end : call.received) {
    if (lacks_send(end)) {
      end.message().waiting = number;
      lacks_a_begin = true;
    } else {
      remember(end.peer());
    }
  }
  for (const MessageEnd& end : call.sent) {
    remember(end.peer());
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
  if (call.call.traits->is_collective) leave_collective(call);
}

Collective& TimedCalls::collective(const EndedCall& call) {
  Collectives& of = collectives_[call.communicator];
  if (call.number < of.first) return of.gone = Collective();
  while (call.number >= of.first + of.open.size()) of.open.push_back({.left = call.members});
  return of.open[call.number - of.first];
}

void TimedCalls::leave_collective(const EndedCall& call) {
  Collective& one = collective(call);
  if (one.left == 0 || --one.left > 0) return;  // of unknown members, all may still come
  one.is_done = true;
  Collectives& of = collectives_[call.communicator];
  for (; !of.open.empty() && of.open.front().is_done; ++of.first) of.open.pop_front();
}

/// Forgets the calls before those that have not been passed on, and before `now_s`.
void TimedCalls::forget(double now_s) {
  double needed_s = now_s;
  for (const auto& rank : ranks_) {
    for (auto& [number, thread] : rank->threads) {
      if (thread.in_call) needed_s = std::min(needed_s, thread.last.call.begin_s);
      if (!thread.ended.empty()) needed_s = std::min(needed_s, thread.ended.front().call.begin_s);
    }
  }
  std::size_t left = 0;
  for (const auto& rank : ranks_) {
    rank->past.forget_before(needed_s);
    left += rank->past.calls.size();
  }
  past_ = 0;
  forget_at_ = forget_after + left;
}

}  // namespace stretto::analysis
