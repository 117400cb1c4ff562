// SPDX-License-Identifier: BSD-3-Clause
// Data that flows within the pairs of ranks, seen from one rank: which transfers it starts, which it
// expects, which arrive at it. Hides from the probes whether an operation has a passive side.
#pragma once

#include <cstddef>
#include <string_view>
#include <vector>

#include "probe/bench.hpp"

namespace stretto::probe {

enum class Direction { one_way, both_ways };

[[nodiscard]] std::string_view to_string(Direction direction);

/// The most that a probe lets be under way in one direction of a pair.
inline constexpr std::size_t largest_flight_bytes = std::size_t{64} << 20;

class Flow {
 public:
  Flow(const Bench& bench, exchange::Operation operation, Direction direction);

  /// Whether this rank is the active side of a transfer: the sender, or the origin of a put or get.
  [[nodiscard]] bool active() const { return active_; }
  /// Whether it is the other side of one.
  [[nodiscard]] bool passive() const { return passive_; }
  [[nodiscard]] exchange::Operation operation() const { return operation_; }

  /// Reserves memory for `messages` of `size_bytes` at distinct places, and for an answer. Collective.
  void reserve(std::size_t size_bytes, int messages) const;

  /// Starts message number `index`; nothing where this rank is not active.
  void start(std::size_t size_bytes, int index) const;
  void start_all(std::size_t size_bytes, int messages) const;

  /// Prepares for `messages`; nothing where none is sent to this rank.
  void expect_all(std::size_t size_bytes, int messages) const;

  /// The one message of a ping-pong: the same to send and to expect on both sides.
  [[nodiscard]] exchange::Transfer ball(std::size_t size_bytes) const { return message(size_bytes, 0); }

  /// The small message with which the receiver of a one-way send says that it has everything; nothing
  /// where completion itself says so. `expect_answer` before, `answer` after.
  void expect_answer() const;
  void answer() const;

  /// What has arrived at this rank when `messages` of `size_bytes` have been completed.
  [[nodiscard]] std::vector<exchange::Transfer> arrivals(std::size_t size_bytes, int messages) const;

 private:
  [[nodiscard]] exchange::Transfer message(std::size_t size_bytes, int index) const;
  [[nodiscard]] exchange::Transfer answer_message() const;
  [[nodiscard]] bool answered() const;

  const Bench& bench_;
  exchange::Operation operation_;
  Direction direction_;
  Pairing pairing_;
  bool active_;
  bool passive_;
};

}  // namespace stretto::probe
