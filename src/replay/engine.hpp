// SPDX-License-Identifier: BSD-3-Clause
// The event engine: messages between ranks over LogGP network cards, in the order of virtual time. Knows
// neither MPI nor what a rank does: the caller starts messages, and its listener receives their ends.
#pragma once

#include <cstdint>
#include <vector>

#include "network/event_heap.hpp"
#include "network/loggp.hpp"

namespace stretto::replay {

struct Event {
  double time_s = 0;
  std::uint64_t order = 0;  ///< ties in time are taken in this order; unique, so that every run is the same
  std::uint32_t kind = 0;
  std::uint32_t subject = 0;

  [[nodiscard]] bool before(const Event& other) const {
    return time_s < other.time_s || (time_s == other.time_s && order < other.order);
  }
};

/// A slot that is used again once its message is over and release()d.
using MessageId = std::uint32_t;

/// How the two sides agree:
/// eager: the bytes leave at once. rendezvous: a request reaches the receiver, an answer comes back once it
/// has granted, then the bytes leave. put: as eager, acknowledged. get: a request, then the bytes.
enum class Protocol : std::uint8_t { eager, rendezvous, put, get };

struct Message {
  Protocol protocol = Protocol::eager;
  int origin = 0;  ///< the rank that started it, and that drives the rest in its calls
  int from = 0;    ///< the rank that sends the bytes
  int to = 0;      ///< the rank that receives them
  double latency_s = 0;
  double control_latency_s = 0;  ///< of the rendezvous' request and answer
  double gap_s = 0;
  double wire_s = 0;  ///< (s - 1) G
};

/// Receives what the engine computes. `done_s` and `ready_s` are never before now_s(), but may be after it.
class Listener {
 public:
  Listener() = default;
  Listener(const Listener&) = delete;
  Listener& operator=(const Listener&) = delete;
  virtual ~Listener() = default;

  /// When the message is over for its origin: bytes all gone (eager, rendezvous), acknowledgement back
  /// (put), bytes all here (get).
  virtual void completed(MessageId id, double done_s) = 0;
  /// When the last byte is in the memory of `to`.
  virtual void arrived(MessageId id, double ready_s) = 0;
  /// A message from or to `rank` is moving now where none was (or the other way round). Only when watched.
  virtual void traffic_changed(int rank, bool moving) = 0;
};

class Engine {
 public:
  /// What run_next() did.
  enum class Outcome : std::uint8_t { idle, message, wake };

  /// Of a message's time on the wire `overlap` (0 to 1) passes by itself, the rest once its origin is in a
  /// call. `watch_traffic`: tell the listener about traffic, too (costs an event a message).
  Engine(int ranks, double overlap, bool watch_traffic, Listener& listener);

  [[nodiscard]] double now_s() const { return now_s_; }

  // -- messages: all at now_s() --

  /// The origin's processor is done with it. The caller release()s it when it needs the id no more.
  [[nodiscard]] MessageId submit(const Message& message);
  [[nodiscard]] const Message& message(MessageId id) const { return flights_[id].message; }
  /// The receiver of a rendezvous expects it.
  void grant(MessageId id);
  void release(MessageId id);

  /// `rank` is in a call that stays until its messages are over: they are driven as they come.
  void enter_call(int rank);
  void leave_call(int rank) { ports_[static_cast<std::size_t>(rank)].in_call = false; }
  /// A call that returns at once: drives what has come to the end of what goes on by itself.
  void poll(int rank);

  // -- time --

  /// An event that run_next() reports: of `rank`, at `time_s`. `stamp` comes back.
  void wake_at(int rank, double time_s, std::uint32_t stamp);
  /// Moves now_s() to `time_s` for `rank` if no event has to come before; messages' events on the way are
  /// run. False: another rank wakes first.
  [[nodiscard]] bool try_advance(int rank, double time_s);
  /// Handles the earliest event. After `wake`, woken_rank() and woken_stamp() name it.
  Outcome run_next();
  [[nodiscard]] int woken_rank() const { return woken_rank_; }
  [[nodiscard]] std::uint32_t woken_stamp() const { return woken_stamp_; }

 private:
  enum Kind : std::uint32_t { wake, request, answer, stall, last_byte, over };

  struct Flight {
    Message message;
    double alone_until_s = 0;  // when the part that goes on by itself ends
    std::uint8_t holders = 0;  // the engine and the caller
    bool granted = false;
    bool requested = false;
    bool moving = false;
    bool driven = false;
  };

  struct Port {
    network::NetworkCard card;
    bool in_call = false;
    int moving = 0;                   // messages from and to here that are moving
    std::vector<MessageId> undriven;  // started here, and waiting for a call
  };

  Port& port(int rank) { return ports_[static_cast<std::size_t>(rank)]; }
  void push(Kind kind, double time_s, int rank, std::uint32_t subject);
  void run(const Event& event);
  void reached(MessageId id);
  void take(MessageId id);
  void drive(MessageId id);
  void launch(MessageId id, double last_byte_leaves_s);
  void land(MessageId id);
  void set_moving(MessageId id, bool moving);
  void count_moving(int rank, int change);

  std::vector<Port> ports_;
  std::vector<Flight> flights_;
  std::vector<MessageId> spare_;
  network::EventHeap<Event> queue_;
  Listener& listener_;
  double overlap_;
  double now_s_ = 0;
  std::uint64_t pushed_ = 0;
  std::uint32_t woken_stamp_ = 0;
  int woken_rank_ = -1;
  bool watch_traffic_;
};

}  // namespace stretto::replay
