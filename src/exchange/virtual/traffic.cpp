// SPDX-License-Identifier: BSD-3-Clause
#include "exchange/virtual/traffic.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>

namespace stretto::exchange {

using network::LogGp;
using replay::MessageId;
using replay::Protocol;

VirtualTraffic::VirtualTraffic(const VirtualMachine& machine, std::vector<Bursts>& bursts,
                               replay::Engine& engine, VirtualSchedule& schedule)
    : machine_(machine),
      bursts_(bursts),
      engine_(engine),
      schedule_(schedule),
      memory_(static_cast<int>(bursts.size())),
      parties_(bursts.size()) {}

void VirtualTraffic::return_from_call(int rank) {
  const double now_s = schedule_.now_s();
  const double end_s = bursts_[static_cast<std::size_t>(rank)].end_of(now_s, 0);
  if (end_s > now_s) schedule_.advance_to(rank, end_s);
}

void VirtualTraffic::take_processor(int rank, double begin_s, double need_s) {
  schedule_.advance_to(rank, bursts_[static_cast<std::size_t>(rank)].end_of(begin_s, need_s));
}

VirtualTraffic::Channel& VirtualTraffic::channel(int from, int to) {
  std::vector<Channel>& channels = party(to).from;
  if (channels.empty()) channels.resize(parties_.size());
  return channels[static_cast<std::size_t>(from)];
}

void VirtualTraffic::check(int rank, const Transfer& transfer) const {
  if (transfer.peer < 0 || transfer.peer >= static_cast<int>(parties_.size())) {
    throw std::out_of_range(
        fmt::format("virtual transport: rank {} names peer {} of {}", rank, transfer.peer, parties_.size()));
  }
  for (const std::size_t place : {transfer.offset_bytes, transfer.receive_offset()}) {
    if (memory_.holds(place, transfer.size_bytes)) continue;
    throw std::out_of_range(fmt::format("virtual transport: rank {} names {} bytes at {}, reserved are {}",
                                        rank, transfer.size_bytes, place, memory_.reserved_bytes()));
  }
}

Ticket VirtualTraffic::new_ticket(int rank) {
  std::vector<double>& done_s = party(rank).done_s;
  done_s.push_back(std::numeric_limits<double>::infinity());
  return done_s.size() - 1;
}

Ticket VirtualTraffic::start(int rank, const Transfer& transfer) {
  check(rank, transfer);
  Party& me = party(rank);
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
  const bool is_get = transfer.operation == Operation::get;
  const bool is_send = transfer.operation == Operation::send;
  Protocol protocol = is_get ? Protocol::get : Protocol::put;
  if (is_send) protocol = transfer.size_bytes < machine_.break_bytes ? Protocol::eager : Protocol::rendezvous;
  const Piece piece{.from = is_get ? transfer.peer : rank,
                    .to = is_get ? rank : transfer.peer,
                    .offset_bytes = transfer.offset_bytes,
                    .receive_offset_bytes = transfer.receive_offset(),
                    .size_bytes = transfer.size_bytes};
  const double slower = party(rank).factors.communication;
  ++party(rank).unsettled;
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
  if (id >= parcels_.size()) parcels_.resize(id + 1);
  Parcel& parcel = parcels_[id];
  parcel.piece = piece;
  parcel.started = ticket;
  parcel.live = true;
  parcel.send = is_send;
  parcel.matched = parcel.arrived = false;
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
  if (transfer.operation != Operation::send) {
    throw std::invalid_argument(
        "virtual transport: only a send can be expected; a put or get has no passive side");
  }
  ++party(rank).expected;
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
  Parcel& parcel = parcels_[id];
  const Piece& piece = parcel.piece;
  if (expected.size_bytes != piece.size_bytes || expected.offset_bytes != piece.offset_bytes ||
      expected.receive_offset_bytes != piece.receive_offset_bytes) {
    throw std::logic_error(fmt::format(
        "virtual transport: rank {} sends {} bytes at {} to rank {}, which expects {} bytes at {}",
        piece.from, piece.size_bytes, piece.offset_bytes, piece.to, expected.size_bytes,
        expected.offset_bytes));
  }
  parcel.matched = true;
  parcel.expected = expected.ticket;
  if (engine_.message(id).protocol == Protocol::rendezvous) engine_.grant(id);
  if (parcel.arrived) make_ready(id);
}

void VirtualTraffic::completed(MessageId id, double done_s) {
  const int origin = engine_.message(id).origin;
  Party& party = this->party(origin);
  party.completed_s = std::max(party.completed_s, done_s);
  party.done_s[submitted_ ? *submitted_ : parcels_[id].started] = done_s;
  if (--party.unsettled == 0 || party.waits_for_one) schedule_.wake(origin);
}

void VirtualTraffic::arrived(MessageId id, double ready_s) {
  Parcel& parcel = parcels_[id];
  parcel.arrived = true;
  parcel.ready_s = ready_s;
  if (!parcel.send) {
    close(id);
  } else if (parcel.matched) {
    make_ready(id);
  }
}

void VirtualTraffic::make_ready(MessageId id) {
  const Parcel& parcel = parcels_[id];
  party(parcel.piece.to).ready.insert({.ready_s = parcel.ready_s, .id = id}, [&](const Ready& other) {
    return other.ready_s > parcel.ready_s;
  });
  schedule_.wake(parcel.piece.to);
}

void VirtualTraffic::finish(int rank, Ticket ticket) {
  Party& me = party(rank);
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
  Party& me = party(rank);
  engine_.enter_call(rank);
  for (;;) {
    if (!me.ready.empty()) {
      const Ready first = me.ready.front();
      me.ready.pop();
      complete(rank, first);
    } else if (me.expected > 0 || me.unsettled > 0) {
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
  const LogGp& parameters = machine_.parameters(parcels_[ready.id].piece.size_bytes);
  const double overhead_s = parameters.overhead_receive_s * party(rank).factors.communication;
  take_processor(rank, begin_s, overhead_s);
  party(rank).done_s[parcels_[ready.id].expected] = schedule_.now_s();
  close(ready.id);
  --party(rank).expected;
}

/// Delivers the bytes and frees the message's slot.
void VirtualTraffic::close(MessageId id) {
  Parcel& parcel = parcels_[id];
  memory_.deliver(parcel.piece, parcel.earlier.value_or(memory_.content(parcel.piece.from)));
  parcel.earlier.reset();
  parcel.live = false;
  engine_.release(id);
}

void VirtualTraffic::fill(int rank, std::uint32_t seed) {
  // Messages in flight keep the content that the rank had when they left.
  for (Parcel& parcel : parcels_) {
    if (parcel.live && parcel.piece.from == rank && !parcel.earlier) parcel.earlier = memory_.content(rank);
  }
  memory_.fill(rank, seed);
}

std::string VirtualTraffic::describe_wait(int rank) const {
  const Party& me = parties_[static_cast<std::size_t>(rank)];
  std::string text = fmt::format("finish(): {} of its own", me.unsettled);
  if (me.expected == 0) return text;
  text += fmt::format(" and {} expected messages", me.expected);
  for (std::size_t peer = 0; peer < me.from.size(); ++peer) {
    const std::size_t missing = me.from[peer].expected.size();
    if (missing > 0) text += fmt::format(", {} of them never started by rank {}", missing, peer);
  }
  return text;
}

}  // namespace stretto::exchange
