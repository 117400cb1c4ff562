// SPDX-License-Identifier: BSD-3-Clause
// The messages of virtual ranks: the overheads that each rank pays, the matching of starts and expectations,
// and completion. The engine computes the flight of a message.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "exchange/channel.hpp"
#include "known_answers/bursts.hpp"
#include "known_answers/engine.hpp"
#include "known_answers/fifo.hpp"
#include "known_answers/machine.hpp"
#include "known_answers/memory.hpp"
#include "known_answers/noise.hpp"
#include "known_answers/schedule.hpp"

namespace stretto::known_answers {

using exchange::Ticket;
using exchange::Transfer;

class VirtualTraffic final : public Listener, public Awaited {
 public:
  /// `bursts` has an element a rank.
  VirtualTraffic(const VirtualMachine& machine, std::vector<Bursts>& bursts, Engine& engine,
                 VirtualSchedule& schedule);

  // -- from the fiber of `rank`; errors: std::out_of_range, std::invalid_argument, std::logic_error --

  /// Begins a measured step, in which the true times of `rank` are multiplied by these factors.
  void begin_step(int rank, const NoiseFactors& factors) { state_of(rank).factors = factors; }
  [[nodiscard]] const NoiseFactors& factors(int rank) const {
    return ranks_[static_cast<std::size_t>(rank)].factors;
  }

  Ticket start(int rank, const Transfer& transfer);
  Ticket expect(int rank, const Transfer& transfer);
  /// Completes one transfer; also processes the messages that have arrived until then.
  void finish(int rank, Ticket ticket);
  void finish(int rank);
  void poll(int rank) { engine_.poll(rank); }
  void fill(int rank, std::uint32_t seed);

  [[nodiscard]] VirtualMemory& memory() { return memory_; }

  void completed(MessageId id, double done_s) override;
  void arrived(MessageId id, double ready_s) override;
  void traffic_changed(int rank, bool moving) override { schedule_.traffic_changed(rank, moving); }
  [[nodiscard]] std::string describe_wait(int rank) const override;

 private:
  /// A message as this class represents it; its index equals the engine's.
  struct MessageState {
    Piece piece;
    Ticket started = 0;   // ticket of the origin
    Ticket expected = 0;  // ticket of the receiver of a send, once matched
    double ready_s = 0;
    bool live = false;
    bool send = false;
    bool matched = false;
    bool arrived = false;
    // The origin's content when the message left, if the origin has called fill() since.
    std::optional<Content> earlier;
  };

  struct Expected {
    std::size_t size_bytes = 0;
    std::size_t offset_bytes = 0;
    std::size_t receive_offset_bytes = 0;
    Ticket ticket = 0;
  };

  /// Sends from one rank to another: the k-th start matches the k-th expectation.
  struct Channel {
    VirtualFifo<MessageId> started;
    VirtualFifo<Expected> expected;
  };

  struct Ready {
    double ready_s = 0;
    MessageId id = 0;
  };

  struct RankState {
    NoiseFactors factors;
    double queue_free_s = 0;
    double completed_s = 0;        // completion time of all completed transfers that it started
    std::int64_t uncompleted = 0;  // transfers that it started, with unknown completion time
    std::int64_t expected = 0;     // transfers that it expects and has not completed
    bool waits_for_one = false;
    // Completion time per ticket since the last finish() of all; infinite while unknown.
    std::vector<double> done_s;
    VirtualFifo<Ready> ready;   // expected transfers that have arrived, by time of arrival
    std::vector<Channel> from;  // by sender; empty before the first send to this rank
  };

  RankState& state_of(int rank) { return ranks_[static_cast<std::size_t>(rank)]; }
  Channel& channel(int from, int to);
  void check(int rank, const Transfer& transfer) const;
  void post(int rank, const Transfer& transfer, const network::LogGp& parameters, Ticket ticket);
  Ticket new_ticket(int rank);
  void match(MessageId id, const Expected& expected);
  void make_ready(MessageId id);
  void complete(int rank, const Ready& ready);
  void close(MessageId id);
  /// Lets `rank` take `need_s` of its processor from `begin_s` on, which is not in the past.
  void take_processor(int rank, double begin_s, double need_s);
  /// Waits until `rank` has its processor, as a rank does that has slept in a call.
  void return_from_call(int rank);

  const VirtualMachine& machine_;
  std::vector<Bursts>& bursts_;
  Engine& engine_;
  VirtualSchedule& schedule_;
  VirtualMemory memory_;
  std::vector<RankState> ranks_;
  std::vector<MessageState> messages_;
  // Ticket of a message that the engine is accepting, which may complete within that call.
  std::optional<Ticket> submitted_;
};

}  // namespace stretto::known_answers
