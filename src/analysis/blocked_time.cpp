// SPDX-License-Identifier: BSD-3-Clause
#include "analysis/blocked_time.hpp"

#include <algorithm>
#include <cmath>

#include "analysis/places.hpp"

namespace stretto::analysis {
namespace {

/// A blocking call that sends and does nothing else.
bool sends_only(const EndedCall& ended) {
  const auto is_blocking = [](const MessageEnd& end) { return !end.message().is_nonblocking(); };
  return ended.call.traits->spends == Spends::waiting && ended.received.empty() && !ended.sent.empty() &&
         std::ranges::all_of(ended.sent, is_blocking);
}

/// A call that only receives, from sends that had returned. `there_s`: when the messages could be there.
bool has_nothing_to_wait_for(const EndedCall& ended, double there_s) {
  const double begin_s = ended.call.begin_s;
  const auto has_left = [&](const MessageEnd& end) { return end.message().left_s <= begin_s; };
  return there_s <= begin_s && !ended.received.empty() && ended.sent.empty() &&
         std::ranges::all_of(ended.received, has_left);
}

}  // namespace

void BlockedTime::add(const BlockedTime& other) {
  transfer_s += other.transfer_s;
  late_s += other.late_s;
  progress_s += other.progress_s;
  cores_s += other.cores_s;
  poll_s += other.poll_s;
  calls_s += other.calls_s;
}

void TimeUse::add(const TimeUse& other) {
  run_s += other.run_s;
  for (const auto& [place, of] : other.sites) {
    Site& sums = sites[place];
    sums.blocked.add(of.blocked);
    sums.call = of.call;
  }
  for (const auto& [place, of] : other.streams.places) streams.add(place, of);
}

/// The interval of a rank that is analysed. Where a trace lacks MPI_Init or MPI_Finalize, it is from its
/// first call to the end of its last one.
void BlockedCalls::begin(std::size_t rank, const Event& call) {
  Rank& of = ranks_[rank];
  const bool is_first = std::isnan(of.begin_s);
  const Bound bound = call.traits->bound;
  if (bound == Bound::initialises || (bound == Bound::begins_session && is_first)) {
    of.begin_s = call.end_s();
  } else if (bound == Bound::finalises) {
    of.end_s = std::max(of.end_s, call.begin_s);
  } else {
    if (is_first) of.begin_s = call.begin_s;
    of.end_s = std::max(of.end_s, call.end_s());
  }
  if (call.traits->spends == Spends::nothing) return;
  Site& site = of.sites[call.site];
  site.last = call.traits;
  site.number = ++of.calls;
}

void BlockedCalls::message(std::size_t rank, const Event& call, const MessageEnd& end) {
  const bool is_known = calls_.reader(rank).definitions().sites.contains(call.site);
  if (is_known) ranks_[rank].streams.take(call.site, end.peer(), end.sends);
}

void BlockedCalls::end(const EndedCall& ended, const Others& others) {
  const CallTraits& traits = *ended.call.traits;
  if (traits.spends == Spends::nothing) return;
  Site& site = ranks_[ended.rank].sites[ended.call.site];
  if (sends_only(ended)) return add_sends(site.sends, ended, others);
  const Ready ready = traits.is_collective ? ready_collective(ended, others) : this->ready(ended);
  site.blocked.add(split(ended, ready, others));
}

void BlockedCalls::add_sends(Sends& sends, const EndedCall& ended, const Others& others) const {
  sends.waiting.add(split(ended, ready(ended), others));
  sends.buffered.add(split(ended, ready(ended, false), others));
  ++sends.count;
  // What is posted later is not known yet, or never.
  const auto is_early = [&](const MessageEnd& end) { return !(end.message().posted_s < ended.call.end_s()); };
  if (std::ranges::all_of(ended.sent, is_early)) ++sends.early;
  sends.shortest_s = std::min(sends.shortest_s, ended.call.duration_s);
}

BlockedTime BlockedCalls::Sends::blocked(bool is_crowded) const {
  if (2 * early <= count) return waiting;
  BlockedTime found = buffered;
  if (is_crowded) return found;
  const double own_s = std::min(static_cast<double>(count) * shortest_s, found.transfer_s);
  found.transfer_s -= own_s;
  found.progress_s += own_s;
  found.calls_s += own_s;
  return found;
}

BlockedTime BlockedCalls::split(const EndedCall& ended, Ready ready, const Others& others) const {
  const Event& call = ended.call;
  const double begin_s = call.begin_s;
  const double end_s = call.end_s();
  BlockedTime split;
  double rest_s = call.duration_s;
  if (call.traits->spends == Spends::waiting && !has_nothing_to_wait_for(ended, ready.there_s)) {
    ready.partner_s = std::clamp(ready.partner_s, begin_s, end_s);
    ready.there_s = std::clamp(ready.there_s, ready.partner_s, end_s);
    split.transfer_s = ready.there_s - ready.partner_s;
    split.late_s = ready.partner_s - begin_s;
    rest_s = end_s - ready.there_s;
    if (ready.partner >= 0) {
      const double return_s = others.return_s(ready.partner, ready.there_s);
      // A wait that ends while the partner still computes did not need its next call.
      if (return_s <= end_s) split.poll_s = return_s - ready.there_s;
    }
  } else {
    split.calls_s = rest_s;
  }
  if (crowded_[ended.rank]) {
    split.cores_s = rest_s;
    split.poll_s = split.calls_s = 0;
  } else {
    split.progress_s = rest_s;
  }
  return split;
}

BlockedCalls::Ready BlockedCalls::ready(const EndedCall& ended, bool waits_for_receivers) const {
  const double begin_s = ended.call.begin_s;
  const double end_s = ended.call.end_s();
  Ready ready{.partner_s = begin_s, .there_s = begin_s};
  for (const MessageEnd& end : ended.received) {
    const Message& message = end.message();
    if (std::isnan(message.sent_s)) continue;
    ready.partner_s = std::max(ready.partner_s, message.sent_s);
    const double there_s = message.sent_s + cost_.of(end.size_bytes);
    if (there_s > ready.there_s) ready.partner = message.is_nonblocking() ? end.peer() : record::no_peer;
    ready.there_s = std::max(ready.there_s, there_s);
  }
  for (const MessageEnd& end : ended.sent) {
    const double posted_s = end.message().posted_s;
    // Otherwise the send has not waited for it.
    const bool is_known = waits_for_receivers && posted_s < end_s;
    if (is_known && posted_s > begin_s) ready.partner_s = std::max(ready.partner_s, posted_s);
    const double begun_s = is_known ? std::max(end.begin_s, posted_s) : end.begin_s;
    const double there_s = begun_s + cost_.of(end.size_bytes);
    if (there_s > ready.there_s) ready.partner = waits_for_receivers ? end.peer() : record::no_peer;
    ready.there_s = std::max(ready.there_s, there_s);
  }
  return ready;
}

BlockedCalls::Ready BlockedCalls::ready_collective(const EndedCall& ended, const Others& others) const {
  const Event& call = ended.call;
  const Collective& operation = others.collective(ended);
  double partner_s = operation.begun.last_s;
  if (call.traits->waits_for == WaitsFor::root) partner_s = operation.begun.root_s;
  if (call.traits->waits_for == WaitsFor::root_for_all && call.peer != record::no_peer &&
      call.peer != static_cast<std::int32_t>(ended.rank)) {
    partner_s = call.begin_s;
  }
  if (std::isnan(partner_s)) partner_s = call.begin_s;
  const double rounds = std::ceil(std::log2(std::max<double>(static_cast<double>(ended.own_members), 2)));
  const double there_s =
      std::max(partner_s, call.begin_s) + rounds * cost_.of(std::max(call.size_bytes, call.extra));
  return {.partner_s = partner_s, .there_s = there_s};
}

TimeUse BlockedCalls::result() const {
  TimeUse result;
  for (std::size_t number = 0; number < ranks_.size(); ++number) {
    if (!calls_.owns(number)) continue;
    const Rank& rank = ranks_[number];
    const replay::TraceReader& reader = calls_.reader(number);
    if (rank.end_s > rank.begin_s) result.run_s += rank.end_s - rank.begin_s;
    result.run_s += calls_.other_threads_s(number);
    std::vector<std::pair<std::uint16_t, const Site*>> ordered;
    ordered.reserve(rank.sites.size());
    for (const auto& [site, of] : rank.sites) ordered.emplace_back(site, &of);
    std::ranges::sort(ordered,
                      [](const auto& a, const auto& b) { return a.second->number < b.second->number; });
    for (const auto& [site, of] : ordered) {
      TimeUse::Site& sums = result.sites[place_of(reader, site)];
      sums.blocked.add(of->blocked);
      sums.blocked.add(of->sends.blocked(crowded_[number]));
      sums.call = of->last->name;
    }
    rank.streams.add_to(result.streams, reader);
  }
  return result;
}

}  // namespace stretto::analysis
