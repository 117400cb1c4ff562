// SPDX-License-Identifier: BSD-3-Clause
#include "known_answers/traffic.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>

namespace stretto::known_answers {

using exchange::ChannelOperation;
using network::LogGp;

VirtualTraffic::VirtualTraffic(const VirtualMachine& machine, std::vector<Bursts>& bursts, Engine& engine,
                               VirtualSchedule& schedule)
    : machine_(machine),
      bursts_(bursts),
      engine_(engine),
      schedule_(schedule),
      memory_(static_cast<int>(bursts.size())),
      ranks_(bursts.size()) {}

void VirtualTraffic::return_from_call(int rank) {
  const double now_s = schedule_.now_s();
  const double end_s = bursts_[static_cast<std::size_t>(rank)].end_of(now_s, 0);
  if (end_s > now_s) schedule_.advance_to(rank, end_s);
}

void VirtualTraffic::take_processor(int rank, double begin_s, double need_s) {
  schedule_.advance_to(rank, bursts_[static_cast<std::size_t>(rank)].end_of(begin_s, need_s));
}

VirtualTraffic::Channel& VirtualTraffic::channel(int from, int to) {
  std::vector<Channel>& channels = state_of(to).from;
  if (channels.empty()) channels.resize(ranks_.size());
  return channels[static_cast<std::size_t>(from)];
}

void VirtualTraffic::check(int rank, const Transfer& transfer) const {
  if (transfer.peer < 0 || transfer.peer >= static_cast<int>(ranks_.size())) {
    throw std::out_of_range(
        fmt::format("virtual transport: rank {} names peer {} of {}", rank, transfer.peer, ranks_.size()));
  }
  for (const std::size_t place : {transfer.offset_bytes, transfer.receive_offset()}) {
    if (memory_.holds(place, transfer.size_bytes)) continue;
    throw std::out_of_range(fmt::format("virtual transport: rank {} names {} bytes at {}, reserved are {}",
                                        rank, transfer.size_bytes, place, memory_.reserved_bytes()));
  }
}

Ticket VirtualTraffic::new_ticket(int rank) {
  std::vector<double>& done_s = state_of(rank).done_s;
  done_s.push_back(std::numeric_limits<double>::infinity());
  return done_s.size() - 1;
}

Ticket VirtualTraffic::start(int rank, const Transfer& transfer) {
  check(rank, transfer);
  RankState& me = state_of(rank);
  const LogGp& parameters = machine_.parameters(transfer.size_bytes);
  const double slower = me.factors.communication;
  const double begin_s = std::max(schedule_.now_s(), me.queue_free_s);
  me.queue_free_s = begin_s + parameters.gap_queue_s * slower;
  take_processor(rank, begin_s, parameters.overhead_send_s * slower);
  const Ticket ticket = new_ticket(rank);
  post(rank, transfer, parameters, ticket);
  return ticket;
}

void VirtualTraffic::post(int rank, const Transfer& transfer, const LogGp& parameters, Ticket ticket) {
  const bool is_get = transfer.operation == ChannelOperation::get;
  const bool is_send = transfer.operation == ChannelOperation::send;
  Protocol protocol = is_get ? Protocol::get : Protocol::put;
  if (is_send) protocol = transfer.size_bytes < machine_.break_bytes ? Protocol::eager : Protocol::rendezvous;
  const Piece piece{.from = is_get ? transfer.peer : rank,
                    .to = is_get ? rank : transfer.peer,
                    .offset_bytes = transfer.offset_bytes,
                    .receive_offset_bytes = transfer.receive_offset(),
                    .size_bytes = transfer.size_bytes};
  const double slower = state_of(rank).factors.communication;
  ++state_of(rank).uncompleted;
  submitted_ = ticket;
  const MessageId id = engine_.submit({.protocol = protocol,
                                       .origin = rank,
                                       .from = piece.from,
                                       .to = piece.to,
                                       .latency_s = parameters.latency_s * slower,
                                       .control_latency_s = machine_.below.latency_s * slower,
                                       .gap_s = parameters.gap_s * slower,
                                       .wire_s = parameters.wire_s(transfer.size_bytes) * slower});
  submitted_.reset();
  if (id >= messages_.size()) messages_.resize(id + 1);
  MessageState& message = messages_[id];
  message.piece = piece;
  message.started = ticket;
  message.live = true;
  message.send = is_send;
  message.matched = message.arrived = false;
  if (!is_send) return;
  Channel& lane = channel(piece.from, piece.to);
  if (lane.expected.empty()) {
    lane.started.push(id);
  } else {
    const Expected expected = lane.expected.front();
    lane.expected.pop();
    match(id, expected);
  }
}

Ticket VirtualTraffic::expect(int rank, const Transfer& transfer) {
  check(rank, transfer);
  if (transfer.operation != ChannelOperation::send) {
    throw std::invalid_argument(
        "virtual transport: only a send can be expected; a put or get has no passive side");
  }
  ++state_of(rank).expected;
  Channel& lane = channel(transfer.peer, rank);
  const Expected expected{.size_bytes = transfer.size_bytes,
                          .offset_bytes = transfer.offset_bytes,
                          .receive_offset_bytes = transfer.receive_offset(),
                          .ticket = new_ticket(rank)};
  if (lane.started.empty()) {
    lane.expected.push(expected);
  } else {
    const MessageId id = lane.started.front();
    lane.started.pop();
    match(id, expected);
  }
  return expected.ticket;
}

void VirtualTraffic::match(MessageId id, const Expected& expected) {
  MessageState& message = messages_[id];
  const Piece& piece = message.piece;
  if (expected.size_bytes != piece.size_bytes || expected.offset_bytes != piece.offset_bytes ||
      expected.receive_offset_bytes != piece.receive_offset_bytes) {
    throw std::logic_error(fmt::format(
        "virtual transport: rank {} sends {} bytes at {} to rank {}, which expects {} bytes at {}",
        piece.from, piece.size_bytes, piece.offset_bytes, piece.to, expected.size_bytes,
        expected.offset_bytes));
  }
  message.matched = true;
  message.expected = expected.ticket;
  if (engine_.message(id).protocol == Protocol::rendezvous) engine_.grant(id);
  if (message.arrived) make_ready(id);
}

void VirtualTraffic::completed(MessageId id, double done_s) {
  const int origin = engine_.message(id).origin;
  RankState& state = state_of(origin);
  state.completed_s = std::max(state.completed_s, done_s);
  state.done_s[submitted_ ? *submitted_ : messages_[id].started] = done_s;
  if (--state.uncompleted == 0 || state.waits_for_one) schedule_.wake(origin);
}

void VirtualTraffic::arrived(MessageId id, double ready_s) {
  MessageState& message = messages_[id];
  message.arrived = true;
  message.ready_s = ready_s;
  if (!message.send) {
    close(id);
  } else if (message.matched) {
    make_ready(id);
  }
}

void VirtualTraffic::make_ready(MessageId id) {
  const MessageState& message = messages_[id];
  state_of(message.piece.to).ready.insert({.ready_s = message.ready_s, .id = id}, [&](const Ready& other) {
    return other.ready_s > message.ready_s;
  });
  schedule_.wake(message.piece.to);
}

void VirtualTraffic::finish(int rank, Ticket ticket) {
  RankState& me = state_of(rank);
  engine_.enter_call(rank);
  me.waits_for_one = true;
  while (me.done_s[ticket] > schedule_.now_s()) {
    if (std::isfinite(me.done_s[ticket])) {
      schedule_.advance_to(rank, me.done_s[ticket]);
    } else if (!me.ready.empty()) {
      const Ready first = me.ready.front();
      me.ready.pop();
      complete(rank, first);
    } else {
      schedule_.wait(rank, *this);
    }
  }
  return_from_call(rank);
  me.waits_for_one = false;
  engine_.leave_call(rank);
}

void VirtualTraffic::finish(int rank) {
  RankState& me = state_of(rank);
  engine_.enter_call(rank);
  for (;;) {
    if (!me.ready.empty()) {
      const Ready first = me.ready.front();
      me.ready.pop();
      complete(rank, first);
    } else if (me.expected > 0 || me.uncompleted > 0) {
      schedule_.wait(rank, *this);
    } else if (me.completed_s > schedule_.now_s()) {
      schedule_.advance_to(rank, me.completed_s);
    } else {
      break;
    }
  }
  return_from_call(rank);
  me.done_s.clear();
  engine_.leave_call(rank);
}

/// Processes a message that has arrived, at the cost of the receiver's processor.
void VirtualTraffic::complete(int rank, const Ready& ready) {
  const double begin_s = std::max(schedule_.now_s(), ready.ready_s);
  const LogGp& parameters = machine_.parameters(messages_[ready.id].piece.size_bytes);
  const double overhead_s = parameters.overhead_receive_s * state_of(rank).factors.communication;
  take_processor(rank, begin_s, overhead_s);
  state_of(rank).done_s[messages_[ready.id].expected] = schedule_.now_s();
  close(ready.id);
  --state_of(rank).expected;
}

/// Delivers the bytes and frees the message's slot.
void VirtualTraffic::close(MessageId id) {
  MessageState& message = messages_[id];
  memory_.deliver(message.piece, message.earlier.value_or(memory_.content(message.piece.from)));
  message.earlier.reset();
  message.live = false;
  engine_.release(id);
}

void VirtualTraffic::fill(int rank, std::uint32_t seed) {
  // Messages in flight keep the content that the rank had when they left.
  for (MessageState& message : messages_) {
    if (message.live && message.piece.from == rank && !message.earlier)
      message.earlier = memory_.content(rank);
  }
  memory_.fill(rank, seed);
}

std::string VirtualTraffic::describe_wait(int rank) const {
  const RankState& me = ranks_[static_cast<std::size_t>(rank)];
  std::string text = fmt::format("finish(): {} of its own", me.uncompleted);
  if (me.expected == 0) return text;
  text += fmt::format(" and {} expected messages", me.expected);
  for (std::size_t peer = 0; peer < me.from.size(); ++peer) {
    const std::size_t missing = me.from[peer].expected.size();
    if (missing > 0) text += fmt::format(", {} of them never started by rank {}", missing, peer);
  }
  return text;
}

}  // namespace stretto::known_answers
