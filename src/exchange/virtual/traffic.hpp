// SPDX-License-Identifier: BSD-3-Clause
// What virtual ranks send each other: who pays which overhead when, which start belongs to which
// expectation, and when a rank is through. The flight itself is the engine's.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "exchange/channel.hpp"
#include "exchange/virtual/fifo.hpp"
#include "exchange/virtual/machine.hpp"
#include "exchange/virtual/memory.hpp"
#include "exchange/virtual/noise.hpp"
#include "exchange/virtual/schedule.hpp"
#include "replay/engine.hpp"

namespace stretto::exchange {

class VirtualTraffic final : public replay::Listener, public Awaited {
 public:
  VirtualTraffic(const VirtualMachine& machine, int ranks, replay::Engine& engine, VirtualSchedule& schedule);

  // -- from the fiber of `rank`; errors: std::out_of_range, std::invalid_argument, std::logic_error --

  /// A measured step begins: from now on what `rank` does takes its true time multiplied by these.
  void begin_step(int rank, const NoiseFactors& factors) { party(rank).factors = factors; }
  [[nodiscard]] const NoiseFactors& factors(int rank) const {
    return parties_[static_cast<std::size_t>(rank)].factors;
  }

  Ticket start(int rank, const Transfer& transfer);
  Ticket expect(int rank, const Transfer& transfer);
  /// One of them; takes what has arrived until then.
  void finish(int rank, Ticket ticket);
  void finish(int rank);
  void poll(int rank) { engine_.poll(rank); }
  void fill(int rank, std::uint32_t seed);

  [[nodiscard]] VirtualMemory& memory() { return memory_; }

  void completed(replay::MessageId id, double done_s) override;
  void arrived(replay::MessageId id, double ready_s) override;
  void traffic_changed(int rank, bool moving) override { schedule_.traffic_changed(rank, moving); }
  [[nodiscard]] std::string describe_wait(int rank) const override;

 private:
  /// A message as this class sees it; same index as the engine's.
  struct Parcel {
    Piece piece;
    Ticket started = 0;   // of its origin
    Ticket expected = 0;  // of the receiver of a send, once it is matched
    double ready_s = 0;
    bool live = false;
    bool send = false;
    bool matched = false;
    bool arrived = false;
    std::optional<Content> earlier;  // what its rank held, if that rank has filled again since
  };

  struct Expected {
    std::size_t size_bytes = 0;
    std::size_t offset_bytes = 0;
    std::size_t receive_offset_bytes = 0;
    Ticket ticket = 0;
  };

  /// Sends from one rank to another: the k-th start belongs to the k-th expectation.
  struct Channel {
    VirtualFifo<replay::MessageId> started;
    VirtualFifo<Expected> expected;
  };

  struct Ready {
    double ready_s = 0;
    replay::MessageId id = 0;
  };

  struct Party {
    NoiseFactors factors;
    double queue_free_s = 0;
    double completed_s = 0;      // when all of its own that have completed are over
    std::int64_t unsettled = 0;  // its own of which that is not known yet
    std::int64_t expected = 0;   // that it expects and has not completed
    bool waits_for_one = false;
    std::vector<double> done_s;  // a ticket since the last finish() of all; infinite where not known yet
    VirtualFifo<Ready> ready;    // that it expects and that have arrived, by time of arrival
    std::vector<Channel> from;   // by sender; empty before the first send to here
  };

  Party& party(int rank) { return parties_[static_cast<std::size_t>(rank)]; }
  Channel& channel(int from, int to);
  void check(int rank, const Transfer& transfer) const;
  void post(int rank, const Transfer& transfer, const network::LogGp& parameters, Ticket ticket);
  Ticket new_ticket(int rank);
  void match(replay::MessageId id, const Expected& expected);
  void make_ready(replay::MessageId id);
  void complete(int rank, const Ready& ready);
  void close(replay::MessageId id);

  const VirtualMachine& machine_;
  replay::Engine& engine_;
  VirtualSchedule& schedule_;
  VirtualMemory memory_;
  std::vector<Party> parties_;
  std::vector<Parcel> parcels_;
  std::optional<Ticket>
      submitted_;  // of a message that the engine is taking, which may complete in that call
};

}  // namespace stretto::exchange
