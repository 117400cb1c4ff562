// SPDX-License-Identifier: BSD-3-Clause
#include "known_answers/engine.hpp"

#include <algorithm>
#include <cassert>
#include <stdexcept>

namespace stretto::known_answers {
namespace {

// The order of simultaneous events: messages before wakes (so that a woken rank finds them done), then by
// rank, then by age.
constexpr unsigned age_bits = 40;
constexpr unsigned rank_bits = 23;
constexpr std::uint64_t wake_bit = std::uint64_t{1} << (age_bits + rank_bits);

std::uint64_t order_of(bool is_wake, int rank, std::uint64_t age) {
  return (is_wake ? wake_bit : 0) | (static_cast<std::uint64_t>(rank) << age_bits) | age;
}

int rank_of(std::uint64_t order) { return static_cast<int>((order & ~wake_bit) >> age_bits); }

}  // namespace

Engine::Engine(int ranks, double overlap, bool watch_traffic, Listener& listener)
    : listener_(listener), overlap_(overlap), watch_traffic_(watch_traffic) {
  if (ranks < 1 || ranks >= (1 << rank_bits)) {
    throw std::invalid_argument("the engine needs 1 to 8388607 ranks");
  }
  ports_.resize(static_cast<std::size_t>(ranks));
}

void Engine::push(Kind kind, double time_s, int rank, std::uint32_t subject) {
  queue_.push({time_s, order_of(kind == wake, rank, pushed_++), kind, subject});
}

MessageId Engine::submit(const Message& message) {
  MessageId id = 0;
  if (spare_.empty()) {
    id = static_cast<MessageId>(flights_.size());
    flights_.emplace_back();
  } else {
    id = spare_.back();
    spare_.pop_back();
  }
  flights_[id] = {.message = message, .holders = 2};
  set_moving(id, true);
  switch (message.protocol) {
    case Protocol::eager:
    case Protocol::put:
      take(id);
      break;
    case Protocol::rendezvous:
      push(request, now_s_ + message.control_latency_s, message.to, id);
      break;
    case Protocol::get:
      push(request, now_s_ + message.latency_s, message.from, id);
      break;
  }
  return id;
}

void Engine::grant(MessageId id) {
  Flight& flight = flights_[id];
  if (flight.granted) return;
  flight.granted = true;
  if (!flight.requested) return;
  set_moving(id, true);
  push(answer, now_s_ + flight.message.control_latency_s, flight.message.from, id);
}

void Engine::release(MessageId id) {
  assert(flights_[id].holders > 0);
  if (--flights_[id].holders == 0) spare_.push_back(id);
}

void Engine::enter_call(int rank) {
  Port& here = port(rank);
  here.in_call = true;
  for (const MessageId id : here.undriven) drive(id);
  here.undriven.clear();
}

void Engine::poll(int rank) {
  std::vector<MessageId>& undriven = port(rank).undriven;
  const auto due = [this](MessageId id) { return flights_[id].alone_until_s <= now_s_; };
  for (const MessageId id : undriven) {
    if (due(id)) drive(id);
  }
  undriven.erase(std::remove_if(undriven.begin(), undriven.end(), due), undriven.end());
}

void Engine::wake_at(int rank, double time_s, std::uint32_t stamp) { push(wake, time_s, rank, stamp); }

bool Engine::try_advance(int rank, double time_s) {
  const Event mine{.time_s = time_s, .order = order_of(true, rank, pushed_)};
  while (!queue_.empty() && queue_.top().before(mine)) {
    const Event event = queue_.top();
    if (event.kind == wake) return false;
    queue_.pop();
    now_s_ = event.time_s;
    run(event);
  }
  now_s_ = time_s;
  return true;
}

Engine::Outcome Engine::run_next() {
  if (queue_.empty()) return Outcome::idle;
  const Event event = queue_.top();
  queue_.pop();
  now_s_ = event.time_s;
  if (event.kind != wake) {
    run(event);
    return Outcome::message;
  }
  woken_rank_ = rank_of(event.order);
  woken_stamp_ = event.subject;
  return Outcome::wake;
}

void Engine::run(const Event& event) {
  const MessageId id = event.subject;
  switch (static_cast<Kind>(event.kind)) {
    case request:
      reached(id);
      break;
    case answer:
      take(id);
      break;
    case stall:
      if (!flights_[id].driven) set_moving(id, false);
      release(id);
      break;
    case last_byte:
      receive_last_byte(id);
      break;
    case over:
      set_moving(id, false);
      release(id);
      break;
    case wake:
      break;  // does not occur: run_next() reports it
  }
}

/// The request of a rendezvous or a get has arrived.
void Engine::reached(MessageId id) {
  Flight& flight = flights_[id];
  if (flight.message.protocol == Protocol::get) {
    take(id);
    return;
  }
  flight.requested = true;
  if (flight.granted) {
    push(answer, now_s_ + flight.message.control_latency_s, flight.message.from, id);
  } else {
    set_moving(id, false);
  }
}

/// The sending card takes the bytes: all of them if the origin is in a call, else the part that passes
/// without calls.
void Engine::take(MessageId id) {
  Flight& flight = flights_[id];
  const Message& message = flight.message;
  network::Resource& out = port(message.from).card.out;
  Port& driver = port(message.origin);
  if (overlap_ >= 1 || message.wire_s == 0 || driver.in_call) {
    launch(id, out.take(now_s_, message.wire_s + message.gap_s) + message.wire_s);
    return;
  }
  const double alone_s = overlap_ * message.wire_s;
  flight.alone_until_s = out.take(now_s_, alone_s) + alone_s;
  driver.undriven.push_back(id);
  if (watch_traffic_) {
    ++flight.holders;  // held by the event, because the message may be complete before it
    push(stall, flight.alone_until_s, message.from, id);
  }
}

/// Sends the rest of the bytes. Between the two parts the card serves other messages; g is paid once, after
/// the rest.
void Engine::drive(MessageId id) {
  Flight& flight = flights_[id];
  const Message& message = flight.message;
  const double rest_s = (1 - overlap_) * message.wire_s;
  flight.driven = true;
  set_moving(id, true);
  const double ready_s = std::max(now_s_, flight.alone_until_s);
  launch(id, port(message.from).card.out.take(ready_s, rest_s + message.gap_s) + rest_s);
}

void Engine::launch(MessageId id, double last_byte_leaves_s) {
  const Message& message = flights_[id].message;
  push(last_byte, last_byte_leaves_s + message.latency_s, message.to, id);
  if (message.protocol == Protocol::eager || message.protocol == Protocol::rendezvous) {
    listener_.completed(id, last_byte_leaves_s);
  }
}

/// The last byte is at the receiving card. The card takes messages in this order, at distances of at least
/// g + (s-1) G.
void Engine::receive_last_byte(MessageId id) {
  const Message message = flights_[id].message;
  network::Resource& in = port(message.to).card.in;
  const double done_s = std::max(now_s_, in.free_at_s + message.wire_s);
  in.free_at_s = done_s + message.gap_s;
  const bool acknowledged = message.protocol == Protocol::put;
  const double over_s = acknowledged ? done_s + message.latency_s : done_s;
  if (watch_traffic_) push(over, over_s, message.to, id);
  if (acknowledged || message.protocol == Protocol::get) listener_.completed(id, over_s);
  listener_.arrived(id, done_s);
  if (!watch_traffic_) release(id);
}

void Engine::set_moving(MessageId id, bool moving) {
  if (!watch_traffic_ || flights_[id].moving == moving) return;
  flights_[id].moving = moving;
  count_moving(flights_[id].message.from, moving ? 1 : -1);
  count_moving(flights_[id].message.to, moving ? 1 : -1);
}

void Engine::count_moving(int rank, int change) {
  int& moving = port(rank).moving;
  const bool before = moving > 0;
  moving += change;
  if ((moving > 0) != before) listener_.traffic_changed(rank, moving > 0);
}

}  // namespace stretto::known_answers
