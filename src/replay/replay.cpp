// SPDX-License-Identifier: BSD-3-Clause
// Every rank has its own small queue. A message takes at least `lookahead` to be seen by another rank, so
// the rank with the earliest event may run on, alone and from its own cache lines, until the next rank's
// earliest event could reach it. The order of a rank's own events decides all; that of two ranks nothing.
#include "replay/replay.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace stretto::replay {
namespace {

double bytes_after_first(double size_bytes) { return size_bytes > 1 ? size_bytes - 1 : 0; }

}  // namespace

ReplayResult Replayer::run(const Network& network) {
  set_network(network);
  reset();
  for (std::uint32_t rank = 0; rank < schedule_.ranks(); ++rank) start_rank(rank);
  while (!turns_.empty()) {
    const RankQueue::Turn turn = turns_.begin_turn();
    // Others' events, or what they answer to ours. A little less: the sums that make an arrival may round.
    const double next_s = std::min(turn.next_s, turn.time_s + lookahead_s_);
    run_rank(turn.rank, (next_s + lookahead_s_) * (1 - 8 * std::numeric_limits<double>::epsilon()));
    if (queues_[turn.rank].empty()) {
      turns_.end_turn();
    } else {
      turns_.end_turn(queues_[turn.rank].top().time_s);
    }
  }
  if (ended_ != schedule_.operations()) throw stuck();
  return {.makespan_s = *std::max_element(ends_.begin(), ends_.end()),
          .operations = schedule_.operations(),
          .messages = messages_,
          .unreceived = messages_ - received_};
}

const LogGp& Replayer::loggp_of(const Step& message) const {
  return only_range_ != nullptr ? *only_range_
                                : network_->parameters(static_cast<std::uint64_t>(message.amount));
}

double Replayer::latency_s(const LogGp& loggp, std::uint32_t other) const {
  const std::uint32_t together = network_->node_ranks;
  if (together != 0 && other / together == rank_ / together) return network_->node_latency_s;
  return loggp.latency_s;
}

void Replayer::enter(std::uint32_t rank) {
  rank_ = rank;
  cpu_ = &cpus_[wiring_.first_cpu[rank]];
  card_ = &cards_[wiring_.first_card[rank]];
  end_s_ = ends_[rank];
}

/// What waits for nothing begins at once, in the schedule's order and before everything else.
void Replayer::start_rank(std::uint32_t rank) {
  enter(rank);
  for (OperationId id = schedule_.first_operation[rank]; id < schedule_.first_operation[rank + 1]; ++id) {
    if (schedule_.dependencies[id] == 0) begin_operation(id, 0);
  }
  ends_[rank] = end_s_;
  if (!queues_[rank].empty()) turns_.put(rank, queues_[rank].top().time_s);
}

void Replayer::run_rank(std::uint32_t rank, double until_s) {
  enter(rank);
  EventHeap<LocalEvent>& queue = queues_[rank];
  do {
    const LocalEvent event = queue.top();
    queue.pop();
    handle(event);
  } while (!queue.empty() && queue.top().time_s < until_s);
  ends_[rank] = end_s_;
}

void Replayer::push(std::uint32_t rank, Kind kind, double time_s, OperationId id) {
  queues_[rank].push({time_s, (static_cast<std::uint64_t>(kind) << 32U) | id});
  if (rank != rank_) turns_.put(rank, time_s);
}

void Replayer::handle(const LocalEvent& event) {
  const auto id = static_cast<OperationId>(event.order);
  const double now_s = event.time_s;
  switch (static_cast<Kind>(event.order >> 32U)) {
    case ready:
      begin_operation(id, now_s);
      break;
    case complete:
      receive(id, now_s);
      break;
    case arrival:
      if (asks_first(id)) {
        arrive(id, now_s, now_s);
      } else {
        ++messages_;
        arrive(id, now_s, take_in(id, now_s));
      }
      break;
    case delivery: {
      ++messages_;
      const OperationId taker = states_[id].link;
      receive_from(taker, now_s, take_in(id, now_s));
      break;
    }
    case answer: {
      const double go_s = progress_s(wiring_.steps[id].cpu, now_s);
      if (network_->progress == Progress::inside_calls) {
        inject_inside_calls(id, go_s);
      } else {
        ended(id, inject(id, go_s, delivery));
      }
      break;
    }
    case left:
      leave(id, now_s);
      break;
  }
}

