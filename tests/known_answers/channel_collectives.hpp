// SPDX-License-Identifier: BSD-3-Clause
// Nonblocking operations of many ranks as transfers of one channel, each rank to each other one directly.
// They serve where there is no MPI, on the virtual machine. Reductions are missing.
#pragma once

#include <vector>

#include "exchange/channel.hpp"
#include "measure/team.hpp"
#include "probe/nonblocking.hpp"

namespace stretto::known_answers {

using probe::NonblockingCall;
using probe::NonblockingOperation;

class ChannelCollectives final : public probe::NonblockingCollectives {
 public:
  /// The channel must support sends.
  ChannelCollectives(measure::Team& team, exchange::Channel& channel) : team_(team), channel_(channel) {}

  [[nodiscard]] std::string_view absence(NonblockingOperation operation) const override;
  void prepare(const NonblockingCall& call, bool checked) override;
  void start() override;
  void poll() override { channel_.poll(); }
  void finish() override { channel_.finish(); }
  void fill(std::uint32_t seed) override { channel_.fill(seed); }
  [[nodiscard]] measure::CheckedTransfers verify(std::uint32_t seed) const override;

 private:
  /// The message by which block `from` of the sender becomes block `to` of the receiver.
  [[nodiscard]] exchange::Transfer block(int peer, std::size_t from, std::size_t to) const;
  /// Adds such a message, to the peer or from it, to the call.
  void add_send(int peer, std::size_t from, std::size_t to);
  void add_receive(int peer, std::size_t from, std::size_t to);
  void plan_neighbours();

  measure::Team& team_;
  exchange::Channel& channel_;
  NonblockingCall call_;
  std::vector<exchange::Transfer> sends_;
  std::vector<exchange::Transfer> receives_;
};

}  // namespace stretto::known_answers
