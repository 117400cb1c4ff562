// SPDX-License-Identifier: BSD-3-Clause
// The path of a message in a replay: out of the sender's card, into the receiver's card, to the matching
// receive. replay.cpp decides which rank runs, and which operations wait.
#include <algorithm>
#include <cmath>
#include <limits>

#include "replay/replay.hpp"

namespace stretto::replay {
namespace {

/// What so short a time separates counts as of the same call, as a fraction of the time of a full buffer. A
/// call sends its own requests before data, but the model may begin with the data. Calls that begin
/// operations one after another read nothing: what came before them is read in the wait behind them.
constexpr double same_call = 1.0 / 64;

double bytes_after_first(double size_bytes) { return size_bytes > 1 ? size_bytes - 1 : 0; }

}  // namespace

network::LogGp Replayer::loggp_of(const Step& message) const {
  return only_range_ != nullptr ? *only_range_
                                : network_->parameters(static_cast<std::uint64_t>(message.amount));
}

double Replayer::latency_s(const network::LogGp& loggp, std::uint32_t other) const {
  if (other == rank_) return 0;
  const std::uint32_t together = network_->node_ranks;
  if (together != 0 && other / together == rank_ / together) return network_->node_latency_s;
  return loggp.latency_s;
}

void Replayer::begin_send(OperationId id, double now_s) {
  const Step& step = steps_[id];
  if (is_of_card(step)) {
    started(id, now_s);
    inject_eager(id, now_s);
    return;
  }
  const network::LogGp loggp = loggp_of(step);
  const double busy_s = loggp.overhead_send_s + bytes_after_first(step.amount) * overhead_s_per_byte_;
  // A reply leaves in the call or poll that took its request.
  const bool replies = step.one_sided && step.background;
  const double begin_s = replies ? std::max(now_s, cpu_[step.cpu]) : processor_s(step, now_s);
  const double end_s = begin_s + busy_s;
  cpu_[step.cpu] = end_s;
  started(id, begin_s);
  if (is_rendezvous(id)) {
    const double leaves_s = request_leaves_s(step, end_s);
    push(step.peer, arrival, in_order(id, leaves_s + latency_s(loggp, step.peer)), id);
  } else {
    inject_eager(id, end_s);
  }
}

/// The send is over once the card has buffered the message. A long one that needs no handshake is not
/// buffered.
void Replayer::inject_eager(OperationId id, double ready_s) {
  if (!eager_may_stall_ && !leaves_in_turn(id)) {
    const double left_s = inject(id, ready_s, arrival);
    ended(id, is_long(id) ? left_s : ready_s);
  } else if (stalls_.empty() || steps_[id].to_self) {
    const double left_s = inject(id, ready_s, arrival);
    ended(id, std::max(ready_s, left_s - handed_over_s_));
  } else {
    inject_inside_calls(id, ready_s);
  }
}

/// Whether one-sided data leaves as that of a rendezvous, and so does what follows it: nothing overtakes it.
bool Replayer::leaves_in_turn(OperationId id) {
  return inside_calls_ && steps_[id].one_sided && (is_long(id) || leaving_with(id).first != no_operation);
}

/// Takes the sender's card for the bytes as soon as it is free. A message to the own rank needs no card.
/// Returns when the last byte leaves.
double Replayer::take_out(const Step& step, const network::LogGp& loggp, double ready_s) {
  if (step.to_self) return ready_s;
  const double wire_s = bytes_after_first(step.amount) * loggp.gap_s_per_byte;
  network::NetworkCard& card = card_[step.nic];
  if (ready_s > card.out.free_at_s) controls_[resources_.first_card[rank_] + step.nic].data_is_late = false;
  return card.take_out(ready_s, wire_s + loggp.gap_s) + wire_s;
}

/// The receiver has answered: the bytes of a rendezvous leave.
void Replayer::send_answered(OperationId id, double now_s) {
  const double go_s = progress_s(steps_[id], now_s);
  if (inside_calls_ && !steps_[id].to_self) {
    inject_inside_calls(id, go_s);
  } else {
    ended(id, inject(id, go_s, delivery));
  }
}

/// When a request leaves: one connection keeps the order of its calls, so behind an answer that an earlier
/// call has given.
double Replayer::request_leaves_s(const Step& message, double ready_s) const {
  const double leaves_s = behind_data_s(message, ready_s, Cause::call);
  const double answered_s = controls_[resources_.first_card[rank_] + message.nic].answered_s;
  return leaves_s == answered_s ? std::nextafter(leaves_s, std::numeric_limits<double>::infinity())
                                : leaves_s;
}

/// When a request or an answer of a message leaves: behind the data that was handed over to its card of this
/// rank before. MPI handles what arrives in its order: an answer that its sender gave before its request lets
/// data leave first. A late answer was sent with the next call, behind the requests of that call.
double Replayer::behind_data_s(const Step& message, double ready_s, Cause cause) const {
  if (!waits_behind_data_ || message.to_self) return ready_s;
  const network::NetworkCard& card = card_[message.nic];
  double since_s = card.out_since_s;
  bool in_order =
      cause == Cause::arrival && !controls_[resources_.first_card[rank_] + message.nic].data_is_late;
  if (const double again_s = stalls_.empty() ? 0 : stalls_[rank_].end_before(ready_s); again_s > since_s) {
    since_s = again_s;  // the next call lets data leave again
    in_order = false;
  }
  if (in_order ? since_s > ready_s : since_s >= ready_s - same_call * handed_over_s_) return ready_s;
  const double waiting_s =
      leaving_.empty() ? 0 : leaving_[resources_.first_card[rank_] + message.nic].waiting_s;
  return std::clamp(card.out.free_at_s + waiting_s, ready_s, ready_s + handed_over_s_);
}

/// Sends the bytes as soon as the card is free. The receiver's event is the arrival of the last byte.
/// Returns the time at which it has left.
double Replayer::inject(OperationId id, double ready_s, Kind kind) {
  const Step& step = steps_[id];
  const network::LogGp loggp = loggp_of(step);
  const double left_s = take_out(step, loggp, ready_s);
  const double there_s = left_s + latency_s(loggp, step.peer);
  push(step.peer, kind, kind == arrival ? in_order(id, there_s) : there_s, id);
  return left_s;
}

/// The time at which software of this rank can act on a message: the processor is in a call, or between two
/// calls.
double Replayer::progress_s(const Step& step, double now_s) const {
  return progress_s(step.background ? std::uint16_t{0} : step.cpu, now_s);
}

double Replayer::progress_s(std::uint16_t cpu, double now_s) const {
  if (network_->progress == network::ProgressModel::offload || cpu_[cpu] <= now_s) return now_s;
  if (network_->progress != network::ProgressModel::thread) return cpu_[cpu];
  return std::min(cpu_[cpu], std::ceil(now_s / network_->period_s) * network_->period_s);
}

/// The time at which the operation's processor is free for it.
double Replayer::processor_s(const Step& step, double now_s) const {
  const double free_s = std::max(now_s, cpu_[step.cpu]);
  return step.background ? progress_s(step, free_s) : free_s;
}

/// For how long a message takes the card.
double Replayer::card_time_s(OperationId id) const {
  const Step& step = steps_[id];
  const network::LogGp loggp = loggp_of(step);
  return bytes_after_first(step.amount) * loggp.gap_s_per_byte + loggp.gap_s;
}

Replayer::Leaving& Replayer::leaving_with(OperationId id) {
  return leaving_[resources_.first_card[rank_] + steps_[id].nic];
}

/// Sends the bytes only while the rank is in a call, or while bytes are left that the last call handed over.
/// Messages of one card leave one after another.
void Replayer::inject_inside_calls(OperationId id, double ready_s) {
  Leaving& leaving = leaving_with(id);
  leaves_next_[id] = no_operation;
  if (leaving.first == no_operation) {
    leaving.first = leaving.last = id;
    begin_to_leave(id, ready_s);
  } else {
    leaves_next_[leaving.last] = id;
    leaving.last = id;
    leaving.waiting_s += card_time_s(id);
  }
}

void Replayer::begin_to_leave(OperationId id, double ready_s) {
  const Step& step = steps_[id];
  leaving_with(id).stalled_before_s = stalls_[rank_].before(ready_s);
  const double left_s = take_out(step, loggp_of(step), ready_s);
  push(rank_, left, left_s, id);
  if (!is_rendezvous(id)) ended(id, std::max(ready_s, left_s - handed_over_s_));
}

void Replayer::leave(OperationId id, double now_s) {
  const Step& step = steps_[id];
  Leaving& leaving = leaving_with(id);
  const double stalled_s = stalls_[rank_].before(now_s);
  if (stalled_s > leaving.stalled_before_s) {
    const double later_s = stalled_s - leaving.stalled_before_s;
    leaving.stalled_before_s = stalled_s;
    card_[step.nic].out.free_at_s += later_s;
    push(rank_, left, now_s + later_s, id);
    return;
  }
  leaving.first = leaves_next_[id];
  if (leaving.first != no_operation) {
    leaving.waiting_s = leaving.first == leaving.last ? 0 : leaving.waiting_s - card_time_s(leaving.first);
    begin_to_leave(leaving.first, now_s);
  }
  const double there_s = now_s + latency_s(loggp_of(step), step.peer);
  if (is_rendezvous(id)) {
    push(step.peer, delivery, there_s, id);
    ended(id, now_s);
  } else {
    push(step.peer, arrival, in_order(id, there_s), id);
  }
}

/// Keeps the order of a channel: a message is seen after those sent before it. Simultaneous messages are
/// handled in the order of operations. Where that order differs, the later message is delayed by one bit.
double Replayer::in_order(OperationId id, double seen_s) {
  if (!may_overtake_) return seen_s;
  Seen& last = seen_[steps_[id].channel];
  if (seen_s <= last.time_s) {
    const double later_s = std::nextafter(last.time_s, std::numeric_limits<double>::infinity());
    seen_s = last.message < id ? last.time_s : later_s;
  }
  last = {seen_s, id};
  return seen_s;
}

/// The receiving card takes messages in the order of their last bytes, at distances of at least g + (s-1)
/// G. Returns the time at which the message is in memory.
double Replayer::take_in(OperationId id, double now_s) {
  const Step& step = steps_[id];
  if (step.to_self) return now_s;
  const network::LogGp loggp = loggp_of(step);
  network::Resource& in = card_[step.nic].in;
  const double here_s = std::max(now_s, in.free_at_s + bytes_after_first(step.amount) * loggp.gap_s_per_byte);
  in.free_at_s = here_s + loggp.gap_s;
  return here_s;
}

/// Handles the arrival of an eager message or a rendezvous request. `here_s` is the time at which the
/// matching receive may continue.
void Replayer::arrive(OperationId message, double now_s, double here_s) {
  states_[message].ready_s = here_s;
  if (is_rendezvous(message)) {  // when the call begins that reads the request; else the rank has read it
    const double read_s = progress_s(std::uint16_t{0}, now_s);
    states_[message].ready_s = read_s > now_s ? read_s : -1;
  }
  const OperationId taker =
      resources_.wild[rank_] != 0
          ? matchers_[matcher_of_[rank_]].arrive(message, rank_of(message), schedule_->tag[message])
          : meet(message, OperationKind::receive);
  if (taker != no_operation) pair(taker, message, now_s, Cause::arrival);
}

void Replayer::post(OperationId receive, double now_s) {
  const OperationId message =
      resources_.wild[rank_] != 0
          ? matchers_[matcher_of_[rank_]].post(receive, schedule_->peer[receive], schedule_->tag[receive])
          : meet(receive, OperationKind::send);
  if (message != no_operation) pair(receive, message, now_s, Cause::call);
}

/// The first waiting operation of the other kind on the channel. no_operation: none, and `id` is queued
/// there.
OperationId Replayer::meet(OperationId id, OperationKind other) {
  Channel& channel = channels_[steps_[id].channel];
  const OperationId first = channel.head;
  if (first == no_operation) {
    channel.head = channel.tail = id;
    return no_operation;
  }
  if (steps_[first].kind() != other) {
    states_[channel.tail].link = id;
    channel.tail = id;
    return no_operation;
  }
  channel.head = first == channel.tail ? no_operation : states_[first].link;
  const std::uint32_t number = steps_[id].channel;
  if (stream_ != nullptr && stream_->match(number) && may_overtake_) seen_[number] = {};
  return first;
}

void Replayer::pair(OperationId receiver, OperationId message, double now_s, Cause cause) {
  ++received_;
  states_[receiver].link = message;
  if (is_rendezvous(message)) {
    states_[message].link = receiver;
    const std::uint32_t sender = rank_of(message);
    const Step& step = steps_[message];
    const double answered_s = progress_s(steps_[receiver], now_s);
    const double go_s = behind_data_s(step, answered_s, cause);
    // What is there and not read yet is read behind the requests of the call.
    const bool is_late = cause == Cause::arrival
                             ? answered_s > now_s
                             : states_[message].ready_s >= now_s - same_call * handed_over_s_;
    if (!is_late && cause == Cause::call && waits_behind_data_) {
      controls_[resources_.first_card[rank_] + step.nic].answered_s = go_s;
    }
    push(sender, is_late ? late_answer : answer, go_s + latency_s(loggp_of(step), sender), message);
  } else {
    receive_from(receiver, now_s, states_[message].ready_s);
  }
}

/// The message of receive `id` is available from `here_s` on.
void Replayer::receive_from(OperationId id, double now_s, double here_s) {
  if (here_s > now_s) {
    push(rank_, complete, here_s, id);
  } else {
    receive(id, now_s);
  }
}

/// The processor completes a receive after its message has arrived.
void Replayer::receive(OperationId id, double now_s) {
  const Step& step = steps_[id];
  if (is_of_card(step)) {
    ended(id, now_s);
    return;
  }
  const OperationId sent = states_[id].link;
  const Step& message = steps_[sent];
  const double busy_s =
      loggp_of(message).overhead_receive_s + bytes_after_first(message.amount) * overhead_s_per_byte_;
  cpu_[step.cpu] = processor_s(step, now_s) + busy_s;
  if (stream_ != nullptr) stream_->received(sent);
  ended(id, cpu_[step.cpu]);
}

}  // namespace stretto::replay