void Replayer::begin_operation(OperationId id, double now_s) {
  const Step& step = wiring_.steps[id];
  switch (step.kind) {
    case OperationKind::send:
      begin_send(id, now_s);
      break;
    case OperationKind::receive:
      started(id, now_s);
      post(id, now_s);
      break;
    case OperationKind::calculate: {
      double& cpu_free_s = cpu_[step.cpu];
      const double begin_s = std::max(now_s, cpu_free_s);
      cpu_free_s = begin_s + step.amount;
      if (!computing_.empty() && step.cpu == 0) {
        Computing& computing = computing_[rank_];
        computing = {computing.all_s + step.amount, step.amount, begin_s};
      }
      started(id, begin_s);
      ended(id, cpu_free_s);
      break;
    }
  }
}

void Replayer::begin_send(OperationId id, double now_s) {
  const Step& step = wiring_.steps[id];
  const LogGp& loggp = loggp_of(step);
  const double busy_s = loggp.overhead_send_s + bytes_after_first(step.amount) * overhead_s_per_byte_;
  double& cpu_free_s = cpu_[step.cpu];
  const double begin_s = std::max(now_s, cpu_free_s);
  const double end_s = begin_s + busy_s;
  cpu_free_s = end_s;
  started(id, begin_s);
  if (asks_first(id)) {
    push(step.peer, arrival, in_order(id, end_s + latency_s(loggp, step.peer)), id);
  } else {
    inject(id, end_s, arrival);
    ended(id, end_s);
  }
}

/// The bytes go out as soon as the card is free; the receiver's event is when the last of them is there.
/// Returns when it has left.
double Replayer::inject(OperationId id, double ready_s, Kind kind) {
  const Step& step = wiring_.steps[id];
  const LogGp& loggp = loggp_of(step);
  const double wire_s = bytes_after_first(step.amount) * loggp.gap_s_per_byte;
  const double left_s = card_[step.nic].out.take(ready_s, wire_s + loggp.gap_s) + wire_s;
  const double there_s = left_s + latency_s(loggp, step.peer);
  push(step.peer, kind, kind == arrival ? in_order(id, there_s) : there_s, id);
  return left_s;
}

/// When software of this rank can act on what came: the processor is in a call, or between two.
double Replayer::progress_s(std::uint8_t cpu, double now_s) const {
  if (network_->progress == Progress::offload || cpu_[cpu] <= now_s) return now_s;
  if (network_->progress != Progress::thread) return cpu_[cpu];
  return std::min(cpu_[cpu], std::ceil(now_s / network_->period_s) * network_->period_s);
}

/// The bytes go out only while the rank is in a call: what it computes meanwhile comes on top.
void Replayer::inject_inside_calls(OperationId id, double ready_s) {
  const Step& step = wiring_.steps[id];
  const LogGp& loggp = loggp_of(step);
  const double wire_s = bytes_after_first(step.amount) * loggp.gap_s_per_byte;
  const double begin_s = card_[step.nic].out.take(ready_s, wire_s + loggp.gap_s);
  computed_before_s_[id] = computing_[rank_].all_s;
  push(rank_, left, begin_s + wire_s, id);
}

void Replayer::leave(OperationId id, double now_s) {
  const Step& step = wiring_.steps[id];
  const Computing& computing = computing_[rank_];
  // What begins at this very moment came too late to hold the last byte up.
  const double computed_s = computing.all_s - (computing.last_begin_s == now_s ? computing.last_s : 0);
  const double away_s = computed_s - computed_before_s_[id];
  if (away_s > 0) {
    computed_before_s_[id] = computed_s;
    card_[step.nic].out.free_at_s += away_s;
    push(rank_, left, now_s + away_s, id);
    return;
  }
  push(step.peer, delivery, now_s + latency_s(loggp_of(step), step.peer), id);
  ended(id, now_s);
}

/// A message is seen after those that were sent before it on its channel. What is seen at the same time is
/// taken in the order of operations: where that is another one, it is seen later by the last bit.
double Replayer::in_order(OperationId id, double seen_s) {
  if (!may_overtake_) return seen_s;
  Seen& last = seen_[wiring_.steps[id].channel];
  if (seen_s <= last.time_s) {
    const double later_s = std::nextafter(last.time_s, std::numeric_limits<double>::infinity());
    seen_s = last.message < id ? last.time_s : later_s;
  }
  last = {seen_s, id};
  return seen_s;
}

