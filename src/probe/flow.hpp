// SPDX-License-Identifier: BSD-3-Clause
// The transfers of one rank within its pair: those it starts, those it expects, and those that arrive. The
// probes need not know whether an operation has a passive side.
#pragma once

#include <cstddef>
#include <string_view>
#include <vector>

#include "probe/buffers.hpp"
#include "probe/direction.hpp"
#include "probe/probe_context.hpp"

namespace stretto::probe {

/// The largest number of bytes in flight in one direction of a pair.
inline constexpr std::size_t largest_flight_bytes = std::size_t{64} << 20;

class Flow {
 public:
  /// `pairs`: how many of the pairs take part, the first ones; 0: all. With Buffers::same all messages of a
  /// direction share one place.
  Flow(const ProbeContext& context, exchange::ChannelOperation operation, Direction direction,
       Buffers buffers = Buffers::distinct, int pairs = 0);

  /// Whether this rank is the active side of a transfer: the sender, or the origin of a put or get.
  [[nodiscard]] bool active() const { return active_; }
  /// Whether this rank is the other side: the receiver, or the target of a put or get.
  [[nodiscard]] bool passive() const { return passive_; }

  /// Reserves memory for `messages` of `size_bytes`, and for an answer. Collective.
  void reserve(std::size_t size_bytes, int messages) const;

  /// Starts message number `index`; does nothing where this rank is not active.
  void start(std::size_t size_bytes, int index) const;
  void start_all(std::size_t size_bytes, int messages) const;

  /// Expects message number `index`, or `messages`; does nothing where this rank receives none.
  void expect(std::size_t size_bytes, int index) const;
  void expect_all(std::size_t size_bytes, int messages) const;

  /// One message there and back, number `index`; of a put or get one operation.
  void ping_pong(std::size_t size_bytes, int index) const;
  /// `messages` one way, until the other side has confirmed their arrival.
  void window(std::size_t size_bytes, int messages) const;

  /// The small message by which the receiver of one-way sends confirms their arrival. Other operations have
  /// none, because their completion confirms it. Call `expect_answer` before the sends and `answer` after
  /// them.
  void expect_answer() const;
  void answer() const;

  /// The transfers that have arrived at this rank when `messages` of `size_bytes` are complete.
  [[nodiscard]] std::vector<exchange::Transfer> arrivals(std::size_t size_bytes, int messages) const;
  /// The same of ping-pongs.
  [[nodiscard]] std::vector<exchange::Transfer> ping_pong_arrivals(std::size_t size_bytes,
                                                                   int messages) const;

 private:
  [[nodiscard]] exchange::Transfer message(std::size_t size_bytes, int index) const;
  [[nodiscard]] exchange::Transfer answer_message() const;
  [[nodiscard]] bool answered() const;
  [[nodiscard]] std::vector<exchange::Transfer> all_messages(std::size_t size_bytes, int messages) const;

  const ProbeContext& context_;
  exchange::ChannelOperation operation_;
  Direction direction_;
  Buffers buffers_;
  Pairing pairing_;
  bool active_;
  bool passive_;
};

}  // namespace stretto::probe
