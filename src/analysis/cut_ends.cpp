// SPDX-License-Identifier: BSD-3-Clause
#include "analysis/cut_ends.hpp"

#include <algorithm>
#include <iterator>

#include "record/rank_runs.hpp"

namespace stretto::analysis {
namespace {

using replay::CallKind;
using replay::Epoch;

constexpr std::uint32_t started_collective = 2;  // the `count` of its record

/// Whether a record names a request without starting anything.
bool only_names_request(const CallTraits& traits) {
  return traits.role == Role::free_request || traits.kind == "cancel" || traits.kind == "imrecv" ||
         traits.kind.starts_with("pready") || traits.kind == "parrived";
}

std::size_t own_members(const replay::TracedContext& context) {
  std::set<std::int32_t> all;
  for (const auto* side : {&context.members, &context.remote}) {
    for (const std::int32_t member : *side) {
      if (member >= 0) all.insert(member);
    }
  }
  return all.size();
}

}  // namespace

void CutEnds::count(CutCounts& counts) {
  counts_ = &counts;
  walk();
  table_.for_each([&](const Channel& channel) { counts.add(channel, times_of(channel)); });
}

CutPlan CutEnds::plan(const CutCounts& counts) {
  counted_ = &counts;
  walk();
  return std::move(plan_);
}

void CutEnds::walk() {
  records_.for_each([this](const KeptRecord& one) { take(one); });
  if (records_.reader().lacks_numbers())
    refuse("it has more communicators at once than a trace has numbers for");
  for (const auto& [request, one] : early_) plan_.crosses.insert(one.number);
  const bool receives = std::ranges::any_of(open_, [](const auto& one) { return one.second.receives; });
  if (receives) refuse("a receive of it never completes");
}

void CutEnds::take(const KeptRecord& one) {
  const Event event(one.record, records_.traits());
  const CallTraits& traits = *event.traits;
  if (traits.is_call()) calls_[one.thread] = event;
  const Event& call = calls_[one.thread];
  const bool completes = traits.role == Role::completion || traits.matching == Matching::takes_probed;
  if (completes && open_.contains(event.request)) return complete(one.number, event, call);
  if (completes) {
    early_[event.request] = {one.number, event, call};
    return;
  }
  const auto open = open_.find(event.request);
  const bool was_cancelled = traits.role == Role::free_request && event.count != 0;  // its completion follows
  if (traits.role == Role::free_request && open != open_.end() && !was_cancelled) {
    if (open->second.receives) refuse("it frees the request of a receive that has not ended");
    open_.erase(open);
  } else if (traits.kind == "imrecv" && open == open_.end()) {
    plan_.alone.insert(one.number);
  }
  begin(one, event, call);
}

/// A record that completes nothing.
void CutEnds::begin(const KeptRecord& one, const Event& event, const Event& call) {
  Open* open = nullptr;
  if (event.request != 0 && !only_names_request(*event.traits)) {
    std::uint32_t& before = plan_.before_first_request;
    before = before == 0 ? event.request - 1 : std::min(before, event.request - 1);
    open = &open_[event.request];
    open->number = one.number;
    const bool posts =
        event.traits->matching == Matching::posts || event.traits->matching == Matching::probes;
    const bool starts_receive = event.traits->role == Role::started && (event.count == 1 || event.count == 4);
    const bool is_receive = posts || starts_receive || event.traits->role == Role::receive_half;
    open->receives = open->receives || is_receive;
    open->sends = open->sends || event.traits->matching == Matching::starts_send ||
                  (event.traits->role == Role::started && (event.count == 0 || event.count == 3));
  }
  take_ends(event, call, one.number, open);
  if (joins(one, event) && open != nullptr) open->is_alone = true;
  if (event.traits->is_call()) opens_epoch(one, event);
  if (open == nullptr) return;
  const auto early = early_.find(event.request);
  if (early == early_.end()) return;
  const Early completion = early->second;
  early_.erase(early);
  complete(completion.number, completion.event, completion.call);
}

void CutEnds::complete(std::uint64_t number, const Event& event, const Event& call) {
  Open open = open_[event.request];
  open_.erase(event.request);
  if (event.traits->role == Role::completion && event.count == record::cancelled && open.sends)
    refuse("it cancels a send");
  take_ends(event, call, number, &open);
  if (open.is_alone) plan_.crosses.insert(number);
}

/// Takes the ends of messages in a record. `open`: the operation that it begins or completes, or null.
void CutEnds::take_ends(const Event& event, const Event& call, std::uint64_t number, Open* open) {
  messages_.take(event, call, ends_);
  for (const MessageEnd& end : ends_) {
    // Only the numbers count here: nothing waits for the other end.
    end.message().sender_done = end.message().receiver_done = true;
    end.channel->release();
    if (counts_ != nullptr) take_time(end, call);
    if (counted_ == nullptr || end.number >= lone(*end.channel, end.sends)) continue;
    const bool is_posted = !end.sends && open != nullptr;
    plan_.alone.insert(is_posted ? open->number : number);
    if (open != nullptr && !(open->sends && open->receives)) open->is_alone = true;
  }
  ends_.clear();
}

void CutEnds::take_time(const MessageEnd& end, const Event& call) {
  constexpr std::size_t most = 64;  // not all: a job has many channels
  Times& times = last_times_[end.channel];
  std::multiset<double>& of = end.sends ? times.sent_s : times.received_s;
  of.insert(end.sends ? end.begin_s : call.end_s());
  if (of.size() > most) of.erase(of.begin());
}

LastTimes CutEnds::times_of(const Channel& channel) const {
  constexpr std::uint64_t counter_error_ns = 1000;  // of the time stamp counter, by which calls are timed
  const double error_s = static_cast<double>(records_.reader().clock_error_ns() + counter_error_ns) * ns;
  LastTimes last;
  const auto known = last_times_.find(&channel);
  if (known == last_times_.end()) return last;
  const auto& [sent_s, received_s] = known->second;
  std::transform(sent_s.rbegin(), sent_s.rend(), std::back_inserter(last.sent_s),
                 [error_s](double at_s) { return at_s - error_s; });
  std::transform(received_s.rbegin(), received_s.rend(), std::back_inserter(last.received_s),
                 [error_s](double at_s) { return at_s + error_s; });
  return last;
}

std::uint64_t CutEnds::lone(const Channel& channel, bool sends) {
  auto& known = sends ? lone_sends_ : lone_receives_;
  const auto [found, is_new] = known.try_emplace(&channel);
  if (is_new) found->second = counted_->lone(channel.key, sends);
  return found->second;
}

std::optional<Sequence> CutEnds::sequence_of(const KeptRecord& one, const Event& event) const {
  const replay::TracedContext* context = records_.reader().context(event.context);
  if (context == nullptr) return {};
  if (event.traits->role == Role::started && event.count == started_collective)
    return Sequence{context->key, std::max(event.tag, 1)};
  if (!event.traits->is_call() || !records_.is_joint(one.record)) return {};
  return Sequence{context->key, 0};
}

/// Counts a collective operation, and says whether it lacks its other members.
bool CutEnds::joins(const KeptRecord& one, const Event& event) {
  const std::optional<Sequence> sequence = sequence_of(one, event);
  if (!sequence) return false;
  if (counts_ != nullptr) {
    counts_->join(rank(), *sequence, own_members(*records_.reader().context(event.context)));
    return false;
  }
  if (joined_[*sequence]++ >= counted_->lone(rank(), *sequence)) return false;
  plan_.alone.insert(one.number);
  return true;
}

void CutEnds::opens_epoch(const KeptRecord& one, const Event& event) {
  const replay::OneSidedCall* call = records_.plan(one.record).one_sided;
  if (call == nullptr || (call->epoch != Epoch::post && call->epoch != Epoch::start)) return;
  const replay::TracedContext* window = records_.reader().context(event.context);
  if (window == nullptr) return;
  const auto& groups = records_.reader().definitions().groups;
  const auto group = groups.find(event.extra);
  if (group == groups.end()) return;
  const bool exposes = call->epoch == Epoch::post;
  const auto own = static_cast<std::int32_t>(rank());
  const std::vector<std::int32_t> partners = record::ranks_in(group->second, records_.reader().ranks());
  std::vector<std::int32_t> left;
  for (const std::int32_t partner : partners) {
    const EpochPair pair{window->key, exposes ? own : partner, exposes ? partner : own};
    if (counts_ != nullptr) {
      counts_->open(pair, exposes);
    } else if (opened_[{pair, exposes}]++ >= counted_->lone(pair, exposes)) {
      left.push_back(partner);
    }
  }
  if (counted_ != nullptr && left.size() < partners.size()) plan_.opens.emplace(one.number, std::move(left));
}

void CutEnds::refuse(const std::string& why) const {
  throw CutError("rank " + std::to_string(records_.reader().rank()) + ": " + why);
}

}  // namespace stretto::analysis