/// The receiving card takes messages in the order in which their last byte comes, and no closer than
/// g + (s-1) G; returns when the message is in memory.
double Replayer::take_in(OperationId id, double now_s) {
  const Step& step = wiring_.steps[id];
  const LogGp& loggp = loggp_of(step);
  Resource& in = card_[step.nic].in;
  const double here_s = std::max(now_s, in.free_at_s + bytes_after_first(step.amount) * loggp.gap_s_per_byte);
  in.free_at_s = here_s + loggp.gap_s;
  return here_s;
}

/// Of an eager message, or the request of another: `here_s` is when the receive that takes it may go on.
void Replayer::arrive(OperationId message, double now_s, double here_s) {
  states_[message].ready_s = here_s;
  const OperationId taker =
      wiring_.wild[rank_] != 0
          ? matchers_[matcher_of_[rank_]].arrive(message, schedule_.rank_of(message), schedule_.tag[message])
          : meet(message, OperationKind::receive);
  if (taker != no_operation) pair(taker, message, now_s);
}

void Replayer::post(OperationId receive, double now_s) {
  const OperationId message =
      wiring_.wild[rank_] != 0
          ? matchers_[matcher_of_[rank_]].post(receive, schedule_.peer[receive], schedule_.tag[receive])
          : meet(receive, OperationKind::send);
  if (message != no_operation) pair(receive, message, now_s);
}

/// The first of the other kind that waits on the channel; no_operation: `id` waits there now.
OperationId Replayer::meet(OperationId id, OperationKind other) {
  Channel& channel = channels_[wiring_.steps[id].channel];
  const OperationId first = channel.head;
  if (first == no_operation) {
    channel.head = channel.tail = id;
    return no_operation;
  }
  if (wiring_.steps[first].kind != other) {
    states_[channel.tail].link = id;
    channel.tail = id;
    return no_operation;
  }
  channel.head = first == channel.tail ? no_operation : states_[first].link;
  return first;
}

void Replayer::pair(OperationId receiver, OperationId message, double now_s) {
  ++received_;
  states_[receiver].link = message;
  if (asks_first(message)) {
    states_[message].link = receiver;
    const std::uint32_t sender = schedule_.rank_of(message);
    const double go_s = progress_s(wiring_.steps[receiver].cpu, now_s);
    push(sender, answer, go_s + latency_s(loggp_of(wiring_.steps[message]), sender), message);
  } else {
    receive_from(receiver, now_s, states_[message].ready_s);
  }
}

/// The message that `id` takes is here from `here_s` on.
void Replayer::receive_from(OperationId id, double now_s, double here_s) {
  if (here_s > now_s) {
    push(rank_, complete, here_s, id);
  } else {
    receive(id, now_s);
  }
}

/// The processor completes a receive whose message is here.
void Replayer::receive(OperationId id, double now_s) {
  const Step& message = wiring_.steps[states_[id].link];
  const double busy_s =
      loggp_of(message).overhead_receive_s + bytes_after_first(message.amount) * overhead_s_per_byte_;
  double& cpu_free_s = cpu_[wiring_.steps[id].cpu];
  cpu_free_s = std::max(now_s, cpu_free_s) + busy_s;
  ended(id, cpu_free_s);
}

void Replayer::started(OperationId id, double now_s) {
  if (!wiring_.steps[id].starts) return;
  for (std::uint32_t at = wiring_.steps[id].first_dependent; at < wiring_.steps[id + 1].first_dependent;
       ++at) {
    if ((schedule_.dependents[at] & 1U) != 0) release(schedule_.dependents[at] >> 1U, now_s);
  }
}

void Replayer::ended(OperationId id, double now_s) {
  states_[id].remaining = Stuck::ended;
  ++ended_;
  end_s_ = std::max(end_s_, now_s);
  for (std::uint32_t at = wiring_.steps[id].first_dependent; at < wiring_.steps[id + 1].first_dependent;
       ++at) {
    if ((schedule_.dependents[at] & 1U) == 0) release(schedule_.dependents[at] >> 1U, now_s);
  }
}

void Replayer::release(OperationId id, double time_s) {
  State& state = states_[id];
  state.ready_s = std::max(state.ready_s, time_s);
  if (--state.remaining == 0) push(rank_, ready, state.ready_s, id);
}

}  // namespace stretto::replay
