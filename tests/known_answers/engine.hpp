// SPDX-License-Identifier: BSD-3-Clause
// The event engine: messages between ranks over LogGP network cards, in the order of virtual time. It knows
// neither MPI nor the programs of ranks: the caller starts messages, and its listener receives their
// completion.
#pragma once

#include <cstdint>
#include <vector>

#include "network/event_heap.hpp"
#include "network/loggp.hpp"

namespace stretto::known_answers {

struct Event {
  double time_s = 0;
  std::uint64_t order = 0;  ///< order of simultaneous events; unique, so that runs are deterministic
  std::uint32_t kind = 0;
  std::uint32_t subject = 0;

  [[nodiscard]] bool before(const Event& other) const {
    return time_s < other.time_s || (time_s == other.time_s && order < other.order);
  }
};

/// The slot of a message. It is reused once the message is complete and release()d.
using MessageId = std::uint32_t;

/// The protocol of a message. eager: the bytes leave at once. rendezvous: a request reaches the receiver,
/// an answer returns once it has granted, then the bytes leave. put: as eager, acknowledged. get: a
/// request, then the bytes.
enum class Protocol : std::uint8_t { eager, rendezvous, put, get };

struct Message {
  Protocol protocol = Protocol::eager;
  int origin = 0;  ///< the rank that started it, and that drives the rest during its calls
  int from = 0;    ///< the rank that sends the bytes
  int to = 0;      ///< the rank that receives them
  double latency_s = 0;
  double control_latency_s = 0;  ///< of the request and answer of a rendezvous
  double gap_s = 0;
  double wire_s = 0;  ///< (s - 1) G
};

/// Receives the results of the engine. `done_s` and `ready_s` are at or after now_s().
class Listener {
 public:
  Listener() = default;
  Listener(const Listener&) = delete;
  Listener& operator=(const Listener&) = delete;
  virtual ~Listener() = default;

  /// The message is complete at its origin: all bytes have left (eager, rendezvous), the acknowledgement is
  /// back (put), or all bytes have arrived (get).
  virtual void completed(MessageId id, double done_s) = 0;
  /// The last byte is in the memory of `to`.
  virtual void arrived(MessageId id, double ready_s) = 0;
  /// Called when `rank` changes between no message in flight from or to it and some. Only with
  /// `watch_traffic`.
  virtual void traffic_changed(int rank, bool moving) = 0;
};

class Engine {
 public:
  /// The result of run_next().
  enum class Outcome : std::uint8_t { idle, message, wake };

  /// The fraction `overlap` (0 to 1) of a message's wire time passes without calls, the rest while its
  /// origin is in a call. `watch_traffic`: call traffic_changed(), which costs an event per message.
  Engine(int ranks, double overlap, bool watch_traffic, Listener& listener);

  [[nodiscard]] double now_s() const { return now_s_; }

  // -- messages: all at now_s() --

  /// Starts a message; the overhead of the origin's processor has already passed. The caller must release()
  /// the id.
  [[nodiscard]] MessageId submit(const Message& message);
  [[nodiscard]] const Message& message(MessageId id) const { return flights_[id].message; }
  /// The receiver of a rendezvous has posted its receive.
  void grant(MessageId id);
  void release(MessageId id);

  /// `rank` enters a call that lasts until its messages are complete; it drives them as they arrive.
  void enter_call(int rank);
  void leave_call(int rank) { ports_[static_cast<std::size_t>(rank)].in_call = false; }
  /// A call that returns at once: drives the messages the unattended part of which has passed.
  void poll(int rank);

  // -- time --

  /// Schedules an event of `rank` at `time_s`, which run_next() reports together with `stamp`.
  void wake_at(int rank, double time_s, std::uint32_t stamp);
  /// Moves now_s() to `time_s` for `rank`, and runs the message events before it. Returns false if another
  /// rank wakes first.
  [[nodiscard]] bool try_advance(int rank, double time_s);
  /// Handles the earliest event. After Outcome::wake, woken_rank() and woken_stamp() identify the rank.
  Outcome run_next();
  [[nodiscard]] int woken_rank() const { return woken_rank_; }
  [[nodiscard]] std::uint32_t woken_stamp() const { return woken_stamp_; }

 private:
  enum Kind : std::uint32_t { wake, request, answer, stall, last_byte, over };

  struct Flight {
    Message message;
    double alone_until_s = 0;  // end of the part that passes without calls
    std::uint8_t holders = 0;  // references: the engine's and the caller's
    bool granted = false;
    bool requested = false;
    bool moving = false;
    bool driven = false;
  };

  struct Port {
    network::NetworkCard card;
    bool in_call = false;
    int moving = 0;                   // messages from and to this rank that are moving
    std::vector<MessageId> undriven;  // started by this rank, and waiting for a call
  };

  Port& port(int rank) { return ports_[static_cast<std::size_t>(rank)]; }
  void push(Kind kind, double time_s, int rank, std::uint32_t subject);
  void run(const Event& event);
  void reached(MessageId id);
  void take(MessageId id);
  void drive(MessageId id);
  void launch(MessageId id, double last_byte_leaves_s);
  void receive_last_byte(MessageId id);
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

}  // namespace stretto::known_answers
