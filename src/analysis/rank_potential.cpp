// SPDX-License-Identifier: BSD-3-Clause
#include "analysis/rank_potential.hpp"

#include <algorithm>
#include <iterator>
#include <utility>

namespace stretto::analysis {
namespace {

/// Messages of a rank that wait for records about their data; the data of older ones counts as unknown.
constexpr std::size_t max_waiting = 1U << 16U;
/// Share of a message's cost up to which a window counts as none.
constexpr double at_once_share = 0.02;

/// What a persistent request starts, by the `count` of its record.
Side started_side(std::uint32_t count) {
  constexpr Side sides[] = {Side::send, Side::receive, Side::collective, Side::send, Side::receive};
  return sides[std::min<std::size_t>(count, std::size(sides) - 1)];
}

}  // namespace

void RankPotential::Waiting::add(std::uint32_t request, TouchedMessage message) {
  const auto [found, is_new] = messages_.try_emplace(request);
  found->second.message = std::move(message);
  if (!is_new) return;
  found->second.number = next_++;
  requests_[found->second.number] = request;
  if (messages_.size() > max_waiting) remove(requests_.begin()->second);
}

RankPotential::Touched* RankPotential::Waiting::find(std::uint32_t request) {
  const auto found = messages_.find(request);
  return found == messages_.end() ? nullptr : found->second.message.get();
}

void RankPotential::Waiting::remove(std::uint32_t request) {
  const auto found = messages_.find(request);
  requests_.erase(found->second.number);
  messages_.erase(found);
}

RankPotential::RankPotential(const replay::TraceReader& reader, const Cost& cost,
                             const PotentialOptions& options, Potential& found)
    : reader_(reader), cost_(cost), options_(options), found_(found) {}

void RankPotential::take(std::uint32_t number, const Event& event) {
  Thread& thread = threads_[number].first;
  thread.number = number;
  const CallTraits& traits = *event.traits;
  if (traits.role == Role::data) return touch(thread, event);
  if (traits.role == Role::completion) return complete(thread, event);
  if (traits.role == Role::region) return worked(event);
  if (traits.is_call()) take_call(thread, event);
  if (traits.ends_accesses) synchronise(thread, event);
  if (event.peer == record::no_peer && traits.has_peer) return;
  if (traits.role == Role::free_request) open_.erase(event.request);
  if (traits.blocking) {
    block(thread, event, *traits.blocking);
  } else if (traits.role == Role::receive_half) {
    if (thread.in_call) receive_half(thread, event);
  } else if (traits.nonblocking) {
    start(thread, event, traits, false, *traits.nonblocking);
  } else if (traits.role == Role::started) {
    const Side side = started_side(event.count);
    start(thread, event, traits, side == Side::receive, side);
  }
}

void RankPotential::finish() {
  for (auto& [number, thread] : threads_) {
    end_wait(thread);
    end_arrival(thread);
  }
}

void RankPotential::take_call(Thread& thread, const Event& event) {
  end_wait(thread);
  if (thread.end_s) thread.computed_s += std::max(event.begin_s - *thread.end_s, 0.0);
  thread.end_s = event.end_s();
  end_arrival(thread);
  thread.in_call = true;
  thread.wait = event;
  if (options_.watched) thread.past.add_call(event.begin_s, event.end_s());
}

void RankPotential::block(Thread& thread, const Event& event, Side side) {
  const Site& site = site_of(event, *event.traits, false, side);
  const double cost_s = count(*site.sums, side, event);
  site.sums->blocked_s += event.duration_s;
  const TouchedMessage message = expect(event.request, site, side, thread.computed_s, cost_s, 0);
  if (side == Side::send) {
    send(thread, event, message.get());
    leave(event, event.traits->name, cost_s).add_uncovered(cost_s, event.duration_s);
  } else {
    arrive(thread, event, event.size_bytes, cost_s, 0);
    if (message) message->use = thread.arrived.use;
  }
}

void RankPotential::receive_half(Thread& thread, const Event& event) {
  const Event& pair = thread.wait;
  if (pair.traits->nonblocking) {
    start(thread, event, *pair.traits, true, Side::receive);
    return;
  }
  const Site& site = site_of(event, *pair.traits, true, Side::receive);
  const double cost_s = count(*site.sums, Side::receive, event);
  if (pair.peer == record::no_peer) site.sums->blocked_s += pair.duration_s;  // else the send half has it
  const TouchedMessage message = expect(event.request, site, Side::receive, thread.computed_s, cost_s, 0);
  arrive(thread, pair, event.size_bytes, cost_s, 0);
  if (message) message->use = thread.arrived.use;
}

void RankPotential::start(Thread& thread, const Event& event, const CallTraits& call, bool receives,
                          Side side) {
  if (event.request == 0 && side != Side::one_sided) return;
  const Site& site = site_of(event, call, receives, side);
  OpenOperation one{.site = site, .side = side, .thread = thread.number, .computed_s = thread.computed_s};
  one.cost_s = count(*site.sums, side, event);
  one.begin_s = event.end_s();
  one.size_bytes = event.size_bytes;
  ++site.sums->nonblocking;
  site.sums->starting_s += event.duration_s;
  if (side == Side::send) {
    one.sender = &leave(event, call.name, one.cost_s);
    one.touched = expect(event.request, site, side, one.computed_s, one.cost_s, 0);
    send(thread, event, one.touched.get());
  }
  if (event.request != 0) {
    open_[event.request].push_back(std::move(one));
  } else {
    one.number = next_++;
    accesses_[event.context][event.peer].push_back(std::move(one));
  }
}

RankPotential::TouchedMessage RankPotential::expect(std::uint32_t request, const Site& site, Side side,
                                                    double computed_s, double cost_s, double window_s) {
  if (!options_.watched || request == 0 || (side != Side::send && side != Side::receive)) return nullptr;
  auto message = std::make_shared<Touched>(Touched{site.sums, computed_s, cost_s, window_s, {}, {}, {}});
  (side == Side::send ? produced_ : consumed_).add(request, message);
  return message;
}

/// Remembers when data was sent; `message` may be null.
void RankPotential::send(Thread& thread, const Event& event, Touched* message) {
  if (message == nullptr) return;
  double& last_s = last_sends_[{event.site, event.context, event.peer, event.tag}];
  message->since_s = std::exchange(last_s, thread.computed_s);
}

void RankPotential::touch(Thread& thread, const Event& event) {
  const bool produces = event.call == record::produced;
  Waiting& messages = produces ? produced_ : consumed_;
  Touched* message = messages.find(event.request);
  if (message == nullptr) return;
  if (event.begin_s > 0) {
    const double other_s = static_cast<double>(event.extra) * ns;
    const PartTouched part{event.count, thread.past.at(event.begin_s), thread.past.at(other_s)};
    message->parts.push_back(part);
    // As if independent work came first, where the data was followed. A part moves as a whole.
    if (event.duration_s > 0) {
      const double later_s = event.duration_s - event.begin_s;
      message->reordered.push_back(
          {event.count, thread.past.at(event.duration_s), thread.past.at(other_s + later_s)});
    } else {
      message->reordered.push_back(part);
    }
    const double first_s = produces ? other_s : event.begin_s;
    message->first_s = std::min(message->first_s.value_or(first_s), first_s);
  }
  if (std::int64_t{event.count} + 1 == event.tag) {
    count_data(thread, *message, produces, event.tag);
    messages.remove(event.request);
  }
}

/// The parts that were stored to for this message. The others went with the one before, too: at least one
/// part is left.
std::vector<PartTouched> RankPotential::fresh(const std::vector<PartTouched>& parts, double since_s) {
  std::vector<PartTouched> found;
  std::ranges::copy_if(parts, std::back_inserter(found),
                       [&](const PartTouched& part) { return part.time_s >= since_s; });
  if (!found.empty() || parts.empty()) return found;
  return {*std::ranges::max_element(parts, {}, &PartTouched::time_s)};
}

void RankPotential::count_data(const Thread& thread, const Touched& message, bool produces,
                               std::int64_t parts) {
  SiteSums& site = *message.site;
  if (!message.first_s) return;
  if (message.use && !message.parts.empty()) {
    const auto first = std::ranges::min_element(message.parts, {}, &PartTouched::time_s);
    message.use->take(std::max(first->time_s - message.computed_s, 0.0));
  }
  const double phase_s = thread.past.call_before(*message.first_s);
  add_message(site.data, fresh(message.parts, message.since_s), message.computed_s, phase_s, produces, parts);
  add_message(site.reordered, fresh(message.reordered, message.since_s), message.computed_s, phase_s,
              produces, parts);
  site.data_cost_s += message.cost_s;
  site.data_window_s += message.window_s;
}

void RankPotential::complete(Thread& thread, const Event& event) {
  const auto found = open_.find(event.request);
  if (found == open_.end()) return;
  std::vector<OpenOperation> ended = std::move(found->second);
  open_.erase(found);
  if (event.count == record::cancelled || !thread.in_call) return;
  const double weight = 1 / static_cast<double>(ended.size());
  for (OpenOperation& one : ended) {
    if (event.count == record::has_source && one.side == Side::receive) resize(one, event.size_bytes);
    wait_for(thread, one);
    thread.waited.push_back({one.site.sums, one.sender, weight});
    if (one.side == Side::receive || one.side == Side::collective || one.site.fetches) {
      arrive(thread, thread.wait, one.size_bytes, one.cost_s, window_s(thread, one));
    }
    if (one.side == Side::receive) {
      const TouchedMessage message =
          expect(event.request, one.site, one.side, thread.computed_s, one.cost_s, window_s(thread, one));
      if (message) message->use = thread.arrived.use;
    }
  }
}

/// Counts the bytes that arrived in place of the size of the buffer.
void RankPotential::resize(OpenOperation& one, std::uint64_t size_bytes) const {
  const double cost_s = one.cost_s > 0 ? cost_.of(size_bytes) : 0;
  one.site.sums->size_bytes += size_bytes - one.size_bytes;
  one.site.sums->cost_s += cost_s - one.cost_s;
  one.size_bytes = size_bytes;
  one.cost_s = cost_s;
}

void RankPotential::synchronise(Thread& thread, const Event& event) {
  const auto window = accesses_.find(event.context);
  if (window == accesses_.end()) return;
  Accesses& targets = window->second;
  std::vector<OpenOperation> ended;
  if (event.traits->ends_of_one_target) {
    const auto found = targets.find(event.peer);
    if (found == targets.end()) return;
    ended = std::move(found->second);
    targets.erase(found);
  } else {
    for (auto& [target, operations] : targets) {
      std::move(operations.begin(), operations.end(), std::back_inserter(ended));
    }
    targets.clear();
    std::ranges::sort(ended, {}, &OpenOperation::number);
  }
  for (OpenOperation& one : ended) {
    wait_for(thread, one);
    Waited{one.site.sums, one.sender}.add(event.duration_s / static_cast<double>(ended.size()));
    if (one.site.fetches) arrive(thread, event, one.size_bytes, one.cost_s, window_s(thread, one));
  }
}

/// Divides the time of the last call among the requests with messages that it completed. Others, such as
/// those to MPI_PROC_NULL, have no part in it.
void RankPotential::end_wait(Thread& thread) {
  double weights = 0;
  for (const Waited& one : thread.waited) weights += one.weight;
  for (const Waited& one : thread.waited) one.add(thread.wait.duration_s * one.weight / weights);
  thread.waited.clear();
}

void RankPotential::Waited::add(double blocked_s) const {
  site->blocked_s += blocked_s;
  if (sender != nullptr) sender->blocked_s += blocked_s;
}

void RankPotential::wait_for(const Thread& thread, OpenOperation& one) {
  SiteSums& site = *one.site.sums;
  const double window = window_s(thread, one);
  // A send with known data, with its accesses before the wait.
  if (one.touched && !one.touched->parts.empty()) site.data_window_s += window;
  site.window_s += window;
  site.covered_s += std::min(window, one.cost_s);
  if (one.sender != nullptr) one.sender->add_uncovered(one.cost_s - window, 0);
  if (window <= at_once_share * one.cost_s) ++site.at_once;
}

double RankPotential::window_s(const Thread& thread, const OpenOperation& one) {
  if (one.thread == thread.number) return std::max(thread.computed_s - one.computed_s, 0.0);
  // Another thread began it: the computed time of this thread at that moment is not recorded.
  return thread.in_call ? std::max(thread.wait.begin_s - one.begin_s, 0.0) : 0.0;
}

/// Adds one operation; returns its cost. A collective has the larger of sent and received bytes. What a rank
/// sends to itself comes over no network.
double RankPotential::count(SiteSums& site, Side side, const Event& event) const {
  const bool is_call = side == Side::collective && event.traits->role != Role::started;
  const std::uint64_t size_bytes = is_call ? std::max(event.size_bytes, event.extra) : event.size_bytes;
  const bool is_message = side == Side::send || side == Side::receive;
  const bool stays = is_message && event.peer == static_cast<std::int32_t>(reader_.rank());
  const double cost_s = stays ? 0 : cost_.of(size_bytes);
  ++site.count;
  site.size_bytes += size_bytes;
  site.cost_s += cost_s;
  return cost_s;
}

/// The sums of a call at its place, or with the variable of its message.
RankPotential::Site& RankPotential::site_of(const Event& event, const CallTraits& call, bool receives,
                                            Side side) {
  const auto number = static_cast<std::uint64_t>(&call - (event.traits - event.call));
  const std::uint64_t variable = event.traits->role == Role::started ? 0 : event.count;
  const std::uint64_t place = options_.by_data ? variable : event.site;
  const auto [site, is_new] = sites_[place << 18U | number << 1U | (receives ? 1U : 0U)];
  if (is_new) {
    const std::string name = receives ? call.name + " (receives)" : call.name;
    const Place where = options_.by_data ? data_place(event) : place_of(reader_, event.site);
    site.sums = &found_.sites[{where, name}];
    if (site.sums->count == 0) site.sums->side = side;
    site.fetches = fetches(name);
  }
  return site;
}

/// The variable of a message. Starts of persistent operations do not name theirs.
Place RankPotential::data_place(const Event& event) const {
  const auto& variables = reader_.definitions().variables;
  const std::uint32_t number = event.traits->role == Role::started ? 0 : event.count;
  const auto found = variables.find(static_cast<std::int32_t>(number));
  const char* prefix = nullptr;
  if (found != variables.end()) {
    const std::uint32_t known = found->second.known;
    if (known == record::by_symbol) prefix = "variable:";
    if (known == record::by_allocation) prefix = "allocation:";
    if (known == record::on_a_stack) prefix = "stack:";
  }
  if (prefix == nullptr) return {"unknown:", 0};
  return {prefix + found->second.place.module, found->second.place.address};
}

}  // namespace stretto::analysis
